import type { Metrics } from '@comanda/shared/runtime/metrics';
import { Counter, Gauge } from 'prom-client';

/** `watch` adds one hasher to the metrics and returns a function to call whenever a hash starts. */
export type HasherMetrics = { watch: (hashed: 'password' | 'pin', countWaiting: () => number) => () => void };

export function createHasherMetrics(metrics: Metrics): HasherMetrics {
  const registers = [metrics];
  const waiting = new Map<string, () => number>();
  const gauge: Gauge<'hashed'> = new Gauge({
    name: 'comanda_hashes_waiting',
    help: 'Passwords and PINs that wait for a thread',
    labelNames: ['hashed'],
    registers,
    collect: () => waiting.forEach((countWaiting, hashed) => gauge.set({ hashed }, countWaiting())),
  });
  const started = new Counter({
    name: 'comanda_hashes_total',
    help: 'Passwords and PINs that were hashed',
    labelNames: ['hashed'],
    registers,
  });
  return {
    watch: (hashed, countWaiting) => {
      waiting.set(hashed, countWaiting);
      return () => started.inc({ hashed });
    },
  };
}
