import type { Order, OrderStatus } from '@comanda/contracts/orders';
import { movesOfOrder } from '@comanda/contracts/transitions';
import type { Who } from './session.ts';

type Movable = Pick<Order, 'status' | 'updated_at' | 'placed_by'> & { items: readonly { status: OrderStatus }[] };

/**
 * What `who` may do next with an order, by the same table that the house decides by. `now` is the time of the house, in
 * milliseconds: a feed's `now()`.
 */
export function allowedTransitions(order: Movable, who: Who, now: number = Date.now()): OrderStatus[] {
  const viewerRole = who.role !== 'customer' ? 'staff' : order.placed_by.id === who.userId ? 'owner' : 'other';
  const one = { status: order.status, items: order.items, deliveredAgoMs: now - Date.parse(order.updated_at) };
  return movesOfOrder(one, viewerRole).map(({ to }) => to);
}
