import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type ConnectionMetrics = ReturnType<typeof createConnectionMetrics>;

export function createConnectionMetrics(registry: Metrics) {
  const registers = [registry];
  return {
    sockets: new Gauge({ name: 'comanda_feed_sockets', help: 'Open sockets', registers }),
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
  };
}
