import { isDeepStrictEqual } from 'node:util';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Outbox, Pending } from '@comanda/shared/messaging/outbox';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { retryOnConflict, tooManyWrites } from '@comanda/shared/mongo/retry-on-conflict';
import {
  allWhenSettled,
  isDuplicate,
  isUnknownCommit,
  type Session,
  type Transactions,
} from '@comanda/shared/mongo/transactions';
import { createBatcher, type Outcome } from '@comanda/shared/runtime/batcher';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { nameKey } from '../menu/menu-item.ts';
import type { DishWrite, MenuStore } from '../menu/menu-store.ts';
import type { BusinessDay } from '../restaurant/business-day.ts';
import { afterTaking, onBusinessDay, type Counters } from '../restaurant/counters.ts';
import type { OrderingPause } from '../restaurant/ordering-pause.ts';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import { dishWrites, hasWrites, type BatchState, type WrittenOrder } from './batch-state.ts';
import { applyChange, type ChangeOrderDeps, type PortionsChange } from './change-order.ts';
import { holdingsOf, ownersToCount, type CustomerLimits, type Holdings } from './customer-limits.ts';
import type { OrderStore } from './order-store.ts';
import type { OrderWriterMetrics } from './order-writer-metrics.ts';
import { applyPlacement, type Placement, type PlaceOrderDeps } from './place-order.ts';

export type OrderWriter = PlaceOrderDeps['writer'] &
  ChangeOrderDeps['writer'] & {
    /** Accepts no more writes and waits for those that were accepted. */
    close: () => Promise<void>;
  };
type Options = {
  orders: OrderStore;
  menu: MenuStore;
  restaurant: RestaurantStore;
  transactions: Transactions;
  /** Publish the events of committed writes. */
  outboxes: Record<'orders' | 'menu', Pick<Outbox, 'publishNow'>>;
  businessDay: BusinessDay;
  currency: string;
  customerLimits: CustomerLimits;
  /** How many writes may wait for the next batch. */
  maxQueue: number;
  clock: Clock;
  logger: Logger;
  metrics: OrderWriterMetrics;
};
/** A write of the user `owner`. No attempt begins after `deadline` [performance.now()]. */
type Write = { owner: number; traceparent: string; deadline: number } & (
  | { kind: 'placement'; placement: Placement }
  | { kind: 'change'; change: PortionsChange }
);
type Batch = readonly Write[];
type Outcomes = readonly Outcome<WrittenOrder>[];
type Committed = { outcomes: Outcomes; placed: number; outboxes: { orders: Pending[]; menu: Pending[] } };

const maxBatch = 256;
/** No attempt begins later than this after the request, so that its caller gets a 503 within 2 s. */
const timeLimitMs = 1200;

/**
 * The only way to write new orders and to take portions or give them back. It is a group commit: the writes that arrive
 * while one batch commits are the next batch. Each write is accepted or refused on its own.
 */
export function createOrderWriter(options: Options): OrderWriter {
  const batcher = createBatcher<Write, WrittenOrder>({
    maxBatch,
    maxQueue: options.maxQueue,
    // Batches take the writes of each user in turn, so that one client with many requests does not delay the others.
    ownerOf: ({ owner }) => owner,
    run: (batch) => writeBatch(options, batch),
    isFaultOfOne,
  });
  options.metrics.watchQueue(batcher.depth);
  const deadline = (): number => performance.now() + timeLimitMs;
  return {
    place: (placement) => {
      const { placedBy, traceparent } = placement;
      return batcher.submit({ kind: 'placement', placement, owner: placedBy.id, traceparent, deadline: deadline() });
    },
    change: async (change) => {
      const { actor, traceparent } = change.context;
      const write = { kind: 'change', change, owner: actor.id, traceparent, deadline: deadline() } as const;
      return (await batcher.submit(write)).order;
    },
    close: batcher.close,
  };
}

async function writeBatch(options: Options, batch: Batch): Promise<Outcomes> {
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
async function writeTogether(options: Options, batch: Batch): Promise<Outcomes> {
  const { metrics, logger, outboxes } = options;
  const outcomes = new Map<Write, Outcome<WrittenOrder>>();
  const openWrites = (): Batch => batch.filter((write) => !outcomes.has(write));
  const refuseExpired = async (error?: unknown): Promise<void> => {
    const now = performance.now();
    const expired = openWrites().filter(({ deadline }) => deadline < now);
    const isRunning = await findRunning(options, isDuplicate(error) ? expired : []);
    for (const write of expired)
      outcomes.set(write, { error: isRunning(write) ? requestInProgress() : tooManyWrites() });
  };
  const onConflict = (error: unknown): Promise<void> => {
    metrics.conflicts.inc();
    logger.debug({ err: error }, 'a batch of orders met another write');
    return refuseExpired(error);
  };
  await refuseExpired();
  // A duplicate idempotency key means that another instance has just placed that order: the next attempt finds it.
  await retryOnConflict({ deadline: Infinity, isRetryable: isDuplicate, onConflict }, async () => {
    const writes = openWrites();
    if (writes.length === 0) return;
    const committed = await commitBatch(options, writes);
    writes.forEach((write, index) => outcomes.set(write, committed.outcomes[index] ?? noOutcome));
    metrics.placed.inc(committed.placed);
    for (const { documentId, messages } of committed.outboxes.orders) outboxes.orders.publishNow(documentId, messages);
    for (const { documentId, messages } of committed.outboxes.menu) outboxes.menu.publishNow(documentId, messages);
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
async function commitBatch(options: Options, batch: Batch): Promise<Committed> {
  const deadline = Math.max(...batch.map((write) => write.deadline));
  return options.transactions.run({ deadline }, async (session) => {
    const { state, taken } = await loadBatch(options, { batch, session });

    const outcomes = batch.map((write) =>
      write.kind === 'placement' ? applyPlacement(state, write.placement) : applyChange(state, write.change),
    );
    const dishes = dishWrites(state, batch[0]?.traceparent ?? '');

    if (!hasWrites(state)) {
      await session.abortTransaction();
      return { outcomes, placed: 0, outboxes: { orders: [], menu: [] } };
    }
    const outboxes = await storeBatch(options, { state, taken, dishes, session });
    return { outcomes, placed: state.placed.length, outboxes };
  });
}

type Loaded = {
  state: BatchState;
  /** The counters as the transaction has left them so far; null if it took no numbers. */
  taken: Counters | null;
};

/**
 * Takes numbers for all placements, as if none were refused, and reads the rest at the same time. Other batches wait for
 * the numbers until this transaction ends. What is read outside the transaction is checked by its writes.
 */
async function loadBatch(options: Options, { batch, session }: { batch: Batch; session: Session }): Promise<Loaded> {
  const { orders, menu, restaurant, businessDay, currency, customerLimits, clock } = options;
  const placements = batch.flatMap((write) => (write.kind === 'placement' ? [write.placement] : []));
  const changedIds = batch.flatMap((write) => (write.kind === 'change' ? [write.change.id] : []));
  const hasCustomers = placements.some(({ placedBy }) => placedBy.role === 'customer');

  const [{ before, taken, openItems, holdings }, dishes, pause, requests, changed] = await allWhenSettled([
    takeNumbers(options, { placements, session }),
    menu.findNewest(dishesOf(batch)),
    hasCustomers ? restaurant.getPause() : noPause,
    orders.findByRequestKeys(placements.flatMap(({ request }) => request?.key ?? [])),
    orders.findNewest([...new Set(changedIds)]),
  ]);
  const now = new Date(clock());
  const state: BatchState = {
    now,
    currency,
    pause,
    dishes: {
      byId: new Map(dishes.map((dish) => [dish.id, dish])),
      byName: new Map(dishes.map((dish) => [nameKey(dish.name), dish])),
    },
    counters: onBusinessDay(before, businessDay(now)),
    portions: new Map(dishes.map(({ id, portionsLeft }) => [id, portionsLeft])),
    openItems,
    customerLimits,
    holdings,
    requests: new Map(requests.map((placed) => [placed.request.key, placed])),
    orders: new Map(changed.map((order) => [order.id, order])),
    placed: [],
    changed: [],
  };
  return { state, taken };
}

type Numbers = {
  before: Counters;
  taken: Counters | null;
  openItems: Map<number, number>;
  holdings: Map<number, Holdings>;
};
const noPause: OrderingPause = { until: null, reason: null, version: 0 };
const noCounters: Counters = { orderId: 0, itemId: 0, day: '', ticket: 0 };

/** What is open is counted once the numbers are taken: then no other batch can add any. */
async function takeNumbers(
  { restaurant, orders, customerLimits }: Options,
  { placements, session }: { placements: readonly Placement[]; session: Session },
): Promise<Numbers> {
  if (placements.length === 0) return { before: noCounters, taken: null, openItems: new Map(), holdings: new Map() };
  const numbers = { orders: placements.length, items: placements.flatMap(({ lines }) => lines).length };
  const before = await restaurant.takeNumbers(numbers, session);
  const seatings = placements.flatMap(({ location }) => location.seating ?? []);
  const openItems = await orders.getOpenItems([...new Set(seatings)], session);
  const holdings = holdingsOf(await orders.findOpenOf(ownersToCount(customerLimits, placements), session));
  return { before, taken: afterTaking(before, numbers), openItems, holdings };
}

type Decided = Loaded & { dishes: readonly DishWrite[]; session: Session };

/** Returns the outboxes of what it wrote. @throws WriteConflict if another write has changed what was read */
async function storeBatch(
  { restaurant, menu, orders }: Options,
  { state, taken, dishes, session }: Decided,
): Promise<Committed['outboxes']> {
  // They differ if some placements were refused, and on a new business day.
  if (taken && !isDeepStrictEqual(state.counters, taken)) await restaurant.updateCounters(state.counters, session);
  await menu.updatePortions(dishes, session);
  await orders.insert(state.placed, session);
  const placed = state.placed.map(({ order, message }): Pending => ({ documentId: order.id, messages: [message] }));
  const changed: Pending[] = [];
  for (const write of state.changed)
    changed.push({ documentId: write.order.id, messages: await orders.update(write, session) });
  return {
    orders: [...placed, ...changed],
    menu: dishes.map(({ dish, message }) => ({ documentId: dish.id, messages: [message] })),
  };
}

/** The dishes that placements name, and those that changes give portions back to. */
function dishesOf(batch: Batch): { ids: number[]; nameKeys: string[] } {
  const dishes = batch.flatMap((write): readonly (number | string)[] =>
    write.kind === 'placement' ? write.placement.lines.map(({ dish }) => dish) : write.change.dishIds,
  );
  const ids = dishes.filter((dish) => typeof dish === 'number');
  const nameKeys = dishes.filter((dish) => typeof dish === 'string').map(nameKey);
  return { ids: [...new Set(ids)], nameKeys: [...new Set(nameKeys)] };
}
