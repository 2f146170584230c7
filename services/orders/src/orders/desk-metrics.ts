import type { Metrics } from '@comanda/shared/runtime/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

export type DeskMetrics = ReturnType<typeof createDeskMetrics>;

/** How orders come in: how many share a batch, how long it takes, how often it begins again, how many wait. */
export function createDeskMetrics(registry: Metrics) {
  const registers = [registry];
  return {
    batchSize: new Histogram({
      name: 'comanda_orders_batch_size',
      help: 'Placements in one batch',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'comanda_orders_batch_seconds',
      help: 'Time from the begin of a batch to its commit, with all its attempts',
      buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    }),
    attemptsAgain: new Counter({
      name: 'comanda_orders_batch_attempts_again_total',
      help: 'Batches begun again because somebody else wrote what they had read',
      registers,
    }),
    placed: new Counter({
      name: 'comanda_orders_placed_total',
      help: 'Orders stored; replays and refusals do not count',
      registers,
    }),
    watchDepth: (depth: () => number) =>
      new Gauge({
        name: 'comanda_orders_waiting',
        help: 'Placements that wait for the next batch',
        registers,
        collect() {
          this.set(depth());
        },
      }),
  };
}
