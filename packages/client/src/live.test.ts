import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderStatus } from '@comanda/contracts/order';
import { orderCreated } from '@comanda/testing/event-factories';
import { liveClient, nextTurn } from '@comanda/testing/live-client';
import { until } from '@comanda/testing/until';
import type { FeedStanding } from './feed/feed-types.ts';
import { followLiveMenu, followLiveOrders, type Live, type LiveHandlers } from './live.ts';

const order = (id: number, version = 1): Order => ({
  ...orderCreated({ orderId: id, version }).data.order,
  allowed_transitions: [],
});

const opened: { close: () => void }[] = [];
afterEach(() => {
  jest.useRealTimers();
  for (const each of opened.splice(0)) each.close();
});

/** Opens a list of orders with order 1, whose calls and feed the test controls. */
async function openOrders(handlers: Partial<LiveHandlers<'order'>> = {}) {
  const { client, ...server } = liveClient({
    listOrders: async () => [order(1)],
    updateOrder: async () => order(1, 2),
  });
  const live = followLiveOrders(client, { onChange: () => undefined, ...handlers });
  opened.push(live);
  await until(live.isComplete, { what: 'the orders' });
  return { live, client, ...server };
}
const versionsIn = (live: Live<'order'>): number[] => live.all().map(({ version }) => version);

describe('a list that reports by callbacks', () => {
  test('contains the response to a call once the program has applied it', async () => {
    const sources: string[] = [];
    const { live, client } = await openOrders({ onChange: (_all, _changes, source) => sources.push(source) });
    const response = await client.calls.updateOrder({ id: 1, status: 'preparing' });
    expect(versionsIn(live)).toEqual([1]);

    live.apply(response);
    expect([versionsIn(live), sources.at(-1)]).toEqual([[2], 'answer']);
  });

  test('contains an event at once and reports it at the end of the turn', async () => {
    let changed = 0;
    const { live, emit } = await openOrders({ onChange: () => changed++ });
    const before = changed;
    emit('order.created', { order: order(2) });
    emit('order.created', { order: order(3) });
    expect([live.all().length, changed]).toEqual([3, before]);

    await nextTurn();
    expect(changed).toBe(before + 1);
  });

  test('is incomplete as soon as a gap is reported', async () => {
    const seen: string[] = [];
    const { live, stand } = await openOrders({
      onStanding: ({ status }) => {
        if (status === 'gap') seen.push(`complete: ${live.isComplete()}, read: ${live.isRead()}`);
      },
    });
    stand('gap');

    expect(seen).toEqual(['complete: false, read: false']);
  });

  test('reports changes with the objects that the list contains', async () => {
    const isListed: boolean[] = [];
    const { emit } = await openOrders({
      onChange: (all, changes) => {
        for (const change of changes) isListed.push(change.kind !== 'removed' && all.includes(change.after));
      },
    });
    emit('order.status_changed', { order: order(1, 2) });
    await nextTurn();

    expect(isListed).toEqual([true, true]);
  });

  test("calls a class's methods as methods", async () => {
    class Screen {
      seen: string[] = [];
      onChange(all: readonly Order[]): void {
        this.seen.push(`${all.length} orders`);
      }
      onStanding({ status }: FeedStanding): void {
        this.seen.push(status);
      }
    }
    const { client } = liveClient({ listOrders: async () => [order(1)] });
    const screen = new Screen();
    opened.push(followLiveOrders(client, screen));
    await until(() => screen.seen.includes('1 orders'), { what: 'the orders' });

    expect(screen.seen).toContain('live');
  });
});

test('a menu is loaded only for a user', async () => {
  const listMenu = jest.fn(async (): Promise<MenuItem[]> => []);
  const { client } = liveClient({ listMenu }, { who: null });
  const live = followLiveMenu(client, { onChange: () => undefined });
  opened.push(live);
  await nextTurn();

  expect([listMenu.mock.calls.length, live.isRead()]).toEqual([0, false]);
});

test('a list of delivered orders is loaded every 10 s without a feed', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
  const listOrders = jest.fn(async (): Promise<Order[]> => []);
  const { client } = liveClient({ listOrders }, { status: 'connecting' });
  const statuses: OrderStatus[] = ['delivered'];
  opened.push(followLiveOrders(client, { statuses, onChange: () => undefined }));
  await jest.advanceTimersByTimeAsync(10_000);

  expect(listOrders.mock.calls.length).toBeGreaterThan(1);
});
