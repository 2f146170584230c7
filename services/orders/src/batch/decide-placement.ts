import { problem, Problem } from '@comanda/contracts/problem';
import { maxOpenItemsPerSeating, optionLimits } from '@comanda/contracts/rules';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import type { Dish } from '../menu/menu-item.ts';
import { recordOrderCreated } from '../orders/order-events.ts';
import { countOptions } from '../orders/order-size.ts';
import { asPlaced, unmarked, type Order, type OrderItem, type PlacedRequest } from '../orders/order.ts';
import { isPaused, orderingPaused } from '../restaurant/ordering-pause.ts';
import { isClosed, whereJoined } from '../seatings/ended-seating-store.ts';
import type { BatchState } from './batch-state.ts';
import { addToBill } from './bill-of-order.ts';
import { addToHoldings, refuseOverLimits } from './customer-limits.ts';
import { planItems, type OrderedLine, type PlannedItem, type PlannedOrder } from './plan-items.ts';
import { errorsOfPrices, isByStaff } from './price-lines.ts';
import type { PlaceOrder, WrittenOrder } from './write.ts';

/**
 * Accepts or rejects an order with all its lines. If accepted, records the order in `state` with its numbers and the menu's
 * prices, and takes its portions. A rejected order leaves `state` unchanged.
 */
export function decidePlacement(state: BatchState, asked: PlaceOrder): Outcome<WrittenOrder> {
  const { request, context } = asked;
  const earlier = request && state.requests.get(request.key);
  if (earlier) return replay(earlier, request);

  const placement = atOpenSeating(state, asked);
  if (!placement) return { error: problem('seating_closed') };
  if (context.actor.role === 'customer' && isPaused(state.pause, state.now))
    return { error: orderingPaused(state.pause, state.now) };
  const lines = findDishes(state, placement);
  if (lines instanceof Problem) return { error: lines };
  const planned = refuseRequest(lines, placement) ?? planItems(state, lines);
  if (planned instanceof Problem) return { error: planned };
  const { items } = planned;
  const quantities = quantityByDish(items);
  const refusal =
    refuseUnavailable(state, { quantities, soldOut: planned.soldOut, placement }) ??
    refuseFullSeating(state, placement, items) ??
    refuseOverLimits(state, placement, { quantities, items: items.length });
  if (refusal) return { error: refusal };

  const unbilled = newOrder(state, placement, items);
  takePortions(state, quantities);
  addOpenItems(state, unbilled);
  addToHoldings(state.holdings, unbilled);
  countNumbers(state, unbilled);
  const order = addToBill(state, unbilled, context);
  if (request) state.requests.set(request.key, { request, order });
  state.placed.push({ order, request, ...recordOrderCreated(order, context) });
  return { value: { order, replayed: false } };
}

/** An idempotency key belongs to one request. A retry gets the first response; a different request is rejected. */
export const replay = (earlier: PlacedRequest, request: IdempotentRequest): Outcome<WrittenOrder> =>
  earlier.request.fingerprint === request.fingerprint
    ? { value: { order: asPlaced(earlier.order), replayed: true } }
    : { error: problem('idempotency_key_reused') };

/**
 * Returns the placement at its seating. If that seating was joined into another one, returns the placement at the other seating.
 * Returns null if the seating was closed.
 */
function atOpenSeating({ endedSeatings }: BatchState, placement: PlaceOrder): PlaceOrder | null {
  const { location } = placement;
  if (isClosed(endedSeatings, location.seating)) return null;
  return { ...placement, location: { ...location, seating: whereJoined(endedSeatings, location.seating) } };
}

/** Returns the lines with their dishes, or a problem that lists every line whose dish is not on the menu. */
function findDishes({ dishes }: BatchState, { lines }: PlaceOrder): OrderedLine[] | Problem {
  const unknown: { index: number; item_id?: number; name?: string }[] = [];
  const items: OrderedLine[] = [];
  for (const [index, line] of lines.entries()) {
    const dish = typeof line.dish === 'number' ? dishes.byId.get(line.dish) : dishes.byName.get(line.dish);
    if (dish) items.push({ line, dish });
    else unknown.push({ index, ...(typeof line.dish === 'number' ? { item_id: line.dish } : { name: line.dish }) });
  }
  return unknown.length === 0 ? items : problem('menu_item_unknown', { items: unknown });
}

/** Rejects with 422 what is wrong with the request, whatever the dishes' options are. Names all errors. */
function refuseRequest(lines: readonly OrderedLine[], placement: PlaceOrder): Problem | null {
  const options = placement.lines.reduce((count, line) => count + countOptions(line.options), 0);
  const tooMany = { pointer: '/items', detail: `more than ${optionLimits.maxOptionsOfOrder} options` };
  const errors = [...(options > optionLimits.maxOptionsOfOrder ? [tooMany] : []), ...errorsOfPrices(lines, placement)];
  return errors.length > 0 ? problem('unprocessable_content', { errors }) : null;
}

function quantityByDish(items: readonly PlannedItem[]): Map<Dish, number> {
  const quantities = new Map<Dish, number>();
  for (const { quantity, dish } of items) quantities.set(dish, (quantities.get(dish) ?? 0) + quantity);
  return quantities;
}

type Wanted = { quantities: ReadonlyMap<Dish, number>; soldOut: PlannedOrder['soldOut']; placement: PlaceOrder };
function refuseUnavailable({ portions }: BatchState, { quantities, soldOut, placement }: Wanted): Problem | null {
  const items = [...quantities].flatMap(([dish, quantity]) => {
    const isForCaller = isByStaff(placement) || dish.pricing === 'fixed';
    const isOnOffer = dish.available && !dish.deleted && isForCaller;
    const left = portions.get(dish.id) ?? null;
    const optionIds = soldOut.get(dish) ?? [];
    if (isOnOffer && (left === null || left >= quantity) && optionIds.length === 0) return [];
    return [
      {
        item_id: dish.id,
        name: dish.name,
        portions_left: isOnOffer ? left : 0,
        ...(optionIds.length > 0 && { option_ids: [...optionIds] }),
      },
    ];
  });
  return items.length === 0 ? null : problem('menu_item_unavailable', { items });
}

function refuseFullSeating(
  { openItems }: BatchState,
  { location: { seating } }: PlaceOrder,
  items: readonly PlannedItem[],
): Problem | null {
  if (seating === null || (openItems.get(seating) ?? 0) + items.length <= maxOpenItemsPerSeating) return null;
  return problem('seating_full', {}, { 'Retry-After': '60' });
}

function newOrder(
  { counters, now, currency }: BatchState,
  placement: PlaceOrder,
  planned: readonly PlannedItem[],
): Order {
  const { actor } = placement.context;
  const { location, allergies } = placement;
  const firstId = counters.itemId + 1;
  const items = planned.map(({ dish, partOf, ...item }, index): OrderItem => ({
    ...item,
    id: firstId + index,
    itemId: dish.id,
    name: dish.name,
    nameTranslations: dish.nameTranslations,
    kitchenName: dish.kitchenName,
    partOf: partOf === null ? null : firstId + partOf,
    station: dish.station,
    status: 'received',
    holdsPortions: dish.portionsLeft !== null,
    deliveredAt: null,
    ...unmarked,
    firstDeliveredAt: null,
    splitFrom: null,
    remake: null,
  }));
  return {
    id: counters.orderId + 1,
    ticket: counters.ticket + 1,
    ownerId: actor.id,
    ownerName: actor.name,
    placedByStaff: actor.role !== 'customer',
    billId: null,
    splitFrom: null,
    ...location,
    originalLocation: { ...location, billId: null },
    status: 'received',
    version: 1,
    changedVersion: 1,
    allergies,
    items,
    currency,
    carriedEvent: null,
    moveRequests: [],
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

export function addOpenItems({ openItems }: BatchState, { seating, items }: Order): void {
  if (seating !== null) openItems.set(seating, (openItems.get(seating) ?? 0) + items.length);
}

function countNumbers(state: BatchState, { id, ticket, items }: Order): void {
  state.counters = { ...state.counters, orderId: id, itemId: state.counters.itemId + items.length, ticket };
}
