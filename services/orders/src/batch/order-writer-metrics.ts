import type { Metrics } from '@comanda/shared/runtime/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

export type OrderWriterMetrics = ReturnType<typeof createOrderWriterMetrics>;

export function createOrderWriterMetrics(registry: Metrics) {
  const registers = [registry];
  return {
    batchSize: new Histogram({
      name: 'comanda_orders_batch_size',
      help: 'Placements and changes in one batch',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'comanda_orders_batch_seconds',
      help: 'Time from the start of a batch to its commit, including repeated attempts',
      buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    conflicts: new Counter({
      name: 'comanda_orders_batch_attempts_again_total',
      help: 'Attempts to write a batch that failed because another write came first',
      registers,
    }),
    placed: new Counter({
      name: 'comanda_orders_placed_total',
      help: 'Stored orders, without replays and refusals',
      registers,
    }),
    /** Sets the function that returns the queue's length. It is called each time the metrics are collected. */
    watchQueue: (depth: () => number) =>
      new Gauge({
        name: 'comanda_orders_waiting',
        help: 'Placements and changes that wait for the next batch',
        registers,
        collect() {
          this.set(depth());
        },
      }),
  };
}
