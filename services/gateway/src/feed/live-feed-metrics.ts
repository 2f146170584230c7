import type { Metrics } from '@comanda/shared/runtime/metrics';
import { Gauge } from 'prom-client';

export const createLiveFeedMetrics = (registry: Metrics) => ({
  open: new Gauge({ name: 'live_feeds', help: 'Open live feeds', registers: [registry] }),
});
