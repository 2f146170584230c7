import { problem, Problem } from '@comanda/contracts/problem';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { databaseUnavailable } from '@comanda/shared/mongo/connection';
import { retryOnConflict, tooManyWrites } from '@comanda/shared/mongo/retry-on-conflict';
import type { Clock } from '@comanda/shared/runtime/clock';
import { MutexTimeout } from '@comanda/shared/runtime/keyed-mutex';
import type { KeyedMutex, Release } from '@comanda/shared/runtime/keyed-mutex';
import type { OrderChange } from './order-change.ts';
import { portionsReturned } from './order-rules.ts';
import type { OrderStore } from './order-store.ts';
import type { OrderWriter } from './order-writer.ts';
import type { Order } from './order.ts';

export type ChangeOrderDeps = {
  orders: OrderStore;
  writer: OrderWriter;
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
async function tryChange({ orders, writer, outbox, clock }: ChangeOrderDeps, change: OrderChange): Promise<Order> {
  const before = await orders.find(change.id);
  const after = before && change.apply(before, new Date(clock()));
  if (!before || !after) throw problem('not_found');
  if (after instanceof Problem) throw after;
  if (after === before) return before;

  // Portions are written by the order writer only. It applies the change again, in its transaction.
  const returned = portionsReturned(before, after);
  if (returned.size > 0) return writer.change({ change, version: before.version, dishIds: [...returned.keys()] });

  const messages = await orders.update({ before, order: after, ...change.record(before, after, change.context) });
  outbox.publishNow(after.id, messages);
  return after;
}
