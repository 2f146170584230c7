import type { markSeen as contract } from '@comanda/contracts/orders';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { databaseUnavailable } from '@comanda/shared/mongo/connection';
import { retryOnConflict, tooManyWrites } from '@comanda/shared/mongo/retry-on-conflict';
import type { Clock } from '@comanda/shared/runtime/clock';
import { MutexTimeout, type KeyedMutex, type Release } from '@comanda/shared/runtime/keyed-mutex';
import { concernsBill } from '../batch/bill-of-order.ts';
import { recordChange, type ChangeContext } from './order-events.ts';
import { decideChange, portionsReturned, type OrderChange } from './order-rules.ts';
import type { OrderArchiveStore } from './order-archive-store.ts';
import type { OrderStore } from './order-store.ts';
import type { Order } from './order.ts';

export type OrderChangeRequest = { id: number; change: OrderChange; context: ChangeContext };
/**
 * A change of one version of an order that changes more than the order: it gives portions back to the dishes with
 * `dishIds`, or its bill follows, or it moves to the bill of another seating.
 */
export type SharedChange = OrderChangeRequest & {
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
    change: (request: SharedChange) => Promise<Order>;
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
export async function changeOrder(deps: ChangeOrderDeps, request: OrderChangeRequest): Promise<Order> {
  const deadline = performance.now() + timeLimitMs;
  const release = await lockOrder(deps, { id: request.id, deadline });
  try {
    // Without a pause: each instance has one attempt under way, and the one that pauses would lose to the next of the other.
    const order = await retryOnConflict({ deadline, maxPauseMs: 0 }, () => tryChange(deps, request));
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
  request: OrderChangeRequest,
): Promise<Order> {
  const { id, change, context } = request;
  const before = await orders.find(id);
  const now = new Date(clock());
  if (!before) return refuseArchived((await archive.find(id))?.order, change, now);
  const after = decideChange(before, change, now);
  if (after instanceof Problem) throw after;
  if (after === before) return before;

  // Portions and bills are written by the order writer only. It decides the change again, in its transaction.
  const returned = portionsReturned(before, after);
  if (returned.size > 0 || concernsBill(before, after)) {
    const { version, billId } = before;
    const movesTo = { seating: after.seating };
    const dishIds = [...returned.keys()];
    return writer.change({
      ...request,
      version,
      dishIds,
      billId,
      ...(after.seating !== before.seating && { movesTo }),
    });
  }

  const messages = await orders.update({ before, order: after, ...recordChange({ before, after, change, context }) });
  outbox.publishNow(after.id, messages);
  return after;
}

/** An archived order does not change any more. What would change nothing is answered as always. */
function refuseArchived(archived: Order | undefined, change: OrderChange, now: Date): Order {
  const after = archived && decideChange(archived, change, now);
  if (after instanceof Problem) throw after;
  if (!archived || after !== archived) throw problem('not_found');
  return archived;
}

export const changeContextOf = (
  { caller, context }: Pick<Call<typeof contract>, 'caller' | 'context'>,
  reason?: string,
): ChangeContext => ({
  actor: { id: caller.userId, name: caller.name, role: caller.role },
  traceparent: context.traceparent,
  reason,
});
