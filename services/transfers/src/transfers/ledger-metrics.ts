import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type LedgerMetrics = {
  countConflict: () => void;
  /** Starts timing a batch. At its end, call the returned function with the name of each command's outcome. */
  startBatch: () => (outcomes: readonly string[]) => void;
  watchQueue: (depth: () => number) => void;
};

export function createLedgerMetrics(registry: Metrics): LedgerMetrics {
  const registers = [registry];
  const commands = new Counter({
    name: 'comanda_ledger_calls_total',
    help: 'Transfers that were decided or failed, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const conflicts = new Counter({
    name: 'comanda_ledger_conflicts_total',
    help: 'Transactions that wrote nothing because another write came first',
    registers,
  });
  const size = new Histogram({
    name: 'comanda_ledger_batch_size',
    help: 'Transfers in one batch',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const seconds = new Histogram({
    name: 'comanda_ledger_batch_seconds',
    help: 'Time from the start of a batch to its last outcome, in seconds',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
    registers,
  });
  return {
    countConflict: () => conflicts.inc(),
    startBatch: () => {
      const stopTimer = seconds.startTimer();
      return (outcomes) => {
        stopTimer();
        size.observe(outcomes.length);
        for (const outcome of outcomes) commands.inc({ outcome });
      };
    },
    watchQueue: (depth) => {
      const gauge: Gauge = new Gauge({
        name: 'comanda_ledger_waiting',
        help: 'Transfers that wait for the next batch',
        registers,
        collect: () => gauge.set(depth()),
      });
    },
  };
}
