import type { CloudEvent } from '@comanda/contracts/event-data';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { FeedMetrics } from './feed-metrics.ts';

/** How many event ids are remembered. A duplicate arrives soon after the first copy, so older ids are not needed. */
const maxRememberedIds = 1000;

export type MeasureEvent = (event: CloudEvent) => void;

/**
 * Creates a function that measures how late an event is sent, and how long an order waited until its station showed it.
 * Counts each event only once. Skips times that aren't dates, because a histogram rejects them.
 */
export function measureEvents({ lag, seen }: FeedMetrics, clock: Clock): MeasureEvent {
  const measuredIds = new Set<string>();
  const observe = (histogram: FeedMetrics['lag'], { fromMs, toMs }: { fromMs: number; toMs: number }): void => {
    const seconds = Math.max(0, toMs - fromMs) / 1000;
    if (!Number.isNaN(seconds)) histogram.observe(seconds);
  };
  return ({ id, type, time, data }) => {
    if (measuredIds.has(id)) return;
    measuredIds.add(id);
    if (measuredIds.size > maxRememberedIds) measuredIds.delete(measuredIds.values().next().value ?? '');
    const publishedMs = Date.parse(time);
    observe(lag, { fromMs: publishedMs, toMs: clock() });
    if (type === 'order.seen' && 'order' in data)
      observe(seen, { fromMs: Date.parse(data.order.created_at), toMs: publishedMs });
  };
}
