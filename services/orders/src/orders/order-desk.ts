import { problem, Problem } from '@comanda/contracts/problems';
import type { Message } from '@comanda/shared/messaging/publisher';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { isDuplicate, isConflict, isUnknownCommit, jitter } from '@comanda/shared/mongo/transactions';
import type { Transactions } from '@comanda/shared/mongo/transactions';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { HouseStore } from '../house/house-store.ts';
import type { MenuStore } from '../menu/menu-store.ts';
import type { DeskMetrics } from './desk-metrics.ts';
import { decide, hasWrites, readFacts, writeBatch } from './order-batch.ts';
import type { BatchDecision, Done, Outboxes, Work } from './order-batch.ts';
import type { Change } from './order-change.ts';
import type { OrderStore } from './order-store.ts';
import type { Order } from './order.ts';
import type { Placement } from './placement.ts';

export type OrderDesk = {
  /**
   * The order, once it and its event are stored for good.
   * @throws what refuses the placement, 422 `idempotency_key_reused`, 503 `service_unavailable`
   */
  place: (placement: Placement) => Promise<Done>;
  /**
   * The order as the change has left it, which gives portions of `dishes` back.
   * @throws 404 `not_found`, what refuses the change, 503 `service_unavailable`
   */
  change: (change: Change, dishes: readonly number[]) => Promise<Order>;
  close: () => Promise<void>;
};
type Options = {
  orders: OrderStore;
  menu: MenuStore;
  house: HouseStore;
  transactions: Transactions;
  /** Told of each document that was written, with the events to be published. */
  onWritten: (where: 'orders' | 'menu', documentId: number, messages: readonly Message[]) => void;
  houseDay: (at: Date) => string;
  currency: string;
  /** Placements that may wait; more are 503. */
  queueLimit: number;
  logger: Logger;
  metrics: DeskMetrics;
};
type Outcomes = readonly Outcome<Done>[];

const maxBatch = 256;
/** No attempt begins later than this, so that a caller hears 503 within 2 s. */
const patienceMs = 1000;

const notNow = (detail: string): Problem => problem('service_unavailable', { detail }, { 'Retry-After': '1' });

/**
 * The one write path of new orders and of portions: what waits while one batch commits is the next batch. One
 * transaction takes the numbers, takes portions and gives them back, and writes the orders with their events; each order
 * is accepted or refused on its own.
 */
export function createOrderDesk(options: Options): OrderDesk {
  const { metrics, logger } = options;

  const batcher = createBatcher<Work, Done>({
    maxBatch,
    maxQueue: options.queueLimit,
    // A tablet gone wild does not keep the others waiting.
    ownerOf: (work) => (work.kind === 'place' ? work.placement.by.id : work.change.by.actor.id),
    run: doAll,
  });
  metrics.watchDepth(batcher.depth);

  async function doAll(work: readonly Work[]): Promise<Outcomes> {
    const measured = metrics.batchSeconds.startTimer();
    metrics.batchSize.observe(work.length);
    try {
      return await attemptUntilDone(work, options);
    } catch (error) {
      const ofTheStore = error instanceof Problem || mongoProblem(error) !== null || isUnknownCommit(error);
      if (ofTheStore || work.length === 1) throw error;
      logger.error({ err: error }, 'a batch of orders failed: each is tried alone');
      return await doEachAlone(work);
    } finally {
      measured();
    }
  }
  /** So that what is wrong with one, or with the dish that it names, is not visited on the others. */
  async function doEachAlone(work: readonly Work[]): Promise<Outcomes> {
    const outcomes: Outcome<Done>[] = [];
    for (const each of work) {
      outcomes.push(...(await doAll([each]).catch((error: unknown) => [{ error }])));
    }
    return outcomes;
  }
  return {
    place: (placement) => batcher.submit({ kind: 'place', placement, traceparent: placement.traceparent }),
    change: async (change, dishes) => {
      const { traceparent } = change.by;
      return (await batcher.submit({ kind: 'change', change, dishes, traceparent })).order;
    },
    close: batcher.close,
  };
}

async function attemptUntilDone(work: readonly Work[], options: Options): Promise<Outcomes> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      const outcomes = await attempt(work, { ...options, deadline });
      if (outcomes) return outcomes;
    } catch (error) {
      if (!isConflict(error) && !isDuplicate(error)) throw error;
      options.logger.debug({ err: error }, 'a batch of orders begins again');
    }
    options.metrics.attemptsAgain.inc();
    if (performance.now() > deadline) throw notNow('Too many write at once.');
    await jitter();
  }
}

/** Null where somebody else wrote what this batch had read; nothing was written then. */
async function attempt(work: readonly Work[], options: Options & { deadline: number }): Promise<Outcomes | null> {
  const { transactions, onWritten, metrics, deadline } = options;
  const done: { decision?: BatchDecision; outboxes?: Outboxes | null } = {};
  const committed = await transactions.run({ deadline }, async (session) => {
    const facts = await readFacts(work, options, session);
    done.decision = decide(work, facts, options.currency);
    done.outboxes = await writeBatch(done.decision, { ...options, taken: facts.taken, session });
    if (done.outboxes === null) await session.abortTransaction();
    return done.outboxes !== null;
  });
  if (!done.decision || (!committed && hasWrites(done.decision))) return null;
  const { outcomes, placed, dishes } = done.decision;
  metrics.placed.inc(placed.length);
  for (const [id, messages] of done.outboxes ?? []) onWritten('orders', id, messages);
  for (const { dish, message } of dishes) onWritten('menu', dish.id, [message]);
  return outcomes;
}
