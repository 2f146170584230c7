import { afterEach, describe, expect, test } from '@jest/globals';
import type { OrderInEvent, OrderStatus } from '@comanda/contracts/order';
import { orderCreated } from '@comanda/testing/event-factories';
import { liveClient, nextTurn } from '@comanda/testing/live-client';
import { until } from '@comanda/testing/until';
import { orders, ordersWith } from './orders.ts';
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

describe('after items of an order have moved', () => {
  const before = { ...orderOf(42, { status: 'received', ageH: 0 }), allowed_transitions: [] };
  /** Opens two lists that have the order, and moves items of it. `moved`: the response. */
  async function openTwo(moved: object) {
    const loaded: number[] = [];
    const { client } = liveClient({
      listOrders: async () => [before],
      moveItems: async () => moved,
      getOrder: async ({ id }: { id: number }) => {
        loaded.push(id);
        return { ...before, version: 2, total: '1.00' };
      },
    });
    const lists = [client.collection(orders), client.collection(ordersWith(['received']))];
    opened.push(...lists);
    await until(() => lists.every((list) => list.state.value === 'complete'), { what: 'both lists' });
    await client.calls.moveItems({ id: 42, items: [{ id: 1 }], table: '9' });
    await nextTurn();
    return { loaded, versions: lists.map((list) => list.rows.value.map(({ id, version }) => [id, version])) };
  }

  test('two lists load the rest of the order once, and both have it', async () => {
    const moved = { ...before, id: 43, version: 2, split_from: 42 };
    const both = [
      [42, 2],
      [43, 2],
    ];

    expect(await openTwo(moved)).toEqual({ loaded: [42], versions: [both, both] });
  });

  test('a list loads nothing if the whole order has moved', async () => {
    const moved = { ...before, version: 2, split_from: 7 };

    expect(await openTwo(moved)).toEqual({ loaded: [], versions: [[[42, 2]], [[42, 2]]] });
  });
});
