import { collectDefaultMetrics, Registry } from 'prom-client';

export type Metrics = Registry;

/** A registry of its own for one service, with the process's default metrics; every series says which service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
