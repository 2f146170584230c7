import { Counter, Gauge, Histogram } from 'prom-client';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { Batcher } from '@comanda/shared/runtime/batcher';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { createPostBatch } from './post-batch.ts';
import type { PostBatchOptions, Posting, PostingOutcome } from './post-batch.ts';
import type { Wish } from './transfer.ts';

/** The one write path of money: what waits while one batch commits is the next batch. */
export type Ledger = Pick<Batcher<Wish, Posting>, 'reserve' | 'close'>;

const limits = { maxBatch: 256, maxQueue: 2048, maxPerOwner: 256 };

export function createLedger(options: Omit<PostBatchOptions, 'onConflict'>, metrics: Metrics): Ledger {
  const count = createCounts(metrics, () => batcher.depth());
  const postBatch = createPostBatch({ ...options, onConflict: () => count.conflicts.inc() });
  const batcher: Batcher<Wish, Posting> = createBatcher({
    ...limits,
    run: async (wishes) => {
      const done = count.seconds.startTimer();
      const outcomes = await postBatch(wishes);
      done();
      count.size.observe(wishes.length);
      for (const outcome of outcomes) count.calls.inc({ outcome: nameOf(outcome) });
      return outcomes;
    },
  });
  return batcher;
}

function nameOf(outcome: PostingOutcome): string {
  if ('error' in outcome) return 'failed';
  if (outcome.value === 'too_late') return 'too_late';
  return outcome.value.replayed ? 'replayed' : outcome.value.row.status;
}

const createCounts = (metrics: Metrics, depth: () => number) => {
  const registers = [metrics];
  void new Gauge({
    name: 'comanda_ledger_waiting',
    help: 'Calls that wait for the next batch',
    registers,
    collect() {
      this.set(depth());
    },
  });
  return {
    calls: new Counter({
      name: 'comanda_ledger_calls_total',
      help: 'Calls that went through the write path, by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    conflicts: new Counter({
      name: 'comanda_ledger_conflicts_total',
      help: 'Transactions that were given up because another one came first',
      registers,
    }),
    size: new Histogram({
      name: 'comanda_ledger_batch_size',
      help: 'Calls in one batch',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    seconds: new Histogram({
      name: 'comanda_ledger_batch_seconds',
      help: 'Time from the beginning of a batch to its last answer',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
      registers,
    }),
  };
};
