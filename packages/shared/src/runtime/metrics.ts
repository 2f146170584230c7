import { collectDefaultMetrics, Gauge, register, Registry } from 'prom-client';

export type Metrics = Registry;

/** The metrics registry of one service, with the default metrics of the process. Every series has the label `service`. */
export function createMetrics(service: string): Metrics {
  const registry = Registry.merge([metricsOfProcess()]);
  registry.setDefaultLabels({ service });
  return registry;
}

/** Collected once in a process: what measures its event loop, every 10 ms, is never ended. Reading it begins it anew, for all. */
function metricsOfProcess(): Registry {
  if (register.getMetricsAsArray().length === 0) collectDefaultMetrics();
  return register;
}

/** Adds the version of the service as a label of a gauge that is always 1, as Prometheus' own programs do. */
export function addBuildInfo(metrics: Metrics, version: string): void {
  const help = 'The version of the service and of Node; always 1';
  new Gauge({ name: 'comanda_build_info', help, labelNames: ['version', 'node'], registers: [metrics] })
    .labels(version, process.version)
    .set(1);
}
