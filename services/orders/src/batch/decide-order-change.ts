import { problem, Problem } from '@comanda/contracts/problem';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { exceptionsOfOrder } from '../orders/exceptions-of-order.ts';
import { recordChange } from '../orders/order-events.ts';
import { decideChange, portionsReturned, type OrderChange } from '../orders/order-rules.ts';
import type { Order } from '../orders/order.ts';
import { isClosed, whereJoined } from '../seatings/ended-seating-store.ts';
import type { BatchState } from './batch-state.ts';
import { followOnBill } from './bill-of-order.ts';
import type { ChangeOrder, WrittenOrder } from './write.ts';

/**
 * Accepts or rejects an order's change. If accepted, records it in `state`, with the change to its bill and the portions that
 * dishes get back. The error is a `WriteConflict` if the order now has another version, because other dishes may get portions
 * back then.
 */
export function decideOrderChange(state: BatchState, write: ChangeOrder): Outcome<WrittenOrder> {
  const { id, version, context, movesTo } = write;
  const before = state.orders.get(id);
  if (before?.version !== version) return { error: new WriteConflict() };
  const change = numbered(state, write.change);
  const changed = decideChange(before, change, state.now);
  if (changed instanceof Problem) return { error: changed };
  const after = movesTo ? atOpenSeating(state, before, changed) : changed;
  if (after === null) return { error: problem('seating_closed') };
  if (after === before) return { value: { order: before, replayed: false } };
  const order = followOnBill(state, { before, after, context });
  if (order instanceof Problem) return { error: order };
  returnPortions(state, portionsReturned(before, order));
  if (order.items.length > before.items.length) state.counters = { ...state.counters, itemId: newItemId(state) };
  state.orders.set(order.id, order);
  state.changed.push({ before, order, ...recordChange({ before, after: order, change, context }) });
  state.exceptions.push(...exceptionsOfOrder({ before, after: order, context }));
  return { value: { order, replayed: false } };
}

const newItemId = ({ counters }: BatchState): number => counters.itemId + 1;
const numbered = (state: BatchState, change: OrderChange): OrderChange =>
  change.kind === 'item_part' ? { ...change, newItemId: newItemId(state) } : change;

/**
 * Returns the moved order at its new seating, or at the seating that the new one was joined into. Returns `before` if the order
 * is already there, and null if the new seating was closed.
 */
export function atOpenSeating({ endedSeatings }: BatchState, before: Order, moved: Order): Order | null {
  if (isClosed(endedSeatings, moved.seating)) return null;
  const seating = whereJoined(endedSeatings, moved.seating);
  return seating === before.seating && moved.table === before.table ? before : { ...moved, seating };
}

/** Returns portions to dishes. Nothing is returned to a deleted dish, or to a dish without a limit. */
function returnPortions({ portions }: BatchState, returned: ReadonlyMap<number, number>): void {
  for (const [dishId, quantity] of returned) {
    const left = portions.get(dishId) ?? null;
    if (left !== null) portions.set(dishId, left + quantity);
  }
}
