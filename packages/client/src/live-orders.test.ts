import { expect, test } from '@jest/globals';
import type { OrderInEvent, OrderStatus } from '@comanda/contracts/orders';
import { orderCreated } from '@comanda/testing/event-factories';
import type { FeedEvent, FeedHandlers } from './feed.ts';
import { followLiveOrders } from './live-orders.ts';

const now = Date.parse('2026-11-20T21:00:00.000Z');
const orderOf = (id: number, { status, ageH }: { status: OrderStatus; ageH: number }): OrderInEvent => ({
  ...orderCreated({ orderId: id }).data.order,
  status,
  created_at: new Date(now - ageH * 3_600_000 + id).toISOString(),
});

test('when very many orders have finished, then the newest 200 of the last 12 hours are listed, and every open order', () => {
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
      who: () => null,
      onWho: () => () => undefined,
    } as unknown as Parameters<typeof followLiveOrders>[0],
    { onChange: () => undefined },
  );
  const send = (order: OrderInEvent) => feed.onEvent?.({ data: { order } } as FeedEvent, 'cursor');

  send(orderOf(1, { status: 'ready', ageH: 50 }));
  send(orderOf(2, { status: 'delivered', ageH: 13 }));
  for (let id = 3; id < 303; id++) send(orderOf(id, { status: 'delivered', ageH: 2 }));

  const ids = live.all().map(({ id }) => id);
  live.close();
  expect(ids).toEqual([1, ...Array.from({ length: 200 }, (_each, index) => 103 + index)]);
});
