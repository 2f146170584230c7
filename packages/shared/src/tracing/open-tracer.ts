import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createSpanExporter } from './span-exporter.ts';
import type { TracingConfig } from './tracing-settings.ts';
import { createTracer, noTraces, type Tracer } from './tracer.ts';

type Options = { config: TracingConfig; service: string; version: string; logger: Logger; metrics: Metrics };

/** Creates a tracer that sends traces to the configured collector. Without a collector, it records nothing. */
export function openTracer({ config, service, version, logger, metrics }: Options): Tracer {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, traceRatio: ratio } = config;
  if (endpoint === '') return noTraces;
  const resource = {
    'service.name': service,
    'service.namespace': 'comanda',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
  };
  return createTracer({ ratio, ...createSpanExporter({ endpoint, headers, resource, logger, metrics }) });
}
