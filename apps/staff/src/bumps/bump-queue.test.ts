import { CallFailure, type Client } from '@comanda/client/core';
import type { Order, OrderStatus } from '@comanda/contracts/order';
import { openDeviceTabs } from '@comanda/testing/device-tabs';
import { until } from '@comanda/testing/until';
import { openUnsent } from '@comanda/ui/unsent.ts';
import { onDevice } from '../on-device.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { undoOf, type Bump } from './bump.ts';
import { createBumpQueue, type Dropped } from './bump-queue.ts';

const me = 7;
const opened: { close: () => void }[] = [];
let device: ReturnType<typeof openDeviceTabs>;
beforeEach(() => {
  device = openDeviceTabs();
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  device.close();
});

const bumpOf = (id: string, itemIds: readonly number[]): Bump => ({
  id,
  orderId: 1,
  ticket: 12,
  table: '7',
  moves: itemIds.map((itemId) => ({ itemId, from: 'received', to: 'preparing' })),
  wholeOrderTo: null,
  version: 1,
  atMs: 0,
});

/**
 * Creates a server with one order of three dishes. `meet` is called before each change of a dish, and may throw to make it fail.
 */
function serve() {
  const order = { version: 1, items: [1, 2, 3].map((id) => ({ id, status: 'received' as OrderStatus })) };
  const server = { order, changes: 0, meet: (): void => {}, loseAnswer: (): boolean => false };
  const set = (id: number, status: OrderStatus): void => {
    order.version += 1;
    order.items = order.items.map((item) => (item.id === id ? { ...item, status } : item));
  };
  const answer = (): Promise<Order> => Promise.resolve(structuredClone(order) as unknown as Order);
  const calls = {
    getOrder: answer,
    getOrderHistory: () => Promise.resolve([{ what: 'status', actor: { id: me } }]),
    updateOrderItem: ({ item_id: id, status }: { item_id: number; status: OrderStatus }, { ifMatch = '' }) => {
      server.changes += 1;
      server.meet();
      if (ifMatch !== `"1-${order.version}"`)
        return Promise.reject(new CallFailure('changed', { code: 'version_mismatch', outcome: 'none' }));
      set(id, status);
      if (server.loseAnswer())
        return Promise.reject(
          new CallFailure('lost', { code: 'unreachable', outcome: 'unknown', retryAfterMs: 600_000 }),
        );
      return answer();
    },
  };
  return { server, set, client: { calls } as unknown as Pick<Client, 'calls'> };
}

function open(client: Pick<Client, 'calls'>) {
  const dropped: Dropped[] = [];
  const unsent = openUnsent(onDevice.unsent(me), []);
  const queue = createBumpQueue({
    client,
    userId: me,
    unsent,
    kind: 'bump',
    onDropped: (each) => dropped.push(each),
  });
  opened.push(queue, unsent);
  const untilEmpty = () => until(() => queue.waiting.value.length === 0, { what: 'the queue to be empty' });
  return { queue, dropped, untilEmpty };
}
const statusesOf = ({ items }: { items: readonly { status: OrderStatus }[] }) => items.map(({ status }) => status);

test('a bump whose response was lost can be undone on the server after a reload', async () => {
  const { server, client } = serve();
  server.loseAnswer = () => true;
  const before = open(client);
  before.queue.add(bumpOf('a', [1]));
  await until(() => server.changes === 1, { what: 'a try' });
  before.queue.close();
  server.loseAnswer = () => false;
  const { queue, dropped, untilEmpty } = open(client);
  const [kept] = queue.waiting.value;
  const isTakenBack = queue.remove('a');
  if (kept && !isTakenBack) queue.add(undoOf(kept, { id: 'undo', atMs: 1, version: null }));

  await untilEmpty();

  expect([isTakenBack, dropped]).toEqual([false, []]);
  expect(statusesOf(server.order)).toEqual(['received', 'received', 'received']);
});

test('a bump that waits behind another one is not sent if it is undone', async () => {
  const { server, client } = serve();
  server.loseAnswer = () => true;
  const { queue } = open(client);
  queue.add(bumpOf('a', [1]));
  queue.add(bumpOf('b', [2]));
  await until(() => server.changes === 1, { what: 'a try' });

  expect([queue.remove('b'), queue.waiting.value.map(({ id }) => id)]).toEqual([true, ['a']]);
});

test('a bump is applied even if another station bumps its own dish between two steps', async () => {
  const { server, set, client } = serve();
  server.meet = () => {
    if (server.changes === 2) set(3, 'preparing');
  };
  const { queue, dropped, untilEmpty } = open(client);
  queue.add(bumpOf('a', [1, 2]));

  await untilEmpty();

  expect([statusesOf(server.order), dropped]).toEqual([['preparing', 'preparing', 'preparing'], []]);
});

test('a bump is reported and not forced if another person changes one of its dishes between two steps', async () => {
  const { server, set, client } = serve();
  server.meet = () => {
    if (server.changes === 2) set(2, 'cancelled');
  };
  const { queue, dropped, untilEmpty } = open(client);
  queue.add(bumpOf('a', [1, 2]));

  await untilEmpty();

  expect(statusesOf(server.order)).toEqual(['preparing', 'cancelled', 'received']);
  expect(dropped.map(({ why }) => why.kind)).toEqual(['overtaken']);
});
