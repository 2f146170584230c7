import { problem, type Problem } from '@comanda/contracts/problem';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { toException } from '../exceptions/exception.ts';
import { recordOrderCreated } from '../orders/order-events.ts';
import { unmarked, type Order, type OrderItem, type OrderLocation } from '../orders/order.ts';
import { isClosed, whereJoined } from '../seatings/ended-seating-store.ts';
import type { BatchState } from './batch-state.ts';
import { addOpenItems, replay } from './decide-placement.ts';
import type { RemakeItem, WrittenOrder } from './write.ts';

/**
 * Accepts or rejects an order for an item that the kitchen prepares again. If accepted, records it in `state`, on no bill, and
 * takes portions if there are enough. The error is a `WriteConflict` if the first order now has another version.
 */
export function decideRemake(state: BatchState, write: RemakeItem): Outcome<WrittenOrder> {
  const { request, context, itemId } = write;
  const earlier = request && state.requests.get(request.key);
  if (earlier) return replay(earlier, request);
  const first = state.orders.get(write.id);
  if (first?.version !== write.version) return { error: new WriteConflict() };
  const item = first.items.find(({ id }) => id === itemId);
  if (!item) return { error: problem('not_found') };
  const quantity = write.quantity ?? item.quantity;
  const refusal = refuseRemake(item, quantity) ?? refuseClosedSeating(state, first);
  if (refusal) return { error: refusal };

  const unitPriceMinor = item.remake?.unitPriceMinor ?? item.unitPriceMinor;
  const again: OrderItem = {
    ...item,
    id: state.counters.itemId + 1,
    quantity,
    unitPriceMinor: 0,
    status: 'received',
    holdsPortions: takePortions(state, { dishId: item.itemId, quantity }),
    deliveredAt: null,
    ...unmarked,
    firstDeliveredAt: null,
    partOf: null,
    splitFrom: null,
    remake: { of: item.id, reason: write.reason, unitPriceMinor },
  };
  const order = newOrder(state, first, again);
  addOpenItems(state, order);
  state.counters = { ...state.counters, orderId: order.id, itemId: again.id };
  if (request) state.requests.set(request.key, { request, order });
  state.placed.push({ order, request, ...recordOrderCreated(order, context) });
  const amountMinor = quantity * unitPriceMinor;
  const of = { billId: first.billId, at: state.now, context };
  state.exceptions.push(toException({ kind: 'remade', amountMinor, line: { id: item.id, name: item.name } }, of));
  return { value: { order, replayed: false } };
}

function refuseRemake(item: OrderItem, quantity: number): Problem | null {
  if (item.status === 'cancelled') return problem('illegal_transition', { allowed_transitions: [] });
  if (quantity <= item.quantity) return null;
  const errors = [{ pointer: '/quantity', detail: `must be at most ${item.quantity}` }];
  return problem('unprocessable_content', { errors });
}

const refuseClosedSeating = ({ endedSeatings }: BatchState, { seating }: Order): Problem | null =>
  isClosed(endedSeatings, seating) ? problem('seating_closed') : null;

/** Takes portions if there are enough for all units. Returns true if it took them. */
function takePortions({ portions }: BatchState, { dishId, quantity }: { dishId: number; quantity: number }): boolean {
  const left = portions.get(dishId) ?? null;
  if (left === null || left < quantity) return false;
  portions.set(dishId, left - quantity);
  return true;
}

/**
 * Returns where the guests are now: at the order's table or, if it was served before they changed table, at their bill's table.
 */
function whereGuestsAre({ bills, endedSeatings }: BatchState, order: Order): OrderLocation {
  const seating = whereJoined(endedSeatings, order.seating);
  const bill = bills.byId.get(bills.openBySeating.get(seating ?? 0) ?? order.billId ?? 0)?.bill;
  const haveMoved = bill?.movedAt && bill.seating === seating && bill.movedAt > order.updatedAt;
  return { table: haveMoved ? bill.table : order.table, seating };
}

/** Returns the new order, with the first order's ticket, customer and allergies. */
function newOrder(state: BatchState, first: Order, item: OrderItem): Order {
  const { counters, now } = state;
  const location = whereGuestsAre(state, first);
  return {
    ...first,
    ...location,
    id: counters.orderId + 1,
    billId: null,
    splitFrom: null,
    originalLocation: { ...location, billId: null },
    status: 'received',
    version: 1,
    changedVersion: 1,
    items: [item],
    carriedEvent: null,
    moveRequests: [],
    deliveredAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
