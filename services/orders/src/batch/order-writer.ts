import { setTimeout as sleep } from 'node:timers/promises';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { tooManyWrites, WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isConflict, isDuplicate, isUnknownCommit, type Transactions } from '@comanda/shared/mongo/transactions';
import { createBatcher, type Outcome } from '@comanda/shared/runtime/batcher';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { OrderStore } from '../orders/order-store.ts';
import { hasWrites, type BatchState } from './batch-state.ts';
import { decideBillChange, endOverdueReservations } from './decide-bill-change.ts';
import { decideItemMove } from './decide-item-move.ts';
import { decideOrderChange } from './decide-order-change.ts';
import { decidePix } from './decide-pix.ts';
import { decidePlacement } from './decide-placement.ts';
import { decideRemake } from './decide-remake.ts';
import { loadBatch, type LoadBatchDeps } from './load-batch.ts';
import type { OrderWriterMetrics } from './order-writer-metrics.ts';
import { createSeatingCache, seatingsAfter, type SeatingCache } from './seating-cache.ts';
import { storeBatch, type PendingEvents, type StoreBatchDeps } from './store-batch.ts';
import { orderKeysOf, type ResultOf, type Write, type Written } from './write.ts';

export type OrderWriter = {
  /**
   * Places an order, or changes an order or a bill, in one transaction with everything that depends on it. When this returns, the
   * write and its events are durable: a majority of the database's members has committed them.
   * @throws the reason why the write is rejected; 422 `idempotency_key_reused`; 409 `request_in_progress` if another instance has
   * placed this idempotency key's order and no majority has confirmed it yet; WriteConflict if an order has another version; 503
   * `service_unavailable`; QueueFull
   */
  write: <W extends Write>(write: W) => Promise<ResultOf<W>>;
  /** Rejects new writes, and waits until all accepted writes are finished. */
  close: () => Promise<void>;
};
type Options = Omit<LoadBatchDeps, 'seatingCache' | 'groupCache'> &
  StoreBatchDeps & {
    orders: Pick<OrderStore, 'findUsedRequestKeys'>;
    transactions: Transactions;
    /** The outboxes that publish the events of committed writes. */
    outboxes: Record<keyof PendingEvents, Pick<Outbox, 'publishNow'>>;
    /** The maximum number of writes that may wait for the next batch. */
    maxQueue: number;
    logger: Logger;
    metrics: OrderWriterMetrics;
  };
type Deps = Options & Pick<LoadBatchDeps, 'groupCache'> & { seatingCache: SeatingCache };
/** A write in the queue. No attempt starts after `deadline`, a time in milliseconds from `performance.now()`. */
type QueuedWrite = { write: Write; deadline: number };

const maxBatch = 256;
/** No attempt starts later than this after the request, in milliseconds, so that the caller gets a 503 within 2 s. */
const timeLimitMs = 1200;
/** The longest pause between two attempts, in milliseconds. */
const maxPauseMs = 8;

/**
 * Creates the order writer. Only the order writer creates orders, changes bills, and changes portions for orders. It commits
 * writes in groups: the writes that arrive while one batch commits form the next batch. Each write is accepted or rejected on its
 * own.
 */
export function createOrderWriter(options: Options): OrderWriter {
  const deps: Deps = { ...options, seatingCache: createSeatingCache(), groupCache: new Map() };
  const batcher = createBatcher<QueuedWrite, Written>({
    maxBatch,
    maxQueue: options.maxQueue,
    // Each batch takes one write per user in turn, so that one client with many requests does not delay the others.
    ownerOf: ({ write }) => write.context.actor.id,
    run: (batch) => writeBatch(deps, batch),
    isFaultOfOne,
  });
  options.metrics.watchQueue(batcher.depth);
  return {
    write: <W extends Write>(write: W) =>
      batcher.submit({ write, deadline: performance.now() + timeLimitMs }) as Promise<ResultOf<W>>,
    close: batcher.close,
  };
}

async function writeBatch(deps: Deps, batch: readonly QueuedWrite[]): Promise<Outcome<Written>[]> {
  const { metrics, logger } = deps;
  const stopTimer = metrics.batchSeconds.startTimer();
  metrics.batchSize.observe(batch.length);
  try {
    return await commitBeforeDeadlines(deps, batch);
  } catch (error) {
    if (batch.length > 1 && isFaultOfOne(error))
      logger.error({ err: error }, 'a batch of orders failed: each write is tried alone');
    throw error;
  } finally {
    stopTimer();
  }
}

/**
 * Returns true if broken data in one order or dish caused the error, so that other writes can succeed; false for a database
 * failure.
 */
const isFaultOfOne = (error: unknown): boolean =>
  !(error instanceof Problem || mongoProblem(error) !== null || isUnknownCommit(error));

/**
 * Returns true if another write came first. A duplicate idempotency key means that another instance has just placed that order:
 * the next attempt finds it. A duplicate open bill means that the counters do not include its seating yet.
 */
const isOvertaken = (error: unknown): boolean =>
  error instanceof WriteConflict || isConflict(error) || isDuplicate(error);

/**
 * Commits the batch. If another write comes first, starts again from the beginning. Before each attempt, rejects writes whose
 * deadline has passed and continues with the rest. Publishes the events after the commit.
 */
async function commitBeforeDeadlines(deps: Deps, batch: readonly QueuedWrite[]): Promise<Outcome<Written>[]> {
  const { metrics, logger } = deps;
  const outcomes: Outcome<Written>[] = [];
  let open = batch.map((queued, at) => ({ ...queued, at }));
  let [conflict, readsAll]: [unknown, boolean] = [null, false];
  for (;;) {
    const now = performance.now();
    const expired = open.filter(({ deadline }) => deadline < now);
    for (const { at, outcome } of await rejectExpired(deps, expired, conflict)) outcomes[at] = outcome;
    open = open.filter(({ deadline }) => deadline >= now);
    if (open.length === 0) return outcomes;
    try {
      const committed = await commitBatch(deps, { open, readsAll });
      for (const { at, outcome } of committed.decided) outcomes[at] = outcome;
      publish(deps, committed);
      return outcomes;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      metrics.conflicts.inc();
      logger.debug({ err: error }, 'a batch of orders met another write');
      conflict = error;
      readsAll ||= isDuplicate(error);
      await sleep(Math.random() * maxPauseMs);
    }
  }
}

/** A write without an outcome yet, with its position in the batch. */
type OpenWrite = QueuedWrite & { at: number };
type Decided = { at: number; outcome: Outcome<Written> };

/**
 * Rejects each write whose deadline has passed. The problem is `request_in_progress` if another instance has written the same
 * request but no majority of the database's members has confirmed it yet.
 */
async function rejectExpired({ orders }: Deps, expired: readonly OpenWrite[], conflict: unknown): Promise<Decided[]> {
  const keyOf = ({ write }: OpenWrite): string => orderKeysOf([write])[0] ?? '';
  const keys = isDuplicate(conflict) ? expired.map(keyOf).filter((key) => key !== '') : [];
  const used = keys.length === 0 ? new Set<string>() : await orders.findUsedRequestKeys(keys);
  return expired.map((write) => {
    const error = used.has(keyOf(write)) ? requestInProgress() : tooManyWrites();
    return { at: write.at, outcome: { error } };
  });
}

const requestInProgress = (): Problem => problem('request_in_progress', {}, { 'Retry-After': '1' });

/** The result of a committed batch: an outcome for each write, the number of new orders, and the events to publish. */
type Committed = { decided: Decided[]; placed: number; pending: PendingEvents };
const nothingPending: PendingEvents = { orders: [], menu: [], bills: [] };

/**
 * Runs one transaction: load, decide, store. If there is nothing to store, aborts the transaction, so that no numbers are used.
 */
async function commitBatch(
  { transactions, seatingCache, ...deps }: Deps,
  { open, readsAll }: { open: readonly OpenWrite[]; readsAll: boolean },
): Promise<Committed> {
  const writes = open.map(({ write }) => write);
  const deadline = Math.max(...open.map((write) => write.deadline));
  const traceparent = writes[0]?.context.traceparent ?? '';
  const { left, ...committed } = await transactions.run({ deadline }, async (session) => {
    const loaded = await loadBatch({ ...deps, seatingCache }, { writes, readsAll, session });
    const { state, batchId, cached } = loaded;
    endOverdueReservations(state, traceparent);
    const decided = open.map(({ write, at }) => ({ at, outcome: decide(state, write) }));
    if (!hasWrites(state)) {
      await session.abortTransaction();
      return { decided, placed: 0, pending: nothingPending, left: null };
    }
    const pending = await storeBatch(deps, { ...loaded, traceparent, session });
    const seatings = seatingsAfter(loaded);
    return { decided, placed: state.placed.length, pending, left: { batchId, seatings, wasValid: cached !== null } };
  });
  if (left) seatingCache.update(left);
  return committed;
}

function decide(state: BatchState, write: Write): Outcome<Written> {
  if (write.kind === 'place') return decidePlacement(state, write);
  if (write.kind === 'change_order') return decideOrderChange(state, write);
  if (write.kind === 'move_items') return decideItemMove(state, write);
  if (write.kind === 'remake') return decideRemake(state, write);
  return write.kind === 'decide_pix' ? decidePix(state, write) : decideBillChange(state, write);
}

function publish({ metrics, outboxes }: Deps, { placed, pending }: Committed): void {
  metrics.placed.inc(placed);
  for (const name of ['orders', 'menu', 'bills'] as const)
    for (const { documentId, messages } of pending[name]) outboxes[name].publishNow(documentId, messages);
}
