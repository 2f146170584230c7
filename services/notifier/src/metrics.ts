import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type NotifierMetrics = ReturnType<typeof createNotifierMetrics>;

/** The notifier's own metrics. */
export function createNotifierMetrics(registry: Metrics) {
  const registers = [registry];
  const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
  return {
    sockets: new Gauge({ name: 'comanda_feed_sockets', help: 'Open sockets', registers }),
    live: new Gauge({ name: 'comanda_feed_live', help: '1 while the stream is read at its tail', registers }),
    lag: new Histogram({
      name: 'comanda_feed_lag_seconds',
      help: 'From the time of an event until it is sent, while live',
      buckets: seconds,
      registers,
    }),
    seen: new Histogram({
      name: 'comanda_order_accepted_to_seen_seconds',
      help: 'From the acceptance of an order until staff first see it',
      buckets: seconds,
      registers,
    }),
    replays: new Counter({
      name: 'comanda_feed_replays_total',
      help: 'Clients that received what they missed, from the ring or from the stream',
      labelNames: ['from'],
      registers,
    }),
    gaps: new Counter({ name: 'comanda_feed_gaps_total', help: 'Clients that were sent a gap', registers }),
    slow: new Counter({
      name: 'comanda_feed_slow_readers_total',
      help: 'Clients that did not keep up. behind: the rest was replayed as they read it; cut_off: they had stopped reading',
      labelNames: ['outcome'],
      registers,
    }),
    refused: new Counter({
      name: 'comanda_feed_refused_total',
      help: 'Refused connections by problem code',
      labelNames: ['code'],
      registers,
    }),
    unreadable: new Counter({
      name: 'comanda_feed_unreadable_events_total',
      help: 'Messages of the stream that are not events or of an unknown type',
      registers,
    }),
  };
}
