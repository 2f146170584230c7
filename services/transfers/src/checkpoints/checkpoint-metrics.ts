import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type CheckpointMetrics = {
  countDefects: (defects: number) => void;
  watchAge: (ageSeconds: () => number) => void;
};

export function createCheckpointMetrics(registry: Metrics): CheckpointMetrics {
  const registers = [registry];
  const defects = new Counter({
    name: 'comanda_checkpoint_defects_total',
    help: 'Documents, lists and heads that were found to be tampered with while checkpoints were made, and accounts and rows when they were read',
    registers,
  });
  return {
    countDefects: (found) => defects.inc(found),
    watchAge: (ageSeconds) => {
      const gauge: Gauge = new Gauge({
        name: 'comanda_checkpoint_age_seconds',
        help: 'Time since checkpoints had signed everything that was written before, in seconds',
        registers,
        collect: () => gauge.set(ageSeconds()),
      });
    },
  };
}
