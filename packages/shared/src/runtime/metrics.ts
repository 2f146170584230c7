import { collectDefaultMetrics, Gauge, register, Registry } from 'prom-client';

export type Metrics = Registry;

/** The metrics registry of one service, with the default metrics of the process. Every series has the label `service`. */
export function createMetrics(service: string): Metrics {
  const registry = Registry.merge([metricsOfProcess()]);
  registry.setDefaultLabels({ service });
  return registry;
}

/**
 * The default metrics, collected only once in a process: the measurement of its event loop, every 10 ms, never ends.
 * Reading it resets it for all services.
 */
function metricsOfProcess(): Registry {
  if (register.getMetricsAsArray().length === 0) collectDefaultMetrics();
  return register;
}

/** Adds the version of the service as a label of a gauge that is always 1, as in Prometheus's own programs. */
export function addBuildInfo(metrics: Metrics, version: string): void {
  const help = 'The version of the service and of Node; always 1';
  new Gauge({ name: 'comanda_build_info', help, labelNames: ['version', 'node'], registers: [metrics] })
    .labels(version, process.version)
    .set(1);
}
