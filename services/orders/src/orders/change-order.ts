import { problem, Problem } from '@comanda/contracts/problem';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { databaseUnavailable } from '@comanda/shared/mongo/connection';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { KeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import type { OrderWriter } from '../batch/order-writer.ts';
import type { ChangeContext } from '../change-context.ts';
import { recordChange } from './order-events.ts';
import { concernsBill, decideChange, portionsReturned, type OrderChange } from './order-rules.ts';
import type { OrderArchiveStore } from './order-archive-store.ts';
import type { OrderStore } from './order-store.ts';
import type { Order } from './order.ts';

export type OrderChangeRequest = { id: number; change: OrderChange; context: ChangeContext };
export type ChangeOrderDeps = {
  orders: Pick<OrderStore, 'find' | 'update'>;
  archive: Pick<OrderArchiveStore, 'find'>;
  writer: Pick<OrderWriter, 'write'>;
  /** A lock for each order, by order id. Simultaneous changes to one order wait for it instead of conflicting in the database. */
  mutex: KeyedMutex<number>;
  outbox: Pick<Outbox, 'publishNow' | 'isPublished'>;
  clock: Clock;
};

/** No attempt starts later than this after the request, in milliseconds, so that the caller gets a 503 within 2 s. */
const timeLimitMs = 1000;

/**
 * Changes an existing order. This process makes one change to an order at a time. If another instance writes the order in the
 * meantime, the change starts again.
 * @throws 404 `not_found`; the reason why the change is rejected; 503 `service_unavailable`
 */
export const changeOrder = (deps: ChangeOrderDeps, request: OrderChangeRequest): Promise<Order> =>
  oneChangeAtATime(deps.mutex, request.id, () => tryChange(deps, request));

/** Runs one attempt after another until no other write has come first. This process changes an order once at a time. */
export async function oneChangeAtATime<T>(
  mutex: KeyedMutex<number>,
  orderId: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + timeLimitMs;
  using lock = await mutex.acquire(orderId, deadline);
  try {
    // No pause between attempts: otherwise, another instance that doesn't pause would always come first.
    return await retryOnConflict({ deadline, maxPauseMs: 0 }, attempt);
  } catch (error) {
    const isRefusal = error instanceof Problem && error.status < 500;
    // If the database has failed, the changes that wait for this lock fail at once, instead of timing out one after the other.
    if (!isRefusal) lock.fail(databaseUnavailable());
    throw error;
  }
}

/**
 * Loads the order, decides the change and writes the order's next version. If nothing changes, returns the version that a
 * majority of the database's members has stored.
 * @throws WriteConflict if another write has changed the order
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

  const returned = portionsReturned(before, after);
  if (change.kind === 'item_part' || returned.size > 0 || concernsBill(before, after)) {
    // Only the order writer may write portions and bills, and number items. It loads the dishes and bills that this decision
    // needs, and decides the change again in its transaction, for the same version of the order.
    const { version, billId } = before;
    const dishIds = [...returned.keys()];
    const movesTo = after.seating !== before.seating && { movesTo: { seating: after.seating } };
    const written = await writer.write({ kind: 'change_order', ...request, version, dishIds, billId, ...movesTo });
    return written.order;
  }

  const created = outbox.isPublished(before.carriedEvent?.id ?? '') ? 'published' : 'unknown';
  const record = recordChange({ before, after, change, context });
  const messages = await orders.update({ before, order: after, ...record, created });
  outbox.publishNow(after.id, messages);
  return after;
}

/** Archived orders can't change. A request that would change nothing gets the same response as before the order was archived. */
function refuseArchived(archived: Order | undefined, change: OrderChange, now: Date): Order {
  const after = archived && decideChange(archived, change, now);
  if (after instanceof Problem) throw after;
  if (!archived || after !== archived) throw problem('not_found');
  return archived;
}
