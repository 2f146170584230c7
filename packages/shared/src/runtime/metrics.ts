import { collectDefaultMetrics, Gauge, register, Registry } from 'prom-client';

export type Metrics = Registry;

/** Creates one service's metrics registry, which includes the process's default metrics. Every series has the label `service`. */
export function createMetrics(service: string): Metrics {
  const registry = Registry.merge([metricsOfProcess()]);
  registry.setDefaultLabels({ service });
  return registry;
}

/**
 * Returns the process's default metrics. They are registered only once, because they sample the event loop every 10 ms and can't
 * be stopped. Reading them resets them for all services in the process.
 */
function metricsOfProcess(): Registry {
  if (register.getMetricsAsArray().length === 0) collectDefaultMetrics();
  return register;
}

/** Adds a gauge that is always 1 and has the service's version as a label. Prometheus's own programs have such a gauge too. */
export function addBuildInfo(metrics: Metrics, version: string): void {
  const help = 'The version of the service and of Node; always 1';
  new Gauge({ name: 'comanda_build_info', help, labelNames: ['version', 'node'], registers: [metrics] })
    .labels(version, process.version)
    .set(1);
}
