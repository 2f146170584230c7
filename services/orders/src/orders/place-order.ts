import type { Role } from '@comanda/contracts/endpoint';
import type { placeOrder as contract } from '@comanda/contracts/orders';
import { problem, Problem } from '@comanda/contracts/problem';
import { maxOpenItemsPerSeating } from '@comanda/contracts/rules';
import { textKey } from '@comanda/contracts/text-key';
import type { Call } from '@comanda/shared/http/api';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { enterOnBill } from '../batch/bill-of-order.ts';
import type { Dish } from '../menu/menu-item.ts';
import { isPaused, orderingPaused } from '../restaurant/ordering-pause.ts';
import { isClosed, whereJoined } from '../seatings/ended-seating-store.ts';
import type { BatchState, WrittenOrder } from '../batch/batch-state.ts';
import { addToHoldings, refuseOverLimits, type CustomerOrders } from '../batch/customer-limits.ts';
import { recordOrderCreated } from './order-events.ts';
import { unmarked } from './order-stations.ts';
import { asPlaced, type Order, type OrderItem, type OrderLocation, type PlacedRequest } from './order.ts';

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
export type PlaceOrderDeps = {
  customerOrders: CustomerOrders;
  writer: {
    /**
     * Returns the order once it and its event are committed to a majority of the database's members.
     * @throws the refusal of the placement, 422 `idempotency_key_reused`, 409 `request_in_progress` if another instance
     * has written the order of this idempotency key and no majority has confirmed it yet, 503 `service_unavailable`
     */
    place: (placement: Placement) => Promise<WrittenOrder>;
  };
};
type PlaceOrderCall = Call<typeof contract>;

/** `POST /orders`: places a whole order, or refuses it with a problem and stores nothing. */
export async function placeOrder(deps: PlaceOrderDeps, call: PlaceOrderCall): Promise<WrittenOrder> {
  const { caller, body, context } = call;
  if (deps.customerOrders === 'seated' && caller.role === 'customer' && caller.seating === undefined)
    throw problem('table_code_required');
  const placement: Placement = {
    placedBy: { id: caller.userId, name: caller.name, role: caller.role },
    location: locationOf(caller, body),
    lines: body.items.map(toLine),
    allergies: body.allergies ?? null,
    request: idempotentRequestOf(call),
    traceparent: context.traceparent,
  };

  // In one transaction, the writer reads the menu, calls `applyPlacement`, and inserts the order with its event. The order
  // is durable when this returns: the commit is journaled by a majority of the database's members.
  return deps.writer.place(placement);
}

/**
 * Accepts or refuses a whole order. Enters it in `state` if it is accepted: it gets its numbers and the prices of the
 * menu, and takes its portions. A refusal leaves `state` as it is.
 */
export function applyPlacement(state: BatchState, asked: Placement): Outcome<WrittenOrder> {
  const { request, placedBy, traceparent } = asked;
  const earlier = request && state.requests.get(request.key);
  if (earlier) return replay(earlier, request);

  const placement = atOpenSeating(state, asked);
  if (!placement) return { error: problem('seating_closed') };
  if (placedBy.role === 'customer' && isPaused(state.pause, state.now))
    return { error: orderingPaused(state.pause, state.now) };
  const items = findDishes(state, placement);
  if (items instanceof Problem) return { error: items };
  const quantities = quantityByDish(items);
  const refusal =
    refuseUnavailable(state, quantities) ??
    refuseFullSeating(state, placement) ??
    refuseOverLimits(state, placement, quantities);
  if (refusal) return { error: refusal };

  const context = { actor: placedBy, traceparent };
  const unbilled = newOrder(state, placement, items);
  takePortions(state, quantities);
  addOpenItems(state, unbilled);
  addToHoldings(state.holdings, unbilled);
  countNumbers(state, unbilled);
  const order = enterOnBill(state, unbilled, context);
  if (request) state.requests.set(request.key, { request, order });
  state.placed.push({ order, request, ...recordOrderCreated(order, context) });
  return { value: { order, replayed: false } };
}

/** The placement in the seating that its own was joined into; null if it was closed. */
function atOpenSeating({ endedSeatings }: BatchState, placement: Placement): Placement | null {
  const { location } = placement;
  if (isClosed(endedSeatings, location.seating)) return null;
  return { ...placement, location: { ...location, seating: whereJoined(endedSeatings, location.seating) } };
}

/** Whoever has a seat orders at the table and seating of their token; only staff may name a seating. */
function locationOf(caller: Caller, { table, seating }: PlaceOrderCall['body']): OrderLocation {
  if (seating !== undefined && caller.role === 'customer') throw problem('forbidden');
  if (caller.table === undefined) return { table: table ?? null, seating: seating ?? null };
  if (table !== undefined && textKey(table) !== textKey(caller.table ?? '')) throw problem('table_mismatch');
  return { table: caller.table ?? null, seating: caller.seating ?? null };
}

type Item = PlaceOrderCall['body']['items'][number];
const toLine = ({ item_id: id, name = '', quantity, remarks = '' }: Item): Line => ({
  dish: id ?? name,
  quantity,
  remarks,
});

/** Stored keys are unique for their user. */
const idempotentRequestOf = ({ caller, idempotency }: PlaceOrderCall): IdempotentRequest | null =>
  idempotency && { ...idempotency, key: `${caller.userId}/${idempotency.key}` };

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
    const dish = typeof line.dish === 'number' ? dishes.byId.get(line.dish) : dishes.byName.get(line.dish);
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

function refuseUnavailable({ portions }: BatchState, quantities: ReadonlyMap<Dish, number>): Problem | null {
  const items = [...quantities].flatMap(([dish, quantity]) => {
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
    nameTranslations: dish.nameTranslations,
    quantity: line.quantity,
    remarks: line.remarks,
    unitPriceMinor: dish.priceMinor,
    station: dish.station,
    status: 'received',
    holdsPortions: dish.portionsLeft !== null,
    deliveredAt: null,
    ...unmarked,
    firstDeliveredAt: null,
  }));
  return {
    id: counters.orderId + 1,
    ticket: counters.ticket + 1,
    ownerId: placedBy.id,
    ownerName: placedBy.name,
    placedByStaff: placedBy.role !== 'customer',
    billId: null,
    ...location,
    originalLocation: { ...location, billId: null },
    status: 'received',
    version: 1,
    changedVersion: 1,
    allergies,
    items,
    currency,
    deliveredAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

function takePortions({ portions }: BatchState, quantities: ReadonlyMap<Dish, number>): void {
  for (const [dish, quantity] of quantities) {
    const left = portions.get(dish.id) ?? null;
    if (left !== null) portions.set(dish.id, left - quantity);
  }
}

function addOpenItems({ openItems }: BatchState, { seating, items }: Order): void {
  if (seating !== null) openItems.set(seating, (openItems.get(seating) ?? 0) + items.length);
}

function countNumbers(state: BatchState, { id, ticket, items }: Order): void {
  state.counters = { ...state.counters, orderId: id, itemId: state.counters.itemId + items.length, ticket };
}
