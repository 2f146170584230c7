import type { LiveOrder } from '@comanda/client';
import type { Outgoing } from './outgoing.ts';

/** An order of this phone that has just what the stopped one had and was not there before: an earlier try arrived after all. */
export function findArrived(orders: readonly LiveOrder[], sought: Outgoing): LiveOrder | undefined {
  const { before } = sought;
  const wanted = sought.lines
    .map(({ dishId, quantity, remarks }) => `${dishId} ${quantity} ${remarks.trim()}`)
    .join('|');
  // Without any answer of the server it was this device's clock, which may be wrong by some minutes.
  const from = sought.at - (before ? 5 * 60_000 : 2000);
  return orders.find(
    (order) =>
      order.placed_by.id === sought.userId &&
      !before?.includes(order.id) &&
      Date.parse(order.created_at) > from &&
      order.items.map((item) => `${item.item_id} ${item.quantity} ${item.remarks}`).join('|') === wanted,
  );
}
