import { afterEach, expect, test } from '@jest/globals';
import type { OrderInEvent, OrderStatus } from '@comanda/contracts/order';
import { orderCreated } from '@comanda/testing/event-factories';
import { liveClient, nextTurn } from '@comanda/testing/live-client';
import { orders } from './orders.ts';
import type { Who } from '../session/session.ts';

const orderOf = (id: number, { status, ageH }: { status: OrderStatus; ageH: number }): OrderInEvent => ({
  ...orderCreated({ orderId: id }).data.order,
  status,
  created_at: new Date(Date.now() - ageH * 3_600_000 + id).toISOString(),
});

const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
/** Opens a list of orders for this user, which gets orders only from events. */
function openOrders(who: Who) {
  const { client, emit } = liveClient({ listOrders: () => new Promise(() => undefined) }, { who });
  const list = client.collection(orders);
  opened.push(list);
  return {
    send: (order: OrderInEvent) => emit('order.created', { order }),
    ids: async () => {
      await nextTurn();
      return list.rows.value.map(({ id }) => id);
    },
  };
}

test('the list has every open order and the newest 200 finished ones from the last 12 hours', async () => {
  const { send, ids } = openOrders({ userId: 3, role: 'waiter', name: 'Ana' });

  send(orderOf(1, { status: 'ready', ageH: 50 }));
  send(orderOf(2, { status: 'delivered', ageH: 13 }));
  for (let id = 3; id < 303; id++) send(orderOf(id, { status: 'delivered', ageH: 2 }));

  expect(await ids()).toEqual([1, ...Array.from({ length: 200 }, (_each, index) => 103 + index)]);
});

test('a moved order disappears for another guest at its old seating', async () => {
  const { send, ids } = openOrders({ userId: 7, role: 'customer', name: 'Ana', table: '12', seating: 88 });
  const order = orderOf(1, { status: 'received', ageH: 0 });

  send({ ...order, seating: 88 });
  const before = await ids();
  send({ ...order, version: 2, seating: 87 });

  expect({ before, after: await ids() }).toEqual({ before: [1], after: [] });
});
