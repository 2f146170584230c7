import { Counter, Gauge, Histogram } from 'prom-client';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { Batcher } from '@comanda/shared/runtime/batcher';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { postBatch } from './post-batch.ts';
import type { PostBatchDeps, Posting, PostingOutcome } from './post-batch.ts';
import type { TransferCommand } from './transfer.ts';

/** The one write path of money: the commands that wait while one batch commits are the next batch. */
export type Ledger = Pick<Batcher<TransferCommand, Posting>, 'reserve' | 'close'>;

const limits = { maxBatch: 256, maxQueue: 2048, maxPerOwner: 256 };

export function createLedger(deps: Omit<PostBatchDeps, 'countConflict'>, registry: Metrics): Ledger {
  const metrics = createLedgerMetrics(registry);
  const postDeps = { ...deps, countConflict: () => metrics.conflicts.inc() };
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
  return batcher;
}

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
