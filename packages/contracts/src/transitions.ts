import type { OrderStatus } from './order.ts';
import { undoDeliveryMinutes } from './rules.ts';

/** A user's relation to an order: a manager, other staff, the customer who placed it, or another user who may see it. */
export type ViewerRole = 'manager' | 'staff' | 'owner' | 'other';
type Kind = 'forward' | 'back' | 'cancel';
export type Transition = {
  to: OrderStatus;
  kind: Kind;
  who: readonly ViewerRole[];
  /** How long the transition is allowed after the status was reached, in milliseconds; without a limit if absent. */
  withinMs?: number;
};

const manager: readonly ViewerRole[] = ['manager'];
const staff: readonly ViewerRole[] = ['staff', ...manager];

/** The allowed transitions from each status, for orders and for their items. Only staff may change single items. */
export const transitions: Readonly<Record<OrderStatus, readonly Transition[]>> = {
  received: [
    { to: 'preparing', kind: 'forward', who: staff },
    { to: 'cancelled', kind: 'cancel', who: [...staff, 'owner'] },
  ],
  preparing: [
    { to: 'ready', kind: 'forward', who: staff },
    { to: 'received', kind: 'back', who: staff },
    { to: 'cancelled', kind: 'cancel', who: staff },
  ],
  ready: [
    { to: 'delivered', kind: 'forward', who: staff },
    { to: 'preparing', kind: 'back', who: staff },
    { to: 'cancelled', kind: 'cancel', who: staff },
  ],
  delivered: [
    { to: 'ready', kind: 'back', who: staff, withinMs: undoDeliveryMinutes * 60_000 },
    { to: 'cancelled', kind: 'cancel', who: manager },
  ],
  cancelled: [],
};

const rank: Readonly<Record<OrderStatus, number>> = { received: 0, preparing: 1, ready: 2, delivered: 3, cancelled: 4 };

/** Returns true if an order reaches `status` before `other` on its way from received to delivered. */
export const isBefore = (status: OrderStatus, other: OrderStatus): boolean => rank[status] < rank[other];

type Item = {
  status: OrderStatus;
  /** True if the item was ever delivered, even if its status has changed back since. */
  wasDelivered: boolean;
};
type Current = Item & {
  /** Milliseconds since the delivery; ignored unless the status is `delivered`. */
  deliveredAgoMs: number;
};

/** Returns the transitions that are allowed for one item, or for an order if its items are not considered. */
export const transitionsOf = (
  { status, wasDelivered, deliveredAgoMs }: Current,
  viewerRole: ViewerRole,
): readonly Transition[] =>
  transitions[status].filter(
    ({ kind, who, withinMs }) =>
      who.includes(viewerRole) &&
      (withinMs === undefined || deliveredAgoMs <= withinMs) &&
      (kind !== 'cancel' || !wasDelivered || manager.includes(viewerRole)),
  );

/**
 * Returns true if cancelling the order also cancels this item. Delivered items stay delivered, unless the whole order is
 * delivered.
 */
export const isCancelledWith = (order: { status: OrderStatus }, { status }: Pick<Item, 'status'>): boolean =>
  status !== 'cancelled' && (status !== 'delivered' || order.status === 'delivered');

/**
 * Returns the transitions that are allowed for an order. Its status may not go back while one of its items has a later status.
 */
export const transitionsOfOrder = (
  order: Omit<Current, 'wasDelivered'> & { items: readonly Item[] },
  viewerRole: ViewerRole,
): readonly Transition[] => {
  const wasDelivered = order.items.some((item) => item.wasDelivered && isCancelledWith(order, item));
  const furtherOn = order.items.some(({ status }) => status !== 'cancelled' && isBefore(order.status, status));
  return transitionsOf({ ...order, wasDelivered }, viewerRole).filter(({ kind }) => kind !== 'back' || !furtherOn);
};

/** Derives an order's status from its items. Cancelled items do not count. */
export function statusOf(items: readonly { status: OrderStatus }[]): OrderStatus {
  const left = items.filter(({ status }) => status !== 'cancelled');
  const all = (...these: OrderStatus[]): boolean => left.every(({ status }) => these.includes(status));
  if (left.length === 0) return 'cancelled';
  if (all('delivered')) return 'delivered';
  if (all('ready', 'delivered')) return 'ready';
  return all('received') ? 'received' : 'preparing';
}
