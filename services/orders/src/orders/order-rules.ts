import type { OrderStatus } from '@comanda/contracts/orders';
import { problem, type Problem } from '@comanda/contracts/problem';
import {
  isBefore,
  transitionsOf,
  transitionsOfOrder,
  statusOf,
  type Transition,
  type ViewerRole,
} from '@comanda/contracts/transitions';
import {
  deliveredAgoMs,
  matchesTag,
  viewerRoleOf,
  type Order,
  type OrderItem,
  type OrderLocation,
  type OrderReader,
} from './order.ts';
import { itemsAt, type Stations } from './order-stations.ts';

/** What somebody asks of an existing order. It can be decided again, for a newer version of the order. */
export type OrderChange =
  | { kind: 'status'; to: OrderStatus; caller: OrderReader; ifMatch: string | undefined }
  | { kind: 'item_status'; itemId: number; to: OrderStatus; ifMatch: string | undefined }
  | { kind: 'location'; to: OrderLocation; ifMatch: string | undefined }
  | { kind: 'seen'; device: string; stations: Stations }
  | { kind: 'allergies_read'; stations: Stations };
/** The order after a change, the same object if there is nothing to change, or the reason for a refusal. */
export type ChangedOrder = Order | Problem;

/** Decides a change for one version of the order. Refuses with 404 if the caller must not learn that the order exists. */
export function decideChange(order: Order, change: OrderChange, now: Date): ChangedOrder {
  if (change.kind === 'seen') return markOrderSeen(order, { ...change, now });
  if (change.kind === 'allergies_read') return markOrderAllergiesRead(order, { ...change, now });
  if (change.kind === 'location') return refuseByTag(order, change) ?? changeLocation(order, change.to, now);
  if (change.kind === 'item_status') return refuseByTag(order, change) ?? changeItemStatus(order, { ...change, now });
  const { to, caller } = change;
  const viewerRole = viewerRoleOf(order, caller);
  if (!viewerRole) return problem('not_found');
  return (
    refuseByRole(to, viewerRole) ?? refuseByTag(order, change) ?? changeOrderStatus(order, { to, viewerRole, now })
  );
}

/** Refuses with 412 if `If-Match` was sent and the order has another tag by now. */
function refuseByTag(order: Order, { ifMatch }: { ifMatch: string | undefined }): Problem | null {
  if (ifMatch === undefined) return null;
  return matchesTag(order, { header: ifMatch, comparison: 'strong' }) ? null : problem('version_mismatch');
}

/** Checked before everything else: customers may only cancel, and only their own order. */
const refuseByRole = (to: OrderStatus, viewerRole: ViewerRole): Problem | null =>
  viewerRole === 'staff' || (viewerRole === 'owner' && to === 'cancelled') ? null : problem('forbidden');

type StatusChange = { to: OrderStatus; viewerRole: ViewerRole; now: Date };

/** Changes the status of the order, and of those items that follow it. */
export function changeOrderStatus(order: Order, { to, viewerRole, now }: StatusChange): ChangedOrder {
  const refusal = refuseByRole(to, viewerRole);
  if (refusal) return refusal;
  if (order.status === to) return order;
  const allowed = transitionsOfOrder({ ...order, deliveredAgoMs: deliveredAgoMs(order, now) }, viewerRole);
  const transition = allowed.find((each) => each.to === to);
  if (!transition) return illegalTransition(allowed);
  const items = order.items.map((item) => (followsOrder(item, order, transition) ? withStatus(item, to, now) : item));
  return withItems(order, items, now);
}

type ItemStatusChange = { itemId: number; to: OrderStatus; now: Date };

/** Changes the status of one item, as staff may; the status of the order follows from its items. */
export function changeItemStatus(order: Order, { itemId, to, now }: ItemStatusChange): ChangedOrder {
  const item = order.items.find(({ id }) => id === itemId);
  if (!item) return problem('not_found');
  if (item.status === to) return order;
  const allowed = transitionsOf({ status: item.status, deliveredAgoMs: deliveredAgoMs(item, now) }, 'staff');
  if (!allowed.some((transition) => transition.to === to)) return illegalTransition(allowed);
  const items = order.items.map((each) => (each === item ? withStatus(item, to, now) : each));
  return withItems(order, items, now);
}

const illegalTransition = (allowed: readonly Transition[]): Problem =>
  problem('illegal_transition', { allowed_transitions: allowed.map(({ to }) => to) });

function followsOrder(item: OrderItem, order: Order, { kind, to }: Transition): boolean {
  if (item.status === 'cancelled') return false;
  if (kind === 'forward') return isBefore(item.status, to);
  return kind === 'back' ? item.status === order.status : item.status !== 'delivered';
}

const withStatus = (item: OrderItem, to: OrderStatus, now: Date): OrderItem => ({
  ...item,
  status: to,
  deliveredAt: to === 'delivered' ? now : null,
  // Portions go back to the dish in the write that cancels the item, and never later.
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

const changeLocation = (order: Order, { table, seating }: OrderLocation, now: Date): Order =>
  order.table === table && order.seating === seating ? order : { ...nextVersion(order, now), table, seating };

type Seen = { device: string; stations: Stations; now: Date };
/** Only the first time of each station counts. */
const markOrderSeen = (order: Order, { device, stations, now }: Seen): Order =>
  markItems(order, stations, (item) => (item.seenAt ? item : { ...item, seenAt: now, seenOn: device }));

/** Each station reads allergies once. An order without allergies stays as it is. */
const markOrderAllergiesRead = (order: Order, { stations, now }: Pick<Seen, 'stations' | 'now'>): Order =>
  order.allergies === null
    ? order
    : markItems(order, stations, (item) => (item.allergiesReadAt ? item : { ...item, allergiesReadAt: now }));

/** It is a new version of the order, but its `ETag` stays. */
function markItems(order: Order, stations: Stations, mark: (item: OrderItem) => OrderItem): Order {
  const marked = new Map(itemsAt(order, stations).map((item) => [item, mark(item)]));
  const items = order.items.map((item) => marked.get(item) ?? item);
  const isSame = items.every((item, index) => item === order.items[index]);
  return isSame ? order : { ...order, version: order.version + 1, items };
}

/** The portions that go back to each dish, by dish id, when `before` becomes `after`. */
export function portionsReturned(before: Order, after: Order): Map<number, number> {
  const returned = new Map<number, number>();
  for (const [index, { itemId, quantity, holdsPortions }] of before.items.entries())
    if (holdsPortions && !after.items[index]?.holdsPortions)
      returned.set(itemId, (returned.get(itemId) ?? 0) + quantity);
  return returned;
}
