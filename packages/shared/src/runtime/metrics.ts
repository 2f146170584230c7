import { collectDefaultMetrics, Gauge, register, Registry } from 'prom-client';

export type Metrics = Registry;

/**
 * Creates the metrics registry for one service, with the default metrics of the process. Every series has the label `service`.
 */
export function createMetrics(service: string): Metrics {
  const registry = Registry.merge([metricsOfProcess()]);
  registry.setDefaultLabels({ service });
  return registry;
}

/**
 * Returns the default metrics of the process, collected only once: the measurement of its event loop, every 10 ms, never ends.
 * Reading this measurement resets it for all services.
 */
function metricsOfProcess(): Registry {
  if (register.getMetricsAsArray().length === 0) collectDefaultMetrics();
  return register;
}

/** Adds a gauge that is always 1, with the service's version as a label, as in Prometheus's own programs. */
export function addBuildInfo(metrics: Metrics, version: string): void {
  const help = 'The version of the service and of Node; always 1';
  new Gauge({ name: 'comanda_build_info', help, labelNames: ['version', 'node'], registers: [metrics] })
    .labels(version, process.version)
    .set(1);
}
