import { collectDefaultMetrics, Registry } from 'prom-client';

export type Metrics = Registry;

/** The metrics registry of one service, with the default metrics of the process. Every series has the label `service`. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
