import { problem, Problem } from '@comanda/contracts/problem';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { exceptionsOfOrder } from '../orders/exceptions-of-order.ts';
import { isClosed, whereJoined } from '../seatings/ended-seating-store.ts';
import type { BatchState, WrittenOrder } from './batch-state.ts';
import { followOnBill } from './bill-of-order.ts';
import type { SharedChange } from '../orders/change-order.ts';
import { recordChange } from '../orders/order-events.ts';
import { decideChange, portionsReturned } from '../orders/order-rules.ts';
import type { Order } from '../orders/order.ts';

/**
 * Applies or refuses a change. Enters it in `state` if it changes something, with its bill, and gives its portions back.
 * If the order has another version by now, other dishes may get portions back, so the error is a `WriteConflict`.
 */
export function applyChange(state: BatchState, request: SharedChange): Outcome<WrittenOrder> {
  const { id, version, change, context, movesTo } = request;
  const before = state.orders.get(id);
  if (before?.version !== version) return { error: new WriteConflict() };
  const changed = decideChange(before, change, state.now);
  if (changed instanceof Problem) return { error: changed };
  const after = movesTo ? atOpenSeating(state, before, changed) : changed;
  if (after === null) return { error: problem('seating_closed') };
  if (after === before) return { value: { order: before, replayed: false } };
  const order = followOnBill(state, { before, after, context });
  if (order instanceof Problem) return { error: order };
  returnPortions(state, portionsReturned(before, order));
  state.orders.set(order.id, order);
  state.changed.push({ before, order, ...recordChange({ before, after: order, change, context }) });
  state.exceptions.push(...exceptionsOfOrder({ before, after: order, context }));
  return { value: { order, replayed: false } };
}

/** A moved order in the seating that its new one was joined into; the same as before if it is there already; null if that one was closed. */
function atOpenSeating({ endedSeatings }: BatchState, before: Order, moved: Order): Order | null {
  if (isClosed(endedSeatings, moved.seating)) return null;
  const seating = whereJoined(endedSeatings, moved.seating);
  return seating === before.seating && moved.table === before.table ? before : { ...moved, seating };
}

/** Nothing goes back to a dish that has no limit any more or was deleted. */
function returnPortions({ portions }: BatchState, returned: ReadonlyMap<number, number>): void {
  for (const [dishId, quantity] of returned) {
    const left = portions.get(dishId) ?? null;
    if (left !== null) portions.set(dishId, left + quantity);
  }
}
