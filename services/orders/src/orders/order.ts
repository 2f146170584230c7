import type { ItemOption } from '@comanda/contracts/item-options';
import type { OrderStatus } from '@comanda/contracts/order';
import type { Translations } from '@comanda/contracts/translations';
import type { ViewerRole } from '@comanda/contracts/transitions';
import { opaqueTag, tagsIn } from '@comanda/shared/http/entity-tag';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Actor } from '../actor.ts';
import { fromMinor } from '../money.ts';

export type OrderItem = {
  id: number;
  /** The dish's id. */
  itemId: number;
  name: string;
  nameTranslations: Translations;
  quantity: number;
  remarks: string;
  unitPriceMinor: number;
  /** The chosen options, copied from the menu, nested as ordered. */
  options: readonly ItemOption[];
  /** The dish's name for the kitchen; null if the kitchen reads `name`. */
  kitchenName: string | null;
  /** The id of the combo's item; null if the item is no component. */
  partOf: number | null;
  /** The weight in kg with three decimal places, and the price for a kg; null unless the dish is priced by the kilogram. */
  measure: { value: string; priceMinor: number } | null;
  station: string;
  status: OrderStatus;
  /** True if the item's portions were taken from the dish. They go back if the item is cancelled while it is `received`. */
  holdsPortions: boolean;
  deliveredAt: Date | null;
  /** When a screen at the item's station first showed the order; null before that. */
  seenAt: Date | null;
  /** The screen that first showed the order. Null before that, or if an earlier release stored the time. */
  seenOn: string | null;
  /** When staff at the item's station confirmed that they read the allergies; null before that. */
  allergiesReadAt: Date | null;
  /**
   * When the item was first delivered, even if it was set back later; null before that. Only a manager can cancel such an item.
   */
  firstDeliveredAt: Date | null;
  /** The item to which these units belonged until staff cancelled or moved them as a part of it; null if there is none. */
  splitFrom: number | null;
  /**
   * The item that this one replaces free of charge, and why; null if there is none. `unitPriceMinor`: the price of the item that
   * the guest ordered, even if `of` is a remake too.
   */
  remake: { of: number; reason: string; unitPriceMinor: number } | null;
};
/** Marks by a station: when and on which screen it showed the order, and when it read the allergies. */
export type Marks = Pick<OrderItem, 'seenAt' | 'seenOn' | 'allergiesReadAt'>;
export const unmarked: Marks = { seenAt: null, seenOn: null, allergiesReadAt: null };

/** The `order.created` event `id`, which was stored in the outbox of the order `carrierId`. One batch placed both orders. */
export type CarriedEvent = { id: string; carrierId: number };

export type OrderLocation = { table: string | null; seating: number | null };
export type Order = OrderLocation & {
  id: number;
  ticket: number;
  ownerId: number;
  ownerName: string;
  placedByStaff: boolean;
  /** Null in orders from the first release, which have no bill. */
  billId: number | null;
  /** The order from which these items were moved; null if there is none. */
  splitFrom: number | null;
  status: OrderStatus;
  /** Grows by 1 with each write. */
  version: number;
  /**
   * The version after the last write that did more than mark the order as seen or its allergies as read. The `ETag` contains it.
   */
  changedVersion: number;
  allergies: string | null;
  items: readonly OrderItem[];
  currency: string;
  /**
   * The order's `order.created` event, if it was stored in another order's outbox. Null if it was stored in this order's outbox.
   */
  carriedEvent: CarriedEvent | null;
  /** Where the order was placed. Staff may have moved the order since. */
  originalLocation: OrderLocation & { billId: number | null };
  /** The requests with an idempotency key that moved the whole order, or found it there already. */
  moveRequests: readonly IdempotentRequest[];
  deliveredAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The statuses of orders and items that have not been delivered or cancelled. */
export const openStatuses: readonly OrderStatus[] = ['received', 'preparing', 'ready'];

/** A request with an idempotency key, and the order that it placed or moved. */
export type PlacedRequest = { request: IdempotentRequest; order: Order };

/** One change in an order's history. `from` is null in the first entry, when the order was placed. */
export type HistoryEntry = {
  at: Date;
  actor: Actor;
  what: 'status' | 'table';
  from: string | null;
  to: string;
  /** Set if the entry is about one item. */
  item_id?: number;
  reason?: string;
  version: number;
};

export type OrderReader = Pick<Caller, 'userId' | 'role' | 'seating'>;

/**
 * Returns how the caller is related to the order. Staff, the owner, and guests at the same seating may see it. Returns null for
 * all other callers, who must not learn that the order exists.
 */
export function viewerRoleOf(order: Pick<Order, 'ownerId' | 'seating'>, caller: OrderReader): ViewerRole | null {
  if (caller.role !== 'customer') return caller.role === 'manager' ? 'manager' : 'staff';
  if (order.ownerId === caller.userId) return 'owner';
  return caller.seating !== undefined && caller.seating === order.seating ? 'other' : null;
}

/**
 * Returns the order's `ETag`. It is the same for every reader, and stays the same when the order is seen or its allergies are
 * read.
 */
export const tagOf = (order: Pick<Order, 'id' | 'changedVersion'>): string => `"${order.id}-${order.changedVersion}"`;

type TagHeader = { header: string | undefined; comparison: 'strong' | 'weak' };

/**
 * Returns true if the header contains the order's tag [RFC 9110, 8.8.3.2]. Use the strong comparison for `If-Match` and the weak
 * one for `If-None-Match`. Returns false if the header was not sent.
 */
export function matchesTag(order: Pick<Order, 'id' | 'changedVersion' | 'version'>, sent: TagHeader): boolean {
  const { header, comparison } = sent;
  return tagsIn(header).some((tag) => tag === '*' || isTagOf(order, comparison === 'weak' ? opaqueTag(tag) : tag));
}

/**
 * Returns true if the tag is for any version since the last real change. Later versions only marked the order as seen or its
 * allergies as read. So clients can also build a valid tag from the version of an order in a list or an event.
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
  items: placedItems(order).map((item) => ({
    ...item,
    ...unmarked,
    status: 'received',
    deliveredAt: null,
    firstDeliveredAt: null,
    splitFrom: null,
  })),
});

/**
 * Returns the items, in their first order, with the units that were cancelled as a part of them. Units that moved to another order
 * are missing.
 */
function placedItems({ items }: Order): OrderItem[] {
  const placed = new Map<number, OrderItem>();
  for (const item of items) {
    const id = item.splitFrom ?? item.id;
    placed.set(id, { ...item, id, quantity: item.quantity + (placed.get(id)?.quantity ?? 0) });
  }
  // If the rest of an item has moved, only its cancelled part, at the end, is left.
  return [...placed.values()].toSorted((one, other) => one.id - other.id);
}

/** Returns an item's names in other languages for the response; false if it has none. */
export const translatedNameOf = ({ nameTranslations }: Pick<OrderItem, 'nameTranslations'>) =>
  Object.keys(nameTranslations).length > 0 && { name_translations: nameTranslations };

/** Returns an item's weight for the response. */
export const measureOf = ({ measure }: Pick<OrderItem, 'measure'>) => ({
  measure: measure && { value: measure.value, unit: 'kg' as const, price: fromMinor(measure.priceMinor) },
});

/** Returns true if the item is a line of its order's bill. A component is part of its combo's price. */
export const isCharged = ({ status, partOf }: Pick<OrderItem, 'status' | 'partOf'>): boolean =>
  status !== 'cancelled' && partOf === null;

/** Returns the milliseconds since delivery; Infinity if the order or item isn't delivered. */
export const deliveredAgoMs = ({ deliveredAt }: { deliveredAt: Date | null }, now: Date): number =>
  deliveredAt ? now.getTime() - deliveredAt.getTime() : Infinity;

/** Returns the facts about the order that decide which status changes are allowed. */
export const movable = (order: Order, now: Date) => ({
  status: order.status,
  deliveredAgoMs: deliveredAgoMs(order, now),
  items: order.items.map(({ status, firstDeliveredAt }) => ({ status, wasDelivered: firstDeliveredAt !== null })),
});
