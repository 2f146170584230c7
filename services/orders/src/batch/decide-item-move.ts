import { problem, Problem } from '@comanda/contracts/problem';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { divideOrder, refuseItemsToMove, type Division } from '../orders/divide-order.ts';
import { exceptionsOfMove } from '../orders/exceptions-of-order.ts';
import { recordTableChange } from '../orders/order-events.ts';
import { changeLocation, refuseByTag } from '../orders/order-rules.ts';
import type { Order, PlacedRequest } from '../orders/order.ts';
import type { BatchState } from './batch-state.ts';
import { divideOnBill, followOnBill } from './bill-of-order.ts';
import { atOpenSeating } from './decide-order-change.ts';
import { recordMove } from './record-bill-change.ts';
import type { MoveItems, WrittenOrder } from './write.ts';

/**
 * Accepts or rejects a move of items. If accepted, records it in `state`: both orders and both bills, or the whole order's move.
 * The error is a `WriteConflict` if the order now has another version.
 */
export function decideItemMove(state: BatchState, write: MoveItems): Outcome<WrittenOrder> {
  const { id, version, items, request } = write;
  const earlier = request && state.requests.get(request.key);
  if (earlier) return replay(state, earlier, request);
  const before = state.orders.get(id);
  if (before?.version !== version) return { error: new WriteConflict() };
  const refusal = refuseByTag(before, write) ?? refuseItemsToMove(before, items);
  if (refusal) return { error: refusal };
  const located = changeLocation(before, write.to, state.now);
  const after = located === before ? before : atOpenSeating(state, before, located);
  if (after === null) return { error: problem('seating_closed') };
  if (after === before) return { value: { order: recordRequest(state, before, request), replayed: false } };

  const { table, seating } = after;
  const division = divideOrder(before, { items, to: { table, seating }, numbers: state.counters, now: state.now });
  const order = division
    ? recordDivision(state, division, { before, write })
    : recordWholeMove(state, { before, after, write });
  if (order instanceof Problem) return { error: order };
  if (request) state.requests.set(request.key, { request, order });
  return { value: { order, replayed: false } };
}

/** An idempotency key belongs to one request. A retry gets the order as it is now; a different request is rejected. */
const replay = (
  { orders }: BatchState,
  { request, order }: PlacedRequest,
  { fingerprint }: IdempotentRequest,
): Outcome<WrittenOrder> =>
  request.fingerprint === fingerprint
    ? { value: { order: orders.get(order.id) ?? order, replayed: true } }
    : { error: problem('idempotency_key_reused') };

const withRequest = (order: Order, request: IdempotentRequest | null): Order =>
  request ? { ...order, moveRequests: [...order.moveRequests, request] } : order;

/**
 * Records the request of a move that changes nothing, so that a retry changes nothing either, even if the order has moved since.
 * The order keeps its version.
 */
function recordRequest(state: BatchState, before: Order, request: IdempotentRequest | null): Order {
  if (!request) return before;
  const order = withRequest(before, request);
  state.changed.push({ before, order, history: [], messages: [] });
  state.orders.set(order.id, order);
  state.requests.set(request.key, { request, order });
  return order;
}

type Moved = { before: Order; write: MoveItems };

function recordWholeMove(state: BatchState, { before, after, write }: Moved & { after: Order }): Order | Problem {
  const { context, request } = write;
  const order = followOnBill(state, { before, after: withRequest(after, request), context });
  if (!(order instanceof Problem)) recordMove(state, { before, after: order, context });
  return order;
}

function recordDivision(state: BatchState, division: Division, { before, write }: Moved): Order | Problem {
  const { context, request } = write;
  const { rest } = division;
  const moved = divideOnBill(state, division, { before, context });
  if (moved instanceof Problem) return moved;
  const { itemId } = state.counters;
  const ids = moved.items.map(({ id }) => id);
  state.counters = { ...state.counters, orderId: moved.id, itemId: Math.max(itemId, ...ids) };
  state.orders.set(rest.id, rest);
  state.orders.set(moved.id, moved);
  state.divided.push({
    before,
    rest: { order: rest, ...recordTableChange(before, rest, context) },
    moved: { order: moved, request, ...recordTableChange(before, moved, context) },
  });
  state.exceptions.push(...exceptionsOfMove({ before, after: moved, context }));
  return moved;
}
