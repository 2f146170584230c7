import type { Order, OrderStatus } from '@comanda/contracts/orders';
import { transitionsOfOrder } from '@comanda/contracts/transitions';
import type { Who } from '../session/session.ts';

type MovableOrder = Pick<Order, 'status' | 'delivered_at' | 'placed_by'> & {
  items: readonly { status: OrderStatus }[];
};

/**
 * The statuses that `who` may move an order to, from the same table as on the server. `now` is the server's time in
 * milliseconds, for example a feed's `now()`.
 */
export function allowedTransitions(order: MovableOrder, who: Who, now: number = Date.now()): OrderStatus[] {
  const viewerRole = who.role !== 'customer' ? 'staff' : order.placed_by.id === who.userId ? 'owner' : 'other';
  const deliveredAgoMs = order.delivered_at === null ? Infinity : now - Date.parse(order.delivered_at);
  const movable = { status: order.status, items: order.items, deliveredAgoMs };
  return transitionsOfOrder(movable, viewerRole).map(({ to }) => to);
}
