import { isDeepStrictEqual } from 'node:util';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Outbox, Pending } from '@comanda/shared/messaging/outbox';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { retryOnConflict, tooManyWrites } from '@comanda/shared/mongo/retry-on-conflict';
import { isDuplicate, isUnknownCommit, type Session, type Transactions } from '@comanda/shared/mongo/transactions';
import { createBatcher, type Outcome } from '@comanda/shared/runtime/batcher';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { ExceptionStore } from '../exceptions/exception-store.ts';
import { isChanged } from './record-bill-change.ts';
import type { BillStore } from '../bills/bill-store.ts';
import { applyBillChange, type BillWriter, type WrittenBill } from './decide-bill-change.ts';
import type { DishWrite } from '../menu/menu-store.ts';
import { dishWrites, hasWrites, type BatchState, type WrittenOrder } from './batch-state.ts';
import { applyChange } from './decide-order-change.ts';
import type { ChangeOrderDeps } from '../orders/change-order.ts';
import { createKnownSeatings } from './seating-cache.ts';
import { loadBatch, type Batch, type BatchToLoad, type Loaded, type LoadOptions, type Write } from './load-batch.ts';
import type { ChangeContext } from '../orders/order-events.ts';
import type { OrderWriterMetrics } from './order-writer-metrics.ts';
import { applyPlacement, type PlaceOrderDeps } from '../orders/place-order.ts';

export type OrderWriter = PlaceOrderDeps['writer'] &
  ChangeOrderDeps['writer'] &
  BillWriter & {
    /** Accepts no more writes and waits for those that were accepted. */
    close: () => Promise<void>;
  };
type Options = Omit<LoadOptions, 'known'> & {
  transactions: Transactions;
  exceptions: Pick<ExceptionStore, 'insert'>;
  /** Publish the events of committed writes. */
  outboxes: Record<'orders' | 'menu' | 'bills', Pick<Outbox, 'publishNow'>>;
  /** How many writes may wait for the next batch. */
  maxQueue: number;
  logger: Logger;
  metrics: OrderWriterMetrics;
};
type WithKnown = Options & Pick<LoadOptions, 'known'>;
type Written = WrittenOrder | WrittenBill;
type Outcomes = readonly Outcome<Written>[];
type Committed = { outcomes: Outcomes; placed: number; outboxes: Record<keyof Options['outboxes'], Pending[]> };

const maxBatch = 256;
/** No attempt begins later than this after the request, so that its caller gets a 503 within 2 s. */
const timeLimitMs = 1200;

/**
 * The only way to write new orders and to take portions or give them back. It is a group commit: the writes that arrive
 * while one batch commits are the next batch. Each write is accepted or refused on its own.
 */
export function createOrderWriter(options: Options): OrderWriter {
  const withKnown = { ...options, known: createKnownSeatings() };
  const batcher = createBatcher<Write, Written>({
    maxBatch,
    maxQueue: options.maxQueue,
    // Batches take the writes of each user in turn, so that one client with many requests does not delay the others.
    ownerOf: ({ owner }) => owner,
    run: (batch) => writeBatch(withKnown, batch),
    isFaultOfOne,
  });
  options.metrics.watchQueue(batcher.depth);
  const deadline = (): number => performance.now() + timeLimitMs;
  const ofContext = ({ actor, traceparent }: ChangeContext) => ({ owner: actor.id, traceparent, deadline: deadline() });
  return {
    place: async (placement) => {
      const { placedBy: actor, traceparent } = placement;
      const written = await batcher.submit({ kind: 'placement', placement, ...ofContext({ actor, traceparent }) });
      return written as WrittenOrder;
    },
    change: async (change) => {
      const written = await batcher.submit({ kind: 'change', change, ...ofContext(change.context) });
      return (written as WrittenOrder).order;
    },
    changeBill: async (change) => {
      const written = await batcher.submit({ kind: 'bill', change, ...ofContext(change.context) });
      return written as WrittenBill;
    },
    close: batcher.close,
  };
}

async function writeBatch(options: WithKnown, batch: Batch): Promise<Outcomes> {
  const { metrics, logger } = options;
  const stopTimer = metrics.batchSeconds.startTimer();
  metrics.batchSize.observe(batch.length);
  try {
    return await writeTogether(options, batch);
  } catch (error) {
    if (batch.length > 1 && isFaultOfOne(error))
      logger.error({ err: error }, 'a batch of orders failed: each write is tried alone');
    throw error;
  } finally {
    stopTimer();
  }
}

/** Broken data of one order or dish, which fails only the writes that need it; not a failure of the database. */
const isFaultOfOne = (error: unknown): boolean =>
  !(error instanceof Problem || mongoProblem(error) !== null || isUnknownCommit(error));

/**
 * Commits the batch, again from the beginning while other writes come first. Then publishes its events. A write whose
 * deadline passes meanwhile is refused, and the others go on.
 */
async function writeTogether(options: WithKnown, batch: Batch): Promise<Outcomes> {
  const { metrics, logger, outboxes } = options;
  const outcomes = new Map<Write, Outcome<Written>>();
  const openWrites = (): Batch => batch.filter((write) => !outcomes.has(write));
  const refuseExpired = async (error?: unknown): Promise<void> => {
    const now = performance.now();
    const expired = openWrites().filter(({ deadline }) => deadline < now);
    const isRunning = await findRunning(options, isDuplicate(error) ? expired : []);
    for (const write of expired)
      outcomes.set(write, { error: isRunning(write) ? requestInProgress() : tooManyWrites() });
  };
  let readsAll = false;
  const onConflict = (error: unknown): Promise<void> => {
    metrics.conflicts.inc();
    readsAll ||= isDuplicate(error);
    logger.debug({ err: error }, 'a batch of orders met another write');
    return refuseExpired(error);
  };
  await refuseExpired();
  // A duplicate idempotency key means that another instance has just placed that order: the next attempt finds it. A second
  // open bill of a seating means that the counters do not know of the first.
  await retryOnConflict({ deadline: Infinity, isRetryable: isDuplicate, onConflict }, async () => {
    const writes = openWrites();
    if (writes.length === 0) return;
    const committed = await commitBatch(options, { batch: writes, readsAll });
    writes.forEach((write, index) => outcomes.set(write, committed.outcomes[index] ?? noOutcome));
    metrics.placed.inc(committed.placed);
    for (const name of ['orders', 'menu', 'bills'] as const)
      for (const { documentId, messages } of committed.outboxes[name]) outboxes[name].publishNow(documentId, messages);
  });
  return batch.map((write) => outcomes.get(write) ?? noOutcome);
}

const requestInProgress = (): Problem => problem('request_in_progress', {}, { 'Retry-After': '1' });
const noOutcome = { error: new Error('a write has no outcome') };

/** Tells which writes repeat a request that another instance has written, but whose commit is not durable yet. */
async function findRunning({ orders }: Options, writes: Batch): Promise<(write: Write) => boolean> {
  const keyOf = (write: Write): string => (write.kind === 'placement' && write.placement.request?.key) || '';
  const keys = writes.map(keyOf).filter((key) => key !== '');
  const used = keys.length === 0 ? new Set<string>() : await orders.findUsedRequestKeys(keys);
  return (write) => used.has(keyOf(write));
}

/** One transaction: load, decide, store. If there is nothing to store, it is aborted, and no numbers are used up. */
async function commitBatch(options: WithKnown, { batch, readsAll }: BatchToLoad): Promise<Committed> {
  const deadline = Math.max(...batch.map((write) => write.deadline));
  const { onCommitted, ...committed } = await options.transactions.run({ deadline }, async (session) => {
    const { state, taken, keepKnown } = await loadBatch(options, { batch, readsAll, session });

    const outcomes = batch.map((write) => applyWrite(state, write));
    const dishes = dishWrites(state, batch[0]?.traceparent ?? '');

    if (!hasWrites(state)) {
      await session.abortTransaction();
      return { outcomes, placed: 0, outboxes: { orders: [], menu: [], bills: [] } };
    }
    const outboxes = await storeBatch(options, { state, taken, dishes, session });
    return { outcomes, placed: state.placed.length, outboxes, onCommitted: keepKnown };
  });
  onCommitted?.();
  return committed;
}

function applyWrite(state: BatchState, write: Write): Outcome<Written> {
  if (write.kind === 'placement') return applyPlacement(state, write.placement);
  return write.kind === 'change' ? applyChange(state, write.change) : applyBillChange(state, write.change);
}

type Decided = Pick<Loaded, 'state' | 'taken'> & { dishes: readonly DishWrite[]; session: Session };

/** Returns the outboxes of what it wrote. @throws WriteConflict if another write has changed what was read */
async function storeBatch(
  { restaurant, menu, orders, bills, exceptions }: Options,
  { state, taken, dishes, session }: Decided,
): Promise<Committed['outboxes']> {
  // Bills and payments may leave out numbers. The others differ if a write was refused, and on a new business day.
  const counters = {
    ...state.counters,
    billId: taken.billId,
    paymentId: taken.paymentId,
    movementId: taken.movementId + state.exceptions.length,
  };
  if (!isDeepStrictEqual(counters, taken)) await restaurant.updateCounters(counters, session);
  await exceptions.insert(state.exceptions, { idBefore: taken.movementId, session });
  await menu.updatePortions(dishes, session);
  await orders.insert(state.placed, session);
  const placed = state.placed.map(({ order, message }): Pending => ({ documentId: order.id, messages: [message] }));
  const changed = await orders.updateAll(state.changed, session);
  return {
    orders: [...placed, ...changed],
    bills: await storeBills(bills, state, session),
    menu: dishes.map(({ dish, message }) => ({ documentId: dish.id, messages: [message] })),
  };
}

function storeBills(bills: BillStore, { bills: state, now }: BatchState, session: Session): Promise<Pending[]> {
  const changed = [...state.byId.values()].filter(isChanged);
  const [begun, others] = [changed.filter(({ before }) => !before), changed.filter(({ before }) => before)];
  const grown = [...state.growing.values()].filter(({ history }) => history.length > 0);
  // First those that may end: a seating has one open bill.
  return bills.writeAll([...others, ...begun], { grown, now, session });
}
