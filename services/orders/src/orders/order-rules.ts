import type { OrderStatus } from '@comanda/contracts/order';
import { problem, Problem } from '@comanda/contracts/problem';
import {
  isBefore,
  isCancelledWith,
  transitionsOf,
  transitionsOfOrder,
  statusOf,
  type Transition,
  type ViewerRole,
} from '@comanda/contracts/transitions';
import {
  deliveredAgoMs,
  matchesTag,
  movable,
  viewerRoleOf,
  type Order,
  type OrderItem,
  type OrderLocation,
  type OrderReader,
} from './order.ts';
import { whatIsTooMuch } from './order-size.ts';
import { itemsAt, type Stations } from './order-stations.ts';

/**
 * A change to an existing order, as data. If another write comes first, the change is decided again for the order's new version.
 */
export type OrderChange =
  | { kind: 'status'; to: OrderStatus; caller: OrderReader; ifMatch: string | undefined }
  | (ItemChange & { kind: 'item_status' })
  /** Cancels a part of an item. The order writer sets `newItemId`, the id for the cancelled units. */
  | (ItemChange & { kind: 'item_part'; quantityLeft: number; newItemId?: number })
  | { kind: 'location'; to: OrderLocation; ifMatch: string | undefined }
  | { kind: 'seen'; device: string; stations: Stations }
  | { kind: 'allergies_read'; stations: Stations };
type ItemChange = { itemId: number; to: OrderStatus; caller: OrderReader; ifMatch: string | undefined };
/** The order after a change; the same object if nothing changes; or a problem if the change is rejected. */
export type ChangedOrder = Order | Problem;

/** Decides a change for one version of the order. Rejects with 404 if the caller must not learn that the order exists. */
export function decideChange(order: Order, change: OrderChange, now: Date): ChangedOrder {
  if (change.kind === 'seen') return markOrderSeen(order, { ...change, now });
  if (change.kind === 'allergies_read') return markOrderAllergiesRead(order, { ...change, now });
  if (change.kind === 'location') return refuseByTag(order, change) ?? changeLocation(order, change.to, now);
  const { to } = change;
  const viewerRole = viewerRoleOf(order, change.caller);
  if (!viewerRole) return problem('not_found');
  if (change.kind === 'item_status')
    return refuseByTag(order, change) ?? changeItemStatus(order, { ...change, viewerRole, now });
  if (change.kind === 'item_part')
    return refuseByTag(order, change) ?? cancelUnits(order, { ...change, viewerRole, now });
  return (
    refuseByRole(to, viewerRole) ?? refuseByTag(order, change) ?? changeOrderStatus(order, { to, viewerRole, now })
  );
}

/** Rejects with 412 if `If-Match` was sent and doesn't contain the order's current tag. */
export function refuseByTag(order: Order, { ifMatch }: { ifMatch: string | undefined }): Problem | null {
  if (ifMatch === undefined) return null;
  return matchesTag(order, { header: ifMatch, comparison: 'strong' }) ? null : problem('version_mismatch');
}

/** Rejects callers without permission: a customer can only cancel, and only an order of their own. */
const refuseByRole = (to: OrderStatus, viewerRole: ViewerRole): Problem | null =>
  viewerRole === 'manager' || viewerRole === 'staff' || (viewerRole === 'owner' && to === 'cancelled')
    ? null
    : problem('forbidden');

type StatusChange = { to: OrderStatus; viewerRole: ViewerRole; now: Date };

/** Changes the status of an order and of the items that must change with it. */
export function changeOrderStatus(order: Order, { to, viewerRole, now }: StatusChange): ChangedOrder {
  const refusal = refuseByRole(to, viewerRole);
  if (refusal) return refusal;
  if (order.status === to) return order;
  const allowedFor = (viewer: ViewerRole) => transitionsOfOrder(movable(order, now), viewer);
  const transition = allowedFor(viewerRole).find((each) => each.to === to);
  if (!transition) return refuseTransition(to, { viewerRole, allowedFor });
  const items = order.items.map((item) => (followsOrder(item, order, transition) ? withStatus(item, to, now) : item));
  return withItems(order, items, now);
}

type ItemStatusChange = StatusChange & { itemId: number };

/** Changes one item's status, which only staff may do. The order's status follows from its items' statuses. */
export function changeItemStatus(order: Order, { itemId, to, viewerRole, now }: ItemStatusChange): ChangedOrder {
  const item = order.items.find(({ id }) => id === itemId);
  if (!item) return problem('not_found');
  if (item.status === to) return order;
  const current = {
    status: item.status,
    wasDelivered: item.firstDeliveredAt !== null,
    deliveredAgoMs: deliveredAgoMs(item, now),
  };
  const allowedFor = (viewer: ViewerRole) => transitionsOf(current, viewer);
  if (!allowedFor(viewerRole).some((transition) => transition.to === to))
    return refuseTransition(to, { viewerRole, allowedFor });
  const items = order.items.map((each) =>
    each === item || (to === 'cancelled' && endsWith(each, item)) ? withStatus(each, to, now) : each,
  );
  return withItems(order, items, now);
}

/** Returns true if cancelling the combo also cancels this component. Components that were served stay. */
const endsWith = ({ partOf, status }: OrderItem, combo: OrderItem): boolean =>
  partOf === combo.id && status !== 'delivered' && status !== 'cancelled';
type Part = ItemStatusChange & { quantityLeft: number; newItemId?: number };

/**
 * Cancels all units of an item except `quantityLeft`. The item keeps the others. The cancelled units become a new item at the end.
 * Changes nothing if the item has no more units or is cancelled.
 */
export function cancelUnits(order: Order, { quantityLeft, newItemId = 0, ...change }: Part): ChangedOrder {
  const item = order.items.find(({ id }) => id === change.itemId);
  if (!item) return problem('not_found');
  if (change.to !== 'cancelled') return refuseQuantityLeft('is allowed only with the status cancelled');
  if (item.status === 'cancelled' || item.quantity <= quantityLeft) return order;
  const cancelled = changeItemStatus(splitItem(order, item, { quantityLeft, newItemId }), {
    ...change,
    itemId: newItemId,
  });
  if (cancelled instanceof Problem) return cancelled;
  const tooMuch = whatIsTooMuch(cancelled.items);
  return tooMuch ? refuseQuantityLeft(`would give the order ${tooMuch}`) : cancelled;
}

const refuseQuantityLeft = (detail: string): Problem =>
  problem('unprocessable_content', { errors: [{ pointer: '/quantity_left', detail }] });

type Units = { quantityLeft: number; newItemId: number };
const splitItem = (order: Order, item: OrderItem, { quantityLeft, newItemId }: Units): Order => ({
  ...order,
  items: [
    ...order.items.map((each) => (each === item ? { ...item, quantity: quantityLeft } : each)),
    { ...item, id: newItemId, quantity: item.quantity - quantityLeft, splitFrom: item.id },
  ],
});

type Asked = { viewerRole: ViewerRole; allowedFor: (viewer: ViewerRole) => readonly Transition[] };

/** Returns a 403 for a waiter if a manager may make this change; otherwise a 409. */
const refuseTransition = (to: OrderStatus, { viewerRole, allowedFor }: Asked): Problem =>
  viewerRole === 'staff' && allowedFor('manager').some((transition) => transition.to === to)
    ? problem('forbidden', { detail: 'Only a manager can cancel what was once delivered.' })
    : problem('illegal_transition', { allowed_transitions: allowedFor(viewerRole).map((each) => each.to) });

function followsOrder(item: OrderItem, order: Order, { kind, to }: Transition): boolean {
  if (kind === 'cancel') return isCancelledWith(order, item);
  if (item.status === 'cancelled') return false;
  return kind === 'forward' ? isBefore(item.status, to) : item.status === order.status;
}

const withStatus = (item: OrderItem, to: OrderStatus, now: Date): OrderItem => ({
  ...item,
  status: to,
  deliveredAt: to === 'delivered' ? now : null,
  firstDeliveredAt: item.firstDeliveredAt ?? (to === 'delivered' ? now : null),
  // The write that cancels the item also returns its portions to the dish.
  holdsPortions: item.holdsPortions && !(item.status === 'received' && to === 'cancelled'),
});

function withItems(order: Order, items: readonly OrderItem[], now: Date): Order {
  const status = statusOf(items);
  const deliveredAt = order.status === 'delivered' ? order.deliveredAt : now;
  return { ...nextVersion(order, now), items, status, deliveredAt: status === 'delivered' ? deliveredAt : null };
}

export const nextVersion = (order: Order, now: Date): Order => ({
  ...order,
  version: order.version + 1,
  changedVersion: order.version + 1,
  updatedAt: now,
});

export const changeLocation = (order: Order, { table, seating }: OrderLocation, now: Date): Order =>
  order.table === table && order.seating === seating ? order : { ...nextVersion(order, now), table, seating };

type Seen = { device: string; stations: Stations; now: Date };
/** Stores when and where these stations first showed the order. Later reports by the same stations change nothing. */
const markOrderSeen = (order: Order, { device, stations, now }: Seen): Order =>
  markItems(order, stations, (item) => (item.seenAt ? item : { ...item, seenAt: now, seenOn: device }));

/** Stores when these stations first read the allergies. Changes nothing if the order has no allergies. */
const markOrderAllergiesRead = (order: Order, { stations, now }: Pick<Seen, 'stations' | 'now'>): Order =>
  order.allergies === null
    ? order
    : markItems(order, stations, (item) => (item.allergiesReadAt ? item : { ...item, allergiesReadAt: now }));

/** Marks the items at these stations. This creates a new version of the order, but its `ETag` stays the same. */
function markItems(order: Order, stations: Stations, mark: (item: OrderItem) => OrderItem): Order {
  const marked = new Map(itemsAt(order, stations).map((item) => [item, mark(item)]));
  const items = order.items.map((item) => marked.get(item) ?? item);
  const isSame = items.every((item, index) => item === order.items[index]);
  return isSame ? order : { ...order, version: order.version + 1, items };
}

/** An item that a change has cancelled. `lineId`: the bill's line with its units, which stays if only a part was cancelled. */
export type Cancellation = { item: OrderItem; lineId: number };

/** Returns the items that are cancelled in `after` but not in `before`. Components of combos are no lines of a bill. */
export const cancellationsOf = (before: Order, after: Order): Cancellation[] =>
  after.items.flatMap((item, index) => {
    const earlier = itemBefore(before, item, index);
    const isCancelled = item.status === 'cancelled' && earlier?.status !== 'cancelled';
    return isCancelled && item.partOf === null ? [{ item, lineId: earlier?.id ?? item.id }] : [];
  });

/** Returns the item of `before` that had the units of this item of `after`. New items are at the end. */
export const itemBefore = (before: Order, item: OrderItem, index: number): OrderItem | undefined =>
  before.items[index] ?? before.items.find(({ id }) => id === item.splitFrom);

/** Returns true if a change to an order also changes its bill, because the change cancels an item or moves the order. */
export const concernsBill = (before: Order, after: Order): boolean =>
  before.table !== after.table || before.seating !== after.seating || cancellationsOf(before, after).length > 0;

/** Returns how many portions go back to each dish, by dish id, when `before` becomes `after`. */
export function portionsReturned(before: Order, after: Order): Map<number, number> {
  const returned = new Map<number, number>();
  for (const [index, item] of after.items.entries())
    if (!item.holdsPortions && itemBefore(before, item, index)?.holdsPortions)
      returned.set(item.itemId, (returned.get(item.itemId) ?? 0) + item.quantity);
  return returned;
}
