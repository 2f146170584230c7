import type { OrderStatus } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problems';
import type { Problem } from '@comanda/contracts/problems';
import { isBefore, movesOf, movesOfOrder, statusOf } from '@comanda/contracts/transitions';
import type { Move, ViewerRole } from '@comanda/contracts/transitions';
import { deliveredAgoMs } from './order.ts';
import type { Order, OrderItem, Place } from './order.ts';

/** What a change makes of an order: the very same one where nothing is to be done, or why not. */
export type Changed = Order | Problem;

/** Role comes first: whoever is not staff may only cancel what is their own. */
export const refusalByRole = (to: OrderStatus, viewerRole: ViewerRole): Problem | null =>
  viewerRole === 'staff' || (viewerRole === 'owner' && to === 'cancelled') ? null : problem('forbidden');

/** The order moved to `to`, with the items that go along. */
export function moveOrder(
  order: Order,
  to: OrderStatus,
  { viewerRole, now }: { viewerRole: ViewerRole; now: Date },
): Changed {
  const refusal = refusalByRole(to, viewerRole);
  if (refusal) return refusal;
  if (order.status === to) return order;
  const allowed = movesOfOrder({ ...order, deliveredAgoMs: deliveredAgoMs(order, now) }, viewerRole);
  const move = allowed.find((each) => each.to === to);
  if (!move) return illegal(allowed);
  const items = order.items.map((item) => (goesAlong(item, order, move) ? withStatus(item, to, now) : item));
  return withItems(order, items, now);
}

/** The order with one of its items moved to `to`; that is staff's. */
export function moveItem(order: Order, { itemId, to }: { itemId: number; to: OrderStatus }, now: Date): Changed {
  const item = order.items.find(({ id }) => id === itemId);
  if (!item) return problem('not_found');
  if (item.status === to) return order;
  const allowed = movesOf({ status: item.status, deliveredAgoMs: deliveredAgoMs(item, now) }, 'staff');
  if (!allowed.some((each) => each.to === to)) return illegal(allowed);
  const items = order.items.map((each) => (each === item ? withStatus(item, to, now) : each));
  return withItems(order, items, now);
}

const illegal = (allowed: readonly Move[]): Problem =>
  problem('illegal_transition', { allowed_transitions: allowed.map(({ to }) => to) });

function goesAlong(item: OrderItem, order: Order, { kind, to }: Move): boolean {
  if (item.status === 'cancelled') return false;
  if (kind === 'forward') return isBefore(item.status, to);
  return kind === 'back' ? item.status === order.status : item.status !== 'delivered';
}

const withStatus = (item: OrderItem, to: OrderStatus, now: Date): OrderItem => ({
  ...item,
  status: to,
  deliveredAt: to === 'delivered' ? now : null,
  // They go back to the dish with this very write, or never.
  holdsPortions: item.holdsPortions && !(item.status === 'received' && to === 'cancelled'),
});

function withItems(order: Order, items: readonly OrderItem[], now: Date): Order {
  const status = statusOf(items);
  const since = order.status === 'delivered' ? order.deliveredAt : now;
  return { ...changed(order, now), items, status, deliveredAt: status === 'delivered' ? since : null };
}

/** The next version. */
const changed = (order: Order, now: Date): Order => ({
  ...order,
  version: order.version + 1,
  changedVersion: order.version + 1,
  updatedAt: now,
});

/** The order at another table. */
export const moveToPlace = (order: Order, place: Place, now: Date): Order =>
  order.table === place.table && order.seating === place.seating ? order : { ...changed(order, now), ...place };

/** The order as it was first painted on a screen: a new version, though nothing that its `ETag` minds. */
export const markSeenAt = (order: Order, now: Date): Order =>
  order.seenAt ? order : { ...order, version: order.version + 1, seenAt: now };

/** The portions that go back to each dish, by its id, when `before` becomes `after`. */
export function portionsReturned(before: Order, after: Order): Map<number, number> {
  const returned = new Map<number, number>();
  for (const [index, { itemId, quantity, holdsPortions }] of before.items.entries())
    if (holdsPortions && !after.items[index]?.holdsPortions)
      returned.set(itemId, (returned.get(itemId) ?? 0) + quantity);
  return returned;
}
