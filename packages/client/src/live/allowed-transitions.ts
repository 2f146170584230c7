import type { Order, OrderStatus } from '@comanda/contracts/order';
import { transitionsOfOrder, type ViewerRole } from '@comanda/contracts/transitions';
import type { Who } from '../session/session.ts';

type MovableOrder = Pick<Order, 'status' | 'delivered_at' | 'placed_by'> & {
  items: readonly Pick<Order['items'][number], 'status' | 'first_delivered_at'>[];
};

/**
 * Returns the statuses to which this user may move the order, by the same rules as on the server. `now` is the server's time in
 * milliseconds since the epoch, for example from a feed's `now()`.
 */
export function allowedTransitions(order: MovableOrder, who: Who, now: number = Date.now()): OrderStatus[] {
  const viewerRole = viewerRoleOf(order, who);
  const deliveredAgoMs = order.delivered_at === null ? Infinity : now - Date.parse(order.delivered_at);
  const items = order.items.map((item) => ({ status: item.status, wasDelivered: wasDelivered(item) }));
  const movable = { status: order.status, items, deliveredAgoMs };
  return transitionsOfOrder(movable, viewerRole).map(({ to }) => to);
}

function viewerRoleOf({ placed_by: placedBy }: MovableOrder, { role, userId }: Who): ViewerRole {
  if (role !== 'customer') return role === 'manager' ? 'manager' : 'staff';
  return placedBy.id === userId ? 'owner' : 'other';
}

/**
 * Checks whether an item was ever delivered. Only a manager may cancel such an item. Items from an old release lack the time of
 * delivery, so they count only while their status is `delivered`.
 */
export const wasDelivered = (item: MovableOrder['items'][number]): boolean =>
  item.status === 'delivered' || (item.first_delivered_at ?? null) !== null;
