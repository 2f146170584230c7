import { problem, Problem } from '@comanda/shared/contracts/problems';
import type { Message } from '@comanda/shared/messaging/publisher';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { isDuplicate, isTransient, isUnknownCommit, jitter } from '@comanda/shared/mongo/transaction-store';
import type { Transactions } from '@comanda/shared/mongo/transaction-store';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { HouseStore } from '../house/house-store.ts';
import type { MenuStore } from '../menu/menu-store.ts';
import type { DeskMetrics } from './desk-metrics.ts';
import { decide, readFacts } from './order-batch.ts';
import type { Placed } from './order-batch.ts';
import type { OrderStore } from './order-store.ts';
import type { Placement } from './placement.ts';

export type OrderDesk = {
  /**
   * The order, once it and its event are stored for good.
   * @throws what refuses the placement, 422 `idempotency_key_reused`, 503 `service_unavailable`
   */
  place: (placement: Placement) => Promise<Placed>;
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
  logger: Logger;
  metrics: DeskMetrics;
};
type Outcomes = readonly Outcome<Placed>[];

const maxBatch = 256;
const maxQueue = 2048;
/** No attempt begins later than this, so that a caller hears 503 within 2 s. */
const patienceMs = 1000;

const notNow = (detail: string): Problem => problem('service_unavailable', { detail }, { 'Retry-After': '1' });

/**
 * The one write path of new orders: what waits while one batch commits is the next batch. One transaction takes the
 * numbers, reserves the portions and inserts the orders with their events; each order is accepted or refused on its own.
 */
export function createOrderDesk(options: Options): OrderDesk {
  const { metrics, logger } = options;
  let failedAt = Number.NEGATIVE_INFINITY;

  const batcher = createBatcher<{ placement: Placement; since: number }, Placed>({
    maxBatch,
    maxQueue,
    // A tablet gone wild does not keep the others waiting.
    ownerOf: ({ placement }) => placement.by.id,
    run: async (waiting) => {
      // Who waited while the database failed others is refused at once, not made to wait for it a second time.
      const fresh = waiting.filter(({ since }) => since > failedAt);
      const outcomes = await placeAll(fresh.map(({ placement }) => placement));
      const byItem = new Map(fresh.map((item, index) => [item, outcomes[index]]));
      return waiting.map((item) => byItem.get(item) ?? { error: notNow('The database does not answer.') });
    },
  });
  metrics.watchDepth(batcher.depth);

  async function placeAll(placements: readonly Placement[]): Promise<Outcomes> {
    if (placements.length === 0) return [];
    const measured = metrics.batchSeconds.startTimer();
    metrics.batchSize.observe(placements.length);
    try {
      return await attemptUntilDone(placements, options);
    } catch (error) {
      const ofTheStore = error instanceof Problem || mongoProblem(error) !== null || isUnknownCommit(error);
      if (ofTheStore) failedAt = performance.now();
      if (ofTheStore || placements.length === 1) throw error;
      logger.error({ err: error }, 'a batch of orders failed: each is tried alone');
      return await placeEachAlone(placements);
    } finally {
      measured();
    }
  }
  /** So that what is wrong with one, or with the dish that it names, is not visited on the others. */
  async function placeEachAlone(placements: readonly Placement[]): Promise<Outcomes> {
    const outcomes: Outcome<Placed>[] = [];
    for (const placement of placements) {
      // oxlint-disable-next-line no-await-in-loop -- they take numbers one after the other
      outcomes.push(...(await placeAll([placement]).catch((error: unknown) => [{ error }])));
    }
    return outcomes;
  }
  return {
    place: (placement) => batcher.submit({ placement, since: performance.now() }),
    close: batcher.close,
  };
}

async function attemptUntilDone(placements: readonly Placement[], options: Options): Promise<Outcomes> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- again from the start, on what is there by then
      const outcomes = await attempt(placements, { ...options, deadline });
      if (outcomes) return outcomes;
    } catch (error) {
      if (!isTransient(error) && !isDuplicate(error)) throw error;
      options.logger.debug({ err: error }, 'a batch of orders begins again');
    }
    options.metrics.attemptsAgain.inc();
    if (performance.now() > deadline) throw notNow('Too many write at once.');
    // oxlint-disable-next-line no-await-in-loop
    await jitter();
  }
}

/** Null where somebody else wrote what this batch had read; nothing was written then. */
async function attempt(
  placements: readonly Placement[],
  options: Options & { deadline: number },
): Promise<Outcomes | null> {
  const { orders, menu, house, transactions, onWritten, metrics, deadline } = options;
  const facts = await readFacts(placements, options);
  const { outcomes, placed, dishes, next } = decide(placements, facts, options.currency);
  if (placed.length === 0) return outcomes;
  const committed = await transactions.run({
    deadline,
    write: async (session) => {
      if (!(await house.takeNumbers({ known: facts.known, next }, session))) return false;
      if (!(await menu.setPortions(dishes, session))) return false;
      await orders.insert(placed, session);
      return true;
    },
  });
  if (!committed) return null;
  metrics.placed.inc(placed.length);
  for (const { order, message } of placed) onWritten('orders', order.id, [message]);
  for (const { dish, message } of dishes) onWritten('menu', dish.id, [message]);
  return outcomes;
}
