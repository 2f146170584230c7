import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, problem } from '@comanda/contracts/problem';
import { Counter, Gauge, Histogram } from 'prom-client';
import { databaseUnavailable, mongoProblem } from '@comanda/shared/mongo/connection';
import { createBatcher, QueueFull } from '@comanda/shared/runtime/batcher';
import type { Batcher, Slot } from '@comanda/shared/runtime/batcher';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { postBatch } from './post-batch.ts';
import type { PostBatchDeps, Posting, PostingOutcome } from './post-batch.ts';
import type { TransferCommand } from './transfer.ts';

/**
 * The one write path of money: the commands that wait while one batch commits are the next batch. A command that was
 * submitted has spent its token. It is tried again until it is decided or its token expires, also after its caller was
 * answered.
 */
export type Ledger = {
  /** @throws QueueFull; 503 `service_unavailable` while the database is down */
  reserve: (userId: number) => Slot<TransferCommand, Posting>;
  /** Accepts nothing more, and tries nothing again; waits for what is running. */
  close: () => Promise<void>;
};
type LedgerDeps = Omit<PostBatchDeps, 'countConflict' | 'ids'> & { isUp: () => boolean };

const limits = { maxBatch: 256, maxQueue: 2048, maxPerOwner: 256 };
/** Pauses before a command is tried again double, from the first to the last. */
const [firstPauseMs, lastPauseMs] = [50, 1000];

export function createLedger({ isUp, ...deps }: LedgerDeps, registry: Metrics): Ledger {
  const metrics = createLedgerMetrics(registry);
  const postDeps = {
    ...deps,
    ids: new WeakMap<TransferCommand, number>(),
    countConflict: () => metrics.conflicts.inc(),
  };
  const batcher = createBatcher<TransferCommand, Posting>({
    ...limits,
    run: async (commands) => {
      const stopTimer = metrics.seconds.startTimer();
      const outcomes = await postBatch(postDeps, commands);
      stopTimer();
      metrics.size.observe(commands.length);
      for (const outcome of outcomes) metrics.commands.inc({ outcome: nameOf(outcome) });
      return outcomes;
    },
  });
  registerQueueGauge(registry, batcher.depth);
  const closing = new AbortController();
  const reserve = (userId: number): Slot<TransferCommand, Posting> => {
    if (!isUp()) throw databaseUnavailable();
    return batcher.reserve(userId);
  };
  async function postUntilDecided(firstSlot: BatchSlot, command: TransferCommand): Promise<Posting> {
    let slot: BatchSlot | null = firstSlot;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(lastPauseMs, 2 * pauseMs)) {
      try {
        slot ??= batcher.reserve(command.userId);
        return await slot.submit(command);
      } catch (error) {
        if (!isUndecided(error)) throw error;
        slot = null;
      }
      // After this, only the same token or idempotency key can find out, at another instance.
      if (closing.signal.aborted) throw problem('service_unavailable', { outcome: 'unknown' }, { 'Retry-After': '1' });
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => undefined); // aborted by close()
    }
  }
  return {
    reserve: (userId) => {
      const slot = reserve(userId);
      return { submit: (command) => postUntilDecided(slot, command), release: slot.release };
    },
    close: () => {
      closing.abort();
      return batcher.close();
    },
  };
}
type BatchSlot = ReturnType<Batcher<TransferCommand, Posting>['reserve']>;

/** Whether the command may still be posted: nothing was decided, or it is unknown whether it was. */
const isUndecided = (error: unknown): boolean =>
  error instanceof Problem
    ? error.code === 'service_unavailable'
    : error instanceof QueueFull || mongoProblem(error) !== null;

function nameOf(outcome: PostingOutcome): string {
  if ('error' in outcome) return 'failed';
  if (outcome.value === 'too_late') return 'too_late';
  return outcome.value.replayed ? 'replayed' : outcome.value.row.status;
}

function registerQueueGauge(registry: Metrics, depth: () => number): void {
  void new Gauge({
    name: 'comanda_ledger_waiting',
    help: 'Transfers that wait for the next batch',
    registers: [registry],
    collect() {
      this.set(depth());
    },
  });
}

const createLedgerMetrics = (registry: Metrics) => ({
  commands: new Counter({
    name: 'comanda_ledger_calls_total',
    help: 'Transfers that were decided or failed, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  }),
  conflicts: new Counter({
    name: 'comanda_ledger_conflicts_total',
    help: 'Transactions that wrote nothing because another write came first',
    registers: [registry],
  }),
  size: new Histogram({
    name: 'comanda_ledger_batch_size',
    help: 'Transfers in one batch',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [registry],
  }),
  seconds: new Histogram({
    name: 'comanda_ledger_batch_seconds',
    help: 'Time from the start of a batch to its last outcome, in seconds',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
    registers: [registry],
  }),
});
