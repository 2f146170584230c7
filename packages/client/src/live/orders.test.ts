import { expect, test } from '@jest/globals';
import type { OrderInEvent, OrderStatus } from '@comanda/contracts/order';
import { orderCreated } from '@comanda/testing/event-factories';
import type { FeedEvent, FeedHandlers } from '../feed/feed-types.ts';
import { followLiveOrders } from './orders.ts';
import type { Who } from '../session/session.ts';

const now = Date.parse('2026-11-20T21:00:00.000Z');
const orderOf = (id: number, { status, ageH }: { status: OrderStatus; ageH: number }): OrderInEvent => ({
  ...orderCreated({ orderId: id }).data.order,
  status,
  created_at: new Date(now - ageH * 3_600_000 + id).toISOString(),
});

/** Opens a list of orders for this user, with a feed that the test controls. */
function openOrders(who: Who | null) {
  const feed: FeedHandlers = {};
  const live = followLiveOrders(
    {
      feed: (handlers: FeedHandlers) => {
        Object.assign(feed, handlers);
        return {
          standing: () => ({ status: 'connecting' }),
          cursor: () => null,
          now: () => now,
          close: () => undefined,
        };
      },
      who: () => who,
      onWho: () => () => undefined,
    } as unknown as Parameters<typeof followLiveOrders>[0],
    { onChange: () => undefined },
  );
  // This test uses only events, so the list is closed.
  live.close();
  return {
    send: (order: OrderInEvent) => feed.onEvent?.({ data: { order } } as FeedEvent, 'cursor'),
    ids: () => live.all().map(({ id }) => id),
  };
}

test('the list has every open order and the newest 200 finished ones from the last 12 hours', () => {
  const { send, ids } = openOrders(null);

  send(orderOf(1, { status: 'ready', ageH: 50 }));
  send(orderOf(2, { status: 'delivered', ageH: 13 }));
  for (let id = 3; id < 303; id++) send(orderOf(id, { status: 'delivered', ageH: 2 }));

  expect(ids()).toEqual([1, ...Array.from({ length: 200 }, (_each, index) => 103 + index)]);
});

test('a moved order disappears for another guest at its old seating', () => {
  const { send, ids } = openOrders({ userId: 7, role: 'customer', name: 'Ana', table: '12', seating: 88 });
  const order = orderOf(1, { status: 'received', ageH: 0 });

  send({ ...order, seating: 88 });
  const before = ids();
  send({ ...order, version: 2, seating: 87 });

  expect({ before, after: ids() }).toEqual({ before: [1], after: [] });
});
