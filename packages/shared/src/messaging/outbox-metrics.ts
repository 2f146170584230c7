import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '../runtime/metrics.ts';

/** Creates one outbox's metrics. All outboxes in a process share the same metrics, with the outbox's name as a label. */
export function createOutboxMetrics(metrics: Metrics, outbox: string) {
  const once = <T>(name: string, make: () => T): T => (metrics.getSingleMetric(name) as T | undefined) ?? make();
  const labelNames = ['outbox'] as const;
  const registers = [metrics];
  const counters = {
    published: once('comanda_outbox_published_total', () => {
      const help = 'Events that were published and confirmed by the broker';
      return new Counter({ name: 'comanda_outbox_published_total', help, labelNames, registers });
    }),
    swept: once('comanda_outbox_swept_documents_total', () => {
      const help = 'Documents whose events the sweep found because they were not published at once';
      return new Counter({ name: 'comanda_outbox_swept_documents_total', help, labelNames, registers });
    }),
    age: once('comanda_outbox_oldest_seconds', () => {
      const help = 'Age of the oldest unpublished event at the last sweep';
      return new Gauge({ name: 'comanda_outbox_oldest_seconds', help, labelNames, registers });
    }),
  };
  counters.published.inc({ outbox }, 0);
  counters.swept.inc({ outbox }, 0);
  counters.age.set({ outbox }, 0);
  return counters;
}
