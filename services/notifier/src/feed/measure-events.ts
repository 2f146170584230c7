import type { CloudEvent } from '@comanda/contracts/event-data';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { FeedMetrics } from './feed-metrics.ts';

/** How many event ids are remembered. Duplicates arrive within moments of each other. */
const maxRememberedIds = 1000;

/**
 * Measures how late events are sent, and how long orders waited until their stations showed them. Counts each event only once.
 */
export function measureEvents({ lag, seen }: FeedMetrics, clock: Clock): (event: CloudEvent) => void {
  const measuredIds = new Set<string>();
  return ({ id, type, time, data }) => {
    if (measuredIds.has(id)) return;
    measuredIds.add(id);
    if (measuredIds.size > maxRememberedIds) measuredIds.delete(measuredIds.values().next().value ?? '');
    const publishedMs = Date.parse(time);
    lag.observe(Math.max(0, clock() - publishedMs) / 1000);
    if (type === 'order.seen' && 'order' in data)
      seen.observe(Math.max(0, publishedMs - Date.parse(data.order.created_at)) / 1000);
  };
}
