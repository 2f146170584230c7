import { expect, test } from '@jest/globals';
import type { LiveOrder } from '@comanda/client/core';
import { orderStatusChanged } from '@comanda/testing/event-factories';
import { createReadyTimes } from './ready-times.ts';

test("several items in one event are all ready since the event's time", () => {
  const times = createReadyTimes({ calls: {} as never });
  const { time, data, ...event } = orderStatusChanged({ orderId: 1 });
  const changed = [11, 12].map((id) => ({ item_id: id, from: 'preparing' as const, to: 'ready' as const }));

  times.takeEvent({ ...event, time, data: { ...data, changed_items: changed } });

  const order = { updated_at: '2026-11-20T21:00:00.000Z' } as LiveOrder;
  const readyAt = [11, 12, 13].map((id) => times.readyAt({ order, item: { id } } as never));
  expect(readyAt).toEqual([Date.parse(time), Date.parse(time), Date.parse(order.updated_at)]);
});
