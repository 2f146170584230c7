import type { OrderStatus } from './orders.ts';

/** Who asks: staff, the customer who placed the order, or somebody else who may see it. */
export type ViewerRole = 'staff' | 'owner' | 'other';
type Kind = 'forward' | 'back' | 'cancel';
export type Move = {
  to: OrderStatus;
  kind: Kind;
  who: readonly ViewerRole[];
  /** Only so long after the status was reached. */
  withinMs?: number;
};

const staff: readonly ViewerRole[] = ['staff'];

/** The whole truth about what may follow what, for orders and for each of their items. Items are staff's alone. */
export const moves: Readonly<Record<OrderStatus, readonly Move[]>> = {
  received: [
    { to: 'preparing', kind: 'forward', who: staff },
    { to: 'cancelled', kind: 'cancel', who: ['staff', 'owner'] },
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
  delivered: [{ to: 'ready', kind: 'back', who: staff, withinMs: 15 * 60 * 1000 }],
  cancelled: [],
};

const rank: Readonly<Record<OrderStatus, number>> = { received: 0, preparing: 1, ready: 2, delivered: 3, cancelled: 4 };

/** Whether `status` lies before `other` on the way from received to delivered. */
export const isBefore = (status: OrderStatus, other: OrderStatus): boolean => rank[status] < rank[other];

type One = {
  status: OrderStatus;
  /** Milliseconds since it was delivered; only looked at where it is. */
  deliveredAgoMs: number;
};

/** The moves that one item, or an order without regard to its items, may make next. */
export const movesOf = ({ status, deliveredAgoMs }: One, viewerRole: ViewerRole): readonly Move[] =>
  moves[status].filter(
    ({ who, withinMs }) => who.includes(viewerRole) && (withinMs === undefined || deliveredAgoMs <= withinMs),
  );

/** The moves that an order may make next: not back while one of its items stands further on. */
export const movesOfOrder = (
  order: One & { items: readonly { status: OrderStatus }[] },
  viewerRole: ViewerRole,
): readonly Move[] => {
  const furtherOn = order.items.some(({ status }) => status !== 'cancelled' && isBefore(order.status, status));
  return movesOf(order, viewerRole).filter(({ kind }) => kind !== 'back' || !furtherOn);
};

/** What an order's status is by its items' [those that are cancelled do not count]. */
export function statusOf(items: readonly { status: OrderStatus }[]): OrderStatus {
  const left = items.filter(({ status }) => status !== 'cancelled');
  const all = (...these: OrderStatus[]): boolean => left.every(({ status }) => these.includes(status));
  if (left.length === 0) return 'cancelled';
  if (all('delivered')) return 'delivered';
  if (all('ready', 'delivered')) return 'ready';
  return all('received') ? 'received' : 'preparing';
}
