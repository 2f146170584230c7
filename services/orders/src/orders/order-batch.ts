import type { Role } from '@comanda/contracts/endpoint';
import { problem, Problem } from '@comanda/contracts/problem';
import { maxOpenItemsPerSeating } from '@comanda/contracts/rules';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { dishChanged, nameKey } from '../menu/menu-item.ts';
import type { Dish } from '../menu/menu-item.ts';
import type { DishWrite } from '../menu/menu-store.ts';
import type { Counters } from '../restaurant/counters.ts';
import { isPaused, orderingPaused } from '../restaurant/ordering-pause.ts';
import type { OrderingPause } from '../restaurant/ordering-pause.ts';
import type { OrderChange } from './order-change.ts';
import { recordOrderCreated } from './order-events.ts';
import { portionsReturned } from './order-rules.ts';
import type { NewOrder, OrderWrite } from './order-store.ts';
import { asPlaced } from './order.ts';
import type { Order, OrderItem, OrderLocation, PlacedRequest } from './order.ts';

/** One line of an order to place. `dish` is the id or the name of the dish. */
export type Line = { dish: number | string; quantity: number; remarks: string };
/** An order to place. */
export type Placement = {
  placedBy: { id: number; name: string; role: Role };
  location: OrderLocation;
  lines: readonly Line[];
  allergies: string | null;
  /** Null if the request has no idempotency key. */
  request: IdempotentRequest | null;
  traceparent: string;
};
/** A change, and the version of the order from which its dishes were derived. */
export type VersionedChange = { change: OrderChange; version: number };
/** An order as it was written, or as an earlier request with the same idempotency key wrote it. */
export type WrittenOrder = { order: Order; replayed: boolean };

/**
 * What one batch works with. Each accepted placement or change is entered here by `applyPlacement` or `applyChange`, so
 * that the next one sees what is left.
 */
export type BatchState = {
  readonly now: Date;
  readonly currency: string;
  readonly pause: OrderingPause;
  readonly dishes: { byId: ReadonlyMap<number, Dish>; byName: ReadonlyMap<string, Dish> };
  /** The last numbers in use. */
  counters: Counters;
  /** Portions left of each dish, by its id; null is no limit. */
  readonly portions: Map<number, number | null>;
  /** Number of open items at each seating. */
  readonly openItems: Map<number, number>;
  /** Requests that have placed an order already, by idempotency key. */
  readonly requests: Map<string, PlacedRequest>;
  /** The orders to be changed, by id. */
  readonly orders: Map<number, Order>;
  /** What is to be written. */
  readonly placed: NewOrder[];
  readonly changed: OrderWrite[];
};

/**
 * Accepts or refuses a whole order. Enters it in `state` if it is accepted: it gets its numbers and the prices of the
 * menu, and takes its portions. A refusal leaves `state` as it is.
 */
export function applyPlacement(state: BatchState, placement: Placement): Outcome<WrittenOrder> {
  const { request, placedBy, traceparent } = placement;
  const earlier = request && state.requests.get(request.key);
  if (earlier) return replay(earlier, request);

  if (placedBy.role === 'customer' && isPaused(state.pause, state.now))
    return { error: orderingPaused(state.pause, state.now) };
  const items = findDishes(state, placement);
  if (items instanceof Problem) return { error: items };
  const refusal = refuseUnavailable(state, items) ?? refuseFullSeating(state, placement);
  if (refusal) return { error: refusal };

  const order = newOrder(state, placement, items);
  takePortions(state, items);
  addOpenItems(state, order);
  countNumbers(state, order);
  if (request) state.requests.set(request.key, { request, order });
  const { id, name, role } = placedBy;
  const actor = { id, name, role };
  state.placed.push({ order, request, ...recordOrderCreated(order, { actor, traceparent }) });
  return { value: { order, replayed: false } };
}

/**
 * Applies or refuses a change of `version` of an order. Enters it in `state` if it changes something, and gives its
 * portions back. If the order has another version by now, other dishes may get portions back, so the error is a
 * `WriteConflict`.
 */
export function applyChange(state: BatchState, { change, version }: VersionedChange): Outcome<WrittenOrder> {
  const before = state.orders.get(change.id);
  if (before?.version !== version) return { error: new WriteConflict() };
  const after = change.apply(before, state.now);
  if (!after) return { error: problem('not_found') };
  if (after instanceof Problem) return { error: after };
  if (after !== before) {
    returnPortions(state, portionsReturned(before, after));
    state.orders.set(after.id, after);
    state.changed.push({ before, order: after, ...change.record(before, after, change.context) });
  }
  return { value: { order: after, replayed: false } };
}

export const hasWrites = ({ placed, changed }: BatchState): boolean => placed.length > 0 || changed.length > 0;

/** One write for each dish whose portions this batch has taken or given back. */
export function dishWrites({ dishes, portions, now }: BatchState, traceparent: string): DishWrite[] {
  return [...dishes.byId.values()].flatMap((before) => {
    const portionsLeft = portions.get(before.id) ?? null;
    if (portionsLeft === before.portionsLeft) return [];
    const dish: Dish = { ...before, portionsLeft, version: before.version + 1 };
    return [{ dish, message: dishChanged(dish, { at: now, traceparent }) }];
  });
}

/** An idempotency key belongs to one request: the same request gets its first answer, any other is refused. */
const replay = (earlier: PlacedRequest, request: IdempotentRequest): Outcome<WrittenOrder> =>
  earlier.request.fingerprint === request.fingerprint
    ? { value: { order: asPlaced(earlier.order), replayed: true } }
    : { error: problem('idempotency_key_reused') };

type OrderedItem = { line: Line; dish: Dish };

/** The lines with their dishes, or a problem that lists every line whose dish is not on the menu. */
function findDishes({ dishes }: BatchState, { lines }: Placement): OrderedItem[] | Problem {
  const unknown: { index: number; item_id?: number; name?: string }[] = [];
  const items: OrderedItem[] = [];
  for (const [index, line] of lines.entries()) {
    const dish = typeof line.dish === 'number' ? dishes.byId.get(line.dish) : dishes.byName.get(nameKey(line.dish));
    if (dish) items.push({ line, dish });
    else unknown.push({ index, ...(typeof line.dish === 'number' ? { item_id: line.dish } : { name: line.dish }) });
  }
  return unknown.length === 0 ? items : problem('menu_item_unknown', { items: unknown });
}

function quantityByDish(items: readonly OrderedItem[]): Map<Dish, number> {
  const quantities = new Map<Dish, number>();
  for (const { line, dish } of items) quantities.set(dish, (quantities.get(dish) ?? 0) + line.quantity);
  return quantities;
}

function refuseUnavailable({ portions }: BatchState, ordered: readonly OrderedItem[]): Problem | null {
  const items = [...quantityByDish(ordered)].flatMap(([dish, quantity]) => {
    const left = portions.get(dish.id) ?? null;
    if (dish.available && (left === null || left >= quantity)) return [];
    return [{ item_id: dish.id, name: dish.name, portions_left: dish.available ? left : 0 }];
  });
  return items.length === 0 ? null : problem('menu_item_unavailable', { items });
}

function refuseFullSeating({ openItems }: BatchState, { location: { seating }, lines }: Placement): Problem | null {
  if (seating === null || (openItems.get(seating) ?? 0) + lines.length <= maxOpenItemsPerSeating) return null;
  return problem('seating_full', {}, { 'Retry-After': '60' });
}

function newOrder({ counters, now, currency }: BatchState, placement: Placement, ordered: OrderedItem[]): Order {
  const { placedBy, location, allergies } = placement;
  const items = ordered.map(({ line, dish }, index): OrderItem => ({
    id: counters.itemId + 1 + index,
    itemId: dish.id,
    name: dish.name,
    quantity: line.quantity,
    remarks: line.remarks,
    unitPriceMinor: dish.priceMinor,
    station: dish.station,
    status: 'received',
    holdsPortions: dish.portionsLeft !== null,
    deliveredAt: null,
  }));
  return {
    id: counters.orderId + 1,
    ticket: counters.ticket + 1,
    ownerId: placedBy.id,
    ownerName: placedBy.name,
    ...location,
    originalLocation: location,
    status: 'received',
    version: 1,
    changedVersion: 1,
    allergies,
    seenAt: null,
    items,
    currency,
    deliveredAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

function takePortions({ portions }: BatchState, items: readonly OrderedItem[]): void {
  for (const [dish, quantity] of quantityByDish(items)) {
    const left = portions.get(dish.id) ?? null;
    if (left !== null) portions.set(dish.id, left - quantity);
  }
}

/** Nothing goes back to a dish that has no limit any more or was deleted. */
function returnPortions({ portions }: BatchState, returned: ReadonlyMap<number, number>): void {
  for (const [dishId, quantity] of returned) {
    const left = portions.get(dishId) ?? null;
    if (left !== null) portions.set(dishId, left + quantity);
  }
}

function addOpenItems({ openItems }: BatchState, { seating, items }: Order): void {
  if (seating !== null) openItems.set(seating, (openItems.get(seating) ?? 0) + items.length);
}

function countNumbers(state: BatchState, { id, ticket, items }: Order): void {
  state.counters = { ...state.counters, orderId: id, itemId: state.counters.itemId + items.length, ticket };
}
