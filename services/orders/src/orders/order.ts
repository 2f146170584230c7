import type { OrderStatus } from '@comanda/contracts/order';
import type { Translations } from '@comanda/contracts/translations';
import type { ViewerRole } from '@comanda/contracts/transitions';
import { opaqueTag, tagsIn } from '@comanda/shared/http/entity-tag';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Actor } from '../actor.ts';

export type OrderItem = {
  id: number;
  /** Id of the dish. */
  itemId: number;
  name: string;
  nameTranslations: Translations;
  quantity: number;
  remarks: string;
  unitPriceMinor: number;
  station: string;
  status: OrderStatus;
  /** Its portions were taken from the dish. They go back if the item is cancelled while it is `received`. */
  holdsPortions: boolean;
  deliveredAt: Date | null;
  /** When a screen of its station first showed the order. */
  seenAt: Date | null;
  /** Which screen; null also if an earlier release has marked it. */
  seenOn: string | null;
  /** When somebody at its station said that the allergies were read. */
  allergiesReadAt: Date | null;
  /** Of the first delivery, also if it went back since: then only a manager cancels it. */
  firstDeliveredAt: Date | null;
};
/** What a station's screens have shown, and what was read there. */
export type Marks = Pick<OrderItem, 'seenAt' | 'seenOn' | 'allergiesReadAt'>;
export const unmarked: Marks = { seenAt: null, seenOn: null, allergiesReadAt: null };

/** A new order's event, which waits for the broker in the outbox of the order `carrierId`. Both were placed in one batch. */
export type CarriedEvent = { id: string; carrierId: number };

export type OrderLocation = { table: string | null; seating: number | null };
export type Order = OrderLocation & {
  id: number;
  ticket: number;
  ownerId: number;
  ownerName: string;
  placedByStaff: boolean;
  /** Null in orders of the first release, which have no bill. */
  billId: number | null;
  status: OrderStatus;
  /** Grows by 1 with each write. */
  version: number;
  /** The version of the last write that changed more than what stations have seen and read. The `ETag` is made of it. */
  changedVersion: number;
  allergies: string | null;
  items: readonly OrderItem[];
  currency: string;
  /** Its `order.created`, if another order carried it. Null if it was stored with this order. */
  carriedEvent: CarriedEvent | null;
  /** Where the order was placed. Staff may have moved it since. */
  originalLocation: OrderLocation & { billId: number | null };
  deliveredAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** An item or order with one of these is still to be served. */
export const openStatuses: readonly OrderStatus[] = ['received', 'preparing', 'ready'];

/** The order that a request with an idempotency key has placed. */
export type PlacedRequest = { request: IdempotentRequest; order: Order };

/** One change of an order. `from` is null when the order was placed. */
export type HistoryEntry = {
  at: Date;
  actor: Actor;
  what: 'status' | 'table';
  from: string | null;
  to: string;
  /** Set if one item changed its status. */
  item_id?: number;
  reason?: string;
  version: number;
};

export type OrderReader = Pick<Caller, 'userId' | 'role' | 'seating'>;

/**
 * How the caller is related to an order. Staff, the owner and guests of the same seating may see it; null means that the
 * caller must not learn that it exists.
 */
export function viewerRoleOf(order: Pick<Order, 'ownerId' | 'seating'>, caller: OrderReader): ViewerRole | null {
  if (caller.role !== 'customer') return caller.role === 'manager' ? 'manager' : 'staff';
  if (order.ownerId === caller.userId) return 'owner';
  return caller.seating !== undefined && caller.seating === order.seating ? 'other' : null;
}

/** The `ETag` of an order. It is the same for every reader, and does not change when the order is seen or its allergies are read. */
export const tagOf = (order: Pick<Order, 'id' | 'changedVersion'>): string => `"${order.id}-${order.changedVersion}"`;

type TagHeader = { header: string | undefined; comparison: 'strong' | 'weak' };

/**
 * Returns true if `If-Match` (strong comparison) or `If-None-Match` (weak) contains the order's tag [RFC 9110, 8.8.3.2]. False if
 * the header was not sent.
 */
export function matchesTag(order: Pick<Order, 'id' | 'changedVersion' | 'version'>, sent: TagHeader): boolean {
  const { header, comparison } = sent;
  return tagsIn(header).some((tag) => tag === '*' || isTagOf(order, comparison === 'weak' ? opaqueTag(tag) : tag));
}

/**
 * Returns true for the tag of any version with the same content: in the others, the order was only seen or its allergies read. So
 * an order from an event or a list makes a tag too.
 */
function isTagOf(
  { id, changedVersion, version }: Pick<Order, 'id' | 'changedVersion' | 'version'>,
  tag: string,
): boolean {
  const [, tagId, tagVersion] = /^"(\d+)-(\d+)"$/.exec(tag) ?? [];
  return Number(tagId) === id && Number(tagVersion) >= changedVersion && Number(tagVersion) <= version;
}

/** Returns the order as it was placed, for the response to a repeated request. */
export const asPlaced = (order: Order): Order => ({
  ...order,
  ...order.originalLocation,
  status: 'received',
  version: 1,
  changedVersion: 1,
  deliveredAt: null,
  updatedAt: order.createdAt,
  items: order.items.map((item) => ({
    ...item,
    ...unmarked,
    status: 'received',
    deliveredAt: null,
    firstDeliveredAt: null,
  })),
});

/** What an item was called in other languages, for the answers; nothing if it was not written in any. */
export const translatedNameOf = ({ nameTranslations }: Pick<OrderItem, 'nameTranslations'>) =>
  Object.keys(nameTranslations).length > 0 && { name_translations: nameTranslations };

/** Milliseconds since delivery; Infinity if not delivered. */
export const deliveredAgoMs = ({ deliveredAt }: { deliveredAt: Date | null }, now: Date): number =>
  deliveredAt ? now.getTime() - deliveredAt.getTime() : Infinity;

/** The order as the table of transitions reads it. */
export const movable = (order: Order, now: Date) => ({
  status: order.status,
  deliveredAgoMs: deliveredAgoMs(order, now),
  items: order.items.map(({ status, firstDeliveredAt }) => ({ status, wasDelivered: firstDeliveredAt !== null })),
});
