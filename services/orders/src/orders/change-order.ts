import type { updateOrder as contract } from '@comanda/contracts/orders';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { databaseUnavailable } from '@comanda/shared/mongo/connection';
import { retryOnConflict, tooManyWrites, WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import type { Clock } from '@comanda/shared/runtime/clock';
import { MutexTimeout, type KeyedMutex, type Release } from '@comanda/shared/runtime/keyed-mutex';
import { whereJoined } from '../seatings/ended-seating-store.ts';
import { concernsBill, followOnBill } from './bills/bill-of-order.ts';
import type { BatchState, WrittenOrder } from './batch-state.ts';
import type { ChangeContext, ChangeRecord } from './order-events.ts';
import { portionsReturned, type ChangedOrder } from './order-rules.ts';
import type { OrderArchiveStore } from './order-archive-store.ts';
import type { OrderStore } from './order-store.ts';
import { matchesTag, type Order } from './order.ts';

/** A change of an existing order. It may be applied again, to a newer version of the order. */
export type OrderChange = {
  id: number;
  context: ChangeContext;
  /** Returns null if the caller must not learn that the order exists. */
  apply: (order: Order, now: Date) => ChangedOrder | null;
  /** What is stored with the write. */
  record: (before: Order, after: Order, context: ChangeContext) => ChangeRecord;
};
/**
 * A change of one version of an order that changes more than the order: it gives portions back to the dishes with
 * `dishIds`, or its bill follows, or it moves to the bill of another seating.
 */
export type SharedChange = OrderChange & {
  version: number;
  dishIds: readonly number[];
  billId: number | null;
  movesTo?: { seating: number | null };
};
export type ChangeOrderDeps = {
  orders: OrderStore;
  archive: Pick<OrderArchiveStore, 'find'>;
  writer: {
    /**
     * Changes an order and its bill, and gives portions back to its dishes, in one transaction.
     * @throws WriteConflict if the order has another version; the refusal of the change; 503 `service_unavailable`
     */
    change: (change: SharedChange) => Promise<Order>;
  };
  /** By order id: fifty changes of one order wait here, and do not conflict in the database. */
  mutex: KeyedMutex<number>;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};

/** No attempt starts later than this, so that the caller gets a 503 within 2 s. */
const timeLimitMs = 1000;

/**
 * Changes an existing order: one change at a time for each order in this process, and again from the beginning if another
 * instance has written it meanwhile.
 * @throws 404 `not_found`, the refusal of the change, 503 `service_unavailable`
 */
export async function changeOrder(deps: ChangeOrderDeps, change: OrderChange): Promise<Order> {
  const deadline = performance.now() + timeLimitMs;
  const release = await lockOrder(deps, { id: change.id, deadline });
  try {
    // Without a pause: each instance has one attempt under way, and the one that pauses would lose to the next of the other.
    const order = await retryOnConflict({ deadline, maxPauseMs: 0 }, () => tryChange(deps, change));
    release();
    return order;
  } catch (error) {
    const isRefusal = error instanceof Problem && error.status < 500;
    // If the database has failed, it would fail for all who wait, one after the other.
    release(isRefusal ? undefined : databaseUnavailable());
    throw error;
  }
}

/** @throws 503 `service_unavailable` if earlier changes of the order take too long */
async function lockOrder(
  { mutex }: ChangeOrderDeps,
  { id, deadline }: { id: number; deadline: number },
): Promise<Release> {
  try {
    return await mutex.acquire(id, { deadline });
  } catch (error) {
    throw error instanceof MutexTimeout ? tooManyWrites() : error;
  }
}

/**
 * Reads, decides and writes in one version of the order. An order that is not to be changed is answered as a majority of
 * the database's members has it.
 * @throws WriteConflict
 */
async function tryChange(
  { orders, archive, writer, outbox, clock }: ChangeOrderDeps,
  change: OrderChange,
): Promise<Order> {
  const before = await orders.find(change.id);
  if (!before) return refuseArchived((await archive.find(change.id))?.order, change, new Date(clock()));
  const after = change.apply(before, new Date(clock()));
  if (!after) throw problem('not_found');
  if (after instanceof Problem) throw after;
  if (after === before) return before;

  // Portions and bills are written by the order writer only. It applies the change again, in its transaction.
  const returned = portionsReturned(before, after);
  if (returned.size > 0 || concernsBill(before, after)) {
    const { version, billId } = before;
    const movesTo = { seating: after.seating };
    const dishIds = [...returned.keys()];
    return writer.change({ ...change, version, dishIds, billId, ...(after.seating !== before.seating && { movesTo }) });
  }

  const messages = await orders.update({ before, order: after, ...change.record(before, after, change.context) });
  outbox.publishNow(after.id, messages);
  return after;
}

/** An archived order does not change any more. What would change nothing is answered as always. */
function refuseArchived(archived: Order | undefined, change: OrderChange, now: Date): Order {
  const after = archived && change.apply(archived, now);
  if (after instanceof Problem) throw after;
  if (!archived || after !== archived) throw problem('not_found');
  return archived;
}

/**
 * Applies or refuses a change. Enters it in `state` if it changes something, with its bill, and gives its portions back.
 * If the order has another version by now, other dishes may get portions back, so the error is a `WriteConflict`.
 */
export function applyChange(state: BatchState, change: SharedChange): Outcome<WrittenOrder> {
  const before = state.orders.get(change.id);
  if (before?.version !== change.version) return { error: new WriteConflict() };
  const changed = change.apply(before, state.now);
  if (!changed) return { error: problem('not_found') };
  if (changed instanceof Problem) return { error: changed };
  const after = change.movesTo ? atOpenSeating(state, before, changed) : changed;
  if (after === before) return { value: { order: before, replayed: false } };
  const order = followOnBill(state, { before, after, context: change.context });
  if (order instanceof Problem) return { error: order };
  returnPortions(state, portionsReturned(before, order));
  state.orders.set(order.id, order);
  state.changed.push({ before, order, ...change.record(before, order, change.context) });
  return { value: { order, replayed: false } };
}

/** A moved order in the seating that its new one was joined into; the same as before if it is there already. */
function atOpenSeating({ endedSeatings }: BatchState, before: Order, moved: Order): Order {
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

type ChangeCall = Pick<Call<typeof contract>, 'caller' | 'context' | 'header'>;

export const changeContextOf = ({ caller, context }: ChangeCall, reason?: string): ChangeContext => ({
  actor: { id: caller.userId, name: caller.name, role: caller.role },
  traceparent: context.traceparent,
  reason,
});

/** Refuses with 412 if `If-Match` was sent and the order has another tag by now. */
export function refuseByTag(order: Order, { header }: ChangeCall): Problem | null {
  const ifMatch = header('If-Match');
  if (ifMatch === undefined) return null;
  return matchesTag(order, { header: ifMatch, comparison: 'strong' }) ? null : problem('version_mismatch');
}
