import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type NotifierMetrics = ReturnType<typeof createNotifierMetrics>;

/** What the notifier counts, in the registry of its service. */
export function createNotifierMetrics(registry: Metrics) {
  const registers = [registry];
  const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
  return {
    sockets: new Gauge({ name: 'comanda_feed_sockets', help: 'Open sockets', registers }),
    live: new Gauge({ name: 'comanda_feed_live', help: '1 while the stream is read at its tail', registers }),
    lag: new Histogram({
      name: 'comanda_feed_lag_seconds',
      help: 'From the time of an event to its sending, while live',
      buckets: seconds,
      registers,
    }),
    seen: new Histogram({
      name: 'comanda_order_accepted_to_seen_seconds',
      help: "From an order's acceptance to its first painting on a screen",
      buckets: seconds,
      registers,
    }),
    replays: new Counter({
      name: 'comanda_feed_replays_total',
      help: 'Clients that were given what they missed: out of the ring, or by reading the stream again',
      labelNames: ['from'],
      registers,
    }),
    gaps: new Counter({ name: 'comanda_feed_gaps_total', help: 'Clients that were told of a gap', registers }),
    slow: new Counter({
      name: 'comanda_feed_slow_readers_total',
      help: 'Clients that did not keep up: behind, and given the rest as they read it; cut_off, having stopped reading',
      labelNames: ['outcome'],
      registers,
    }),
    refused: new Counter({
      name: 'comanda_feed_refused_total',
      help: 'Connections that were refused, by problem code',
      labelNames: ['code'],
      registers,
    }),
    unreadable: new Counter({
      name: 'comanda_feed_unreadable_events_total',
      help: 'Messages of the stream that are no event, or of an unknown type',
      registers,
    }),
  };
}
