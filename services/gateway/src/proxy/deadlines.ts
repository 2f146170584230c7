import type { ProxiedRequest } from './proxied-request.ts';
import { UpstreamTimeout, UpstreamUnreachable } from './upstream-failure.ts';

export const connectTimeoutMs = 2000;
/** For how many time limits in a row a client may read nothing before it is cut off. */
const maxStalls = 6;

export type Deadlines = {
  /** Watches a request until `unwatch(slot)` is called with the slot that this returns. */
  watch: (proxied: ProxiedRequest) => number;
  unwatch: (slot: number) => void;
  /** How many requests are watched. */
  count: () => number;
  close: () => void;
};

/**
 * Reports requests whose service has been silent for `timeoutMs`, at most an eighth of that too late. While the client
 * does not read, the service has time. One timer looks at all requests; a timer for each would cost more than
 * the rest of this file.
 */
export function createDeadlines(
  timeoutMs: number,
  onTimeout: (proxied: ProxiedRequest, error: Error) => void,
): Deadlines {
  // Slots that are used again. A Set of the requests in flight keeps finished ones in memory for a long time.
  const slots: (ProxiedRequest | null)[] = [];
  const freeSlots: number[] = [];

  const check = (): void => {
    const now = performance.now();
    for (const proxied of slots) {
      const error = proxied && checkDeadline(proxied, { now, timeoutMs });
      if (error) onTimeout(proxied, error);
    }
  };
  const timer = setInterval(check, Math.min(500, Math.max(10, timeoutMs / 8)));

  return {
    watch: (proxied) => {
      const slot = freeSlots.pop() ?? slots.length;
      slots[slot] = proxied;
      return slot;
    },
    unwatch: (slot) => {
      slots[slot] = null;
      freeSlots.push(slot);
    },
    count: () => slots.length - freeSlots.length,
    close: () => clearInterval(timer),
  };
}

function checkDeadline(proxied: ProxiedRequest, { now, timeoutMs }: { now: number; timeoutMs: number }): Error | null {
  const { res } = proxied.state;
  if (proxied.failed) return null;
  if (!proxied.controller && now - proxied.startedAt > connectTimeoutMs)
    return new UpstreamUnreachable(`no connection within ${connectTimeoutMs} ms`);
  if (now - proxied.lastActivityAt < timeoutMs) return null;
  const isClientSlow = res.writableNeedDrain && proxied.stalls++ < maxStalls;
  if (!isClientSlow) return new UpstreamTimeout(`nothing received for ${timeoutMs} ms`);
  proxied.lastActivityAt = now;
  return null;
}
