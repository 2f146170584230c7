import type { CloudEvent } from '@comanda/contracts/events';
import type { NotifierMetrics } from '../metrics.ts';

/** Duplicates come within moments of each other. */
const rememberedIds = 1000;

/** How late events are, and how long it took until an order was first seen; each event once. */
export function measureEvents({ lag, seen }: NotifierMetrics): (event: CloudEvent) => void {
  const known = new Set<string>();
  return ({ id, type, time, data }) => {
    if (known.has(id)) return;
    known.add(id);
    if (known.size > rememberedIds) known.delete(known.values().next().value ?? '');
    const at = Date.parse(time);
    lag.observe(Math.max(0, Date.now() - at) / 1000);
    if (type === 'order.seen' && 'order' in data)
      seen.observe(Math.max(0, at - Date.parse(data.order.created_at)) / 1000);
  };
}
