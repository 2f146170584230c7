import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type FeedMetrics = ReturnType<typeof createFeedMetrics>;

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createFeedMetrics(registry: Metrics) {
  const registers = [registry];
  return {
    live: new Gauge({ name: 'comanda_feed_live', help: '1 while the stream is read at its tail', registers }),
    lag: new Histogram({
      name: 'comanda_feed_lag_seconds',
      help: 'From the time of an event until it is sent, while live',
      buckets,
      registers,
    }),
    seen: new Histogram({
      name: 'comanda_order_accepted_to_seen_seconds',
      help: 'From the acceptance of an order until a station first shows it, once for each report of a screen',
      buckets,
      registers,
    }),
    unreadable: new Counter({
      name: 'comanda_feed_unreadable_events_total',
      help: 'Messages of the stream that are not events, or of an unknown type, or of another service than their type',
      registers,
    }),
  };
}
