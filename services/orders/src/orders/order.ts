import type { Role } from '@comanda/contracts/endpoint';
import type { Order as WireOrder, OrderInEvent, OrderStatus } from '@comanda/contracts/orders';
import { movesOfOrder } from '@comanda/contracts/transitions';
import type { ViewerRole } from '@comanda/contracts/transitions';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { fromMinor } from '../money.ts';

export type OrderItem = {
  id: number;
  /** The dish. */
  itemId: number;
  name: string;
  quantity: number;
  remarks: string;
  unitPriceMinor: number;
  station: string;
  status: OrderStatus;
  /** Its portions are reserved, and go back to the dish if it is cancelled while it is received. */
  holdsPortions: boolean;
  deliveredAt: Date | null;
};
export type Place = { table: string | null; seating: number | null };
export type Order = Place & {
  id: number;
  ticket: number;
  ownerId: number;
  ownerName: string;
  status: OrderStatus;
  /** One higher with each write. */
  version: number;
  /** The version of the last write that was more than "seen": what the `ETag` is made of. */
  changedVersion: number;
  allergies: string | null;
  seenAt: Date | null;
  items: readonly OrderItem[];
  currency: string;
  /** Where it was placed, wherever it was moved to since. */
  placedAt: Place;
  deliveredAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export type Actor = { id: number; role: Role };
/** What somebody did to an order; `from` null: it was placed. */
export type HistoryEntry = {
  at: Date;
  actor: Actor;
  what: 'status' | 'table';
  from: string | null;
  to: string;
  /** The item, where it was one item that moved. */
  item_id?: number;
  reason?: string;
  version: number;
};

/** What a caller is to an order; null: not to know that it exists. Staff, its owner and the same seating may see it. */
export function viewerRoleOf(order: Pick<Order, 'ownerId' | 'seating'>, caller: Caller): ViewerRole | null {
  if (caller.role !== 'customer') return 'staff';
  if (order.ownerId === caller.userId) return 'owner';
  return caller.seating !== undefined && caller.seating === order.seating ? 'other' : null;
}

/** Minor units; items that were cancelled do not count. */
const totalMinor = ({ items }: Pick<Order, 'items'>): number =>
  items.reduce(
    (sum, { status, quantity, unitPriceMinor }) => sum + (status === 'cancelled' ? 0 : quantity * unitPriceMinor),
    0,
  );

/** A tag for `ETag` and `If-Match` that minds neither who reads nor who has seen it. */
export const tagOf = (order: Pick<Order, 'id' | 'changedVersion'>): string => `"${order.id}-${order.changedVersion}"`;

/**
 * Whether `If-Match` (strong comparison) or `If-None-Match` (weak) names the order as it is [RFC 9110, 8.8.3.2].
 * False where the header was not sent.
 */
export function isNamedBy(
  header: string | undefined,
  order: Pick<Order, 'id' | 'changedVersion'>,
  comparison: 'strong' | 'weak',
): boolean {
  if (header === undefined) return false;
  const tags = new Set(header.split(',').map((tag) => tag.trim()));
  const known = tagOf(order);
  return tags.has('*') || tags.has(known) || (comparison === 'weak' && tags.has(`W/${known}`));
}

/** The order as it was placed, for the answer to a repeated call. */
export const asPlaced = (order: Order): Order => ({
  ...order,
  ...order.placedAt,
  status: 'received',
  version: 1,
  changedVersion: 1,
  seenAt: null,
  deliveredAt: null,
  updatedAt: order.createdAt,
  items: order.items.map((item) => ({ ...item, status: 'received', deliveredAt: null })),
});

/** As every event carries it. */
export const toEventOrder = (order: Order): OrderInEvent => ({
  id: order.id,
  ticket: order.ticket,
  table: order.table,
  seating: order.seating,
  status: order.status,
  version: order.version,
  allergies: order.allergies,
  seen_at: order.seenAt?.toISOString() ?? null,
  items: order.items.map((item) => ({
    id: item.id,
    item_id: item.itemId,
    name: item.name,
    quantity: item.quantity,
    remarks: item.remarks,
    unit_price: fromMinor(item.unitPriceMinor),
    station: item.station,
    status: item.status,
  })),
  total: fromMinor(totalMinor(order)),
  currency: order.currency,
  placed_by: { id: order.ownerId, name: order.ownerName },
  created_at: order.createdAt.toISOString(),
  updated_at: order.updatedAt.toISOString(),
});

/** Milliseconds since it was delivered. */
export const deliveredAgoMs = ({ deliveredAt }: { deliveredAt: Date | null }, now: Date): number =>
  deliveredAt ? now.getTime() - deliveredAt.getTime() : Infinity;

/** As `viewerRole` reads it. */
export const toWireOrder = (order: Order, { viewerRole, now }: { viewerRole: ViewerRole; now: Date }): WireOrder => ({
  ...toEventOrder(order),
  allowed_transitions: movesOfOrder({ ...order, deliveredAgoMs: deliveredAgoMs(order, now) }, viewerRole).map(
    ({ to }) => to,
  ),
});
