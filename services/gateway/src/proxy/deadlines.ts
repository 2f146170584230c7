import type { RequestState } from '../request-state.ts';
import type { ProxiedRequest } from './proxied-request.ts';
import { UpstreamTimeout, UpstreamUnreachable } from './upstream-failure.ts';

export const connectTimeoutMs = 2000;
/** For how many time limits in a row a client may read nothing before it is disconnected. */
const maxStalls = 6;
/** After this time without reading, a client may be disconnected to make room. */
const slowReaderMs = 1000;

export type Deadlines = {
  /** Watches a request until `unwatch` is called with the returned slot. */
  watch: (proxied: ProxiedRequest) => number;
  unwatch: (slot: number) => void;
  count: () => number;
  /** The oldest request whose client has read nothing for a while, so that its service must wait; null if there is none. */
  findSlowReader: () => ProxiedRequest | null;
  close: () => void;
};

/**
 * Reports requests whose service has been silent for `timeoutMs`, at most an eighth of that too late. Time does not count while
 * the client does not read. One timer checks all requests, because a timer for each would cost more than the rest of this file.
 */
export function createDeadlines(
  timeoutMs: number,
  onTimeout: (proxied: ProxiedRequest, error: Error) => void,
): Deadlines {
  // Slots are reused, because a Set of the requests in flight keeps finished ones in memory for a long time.
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
    findSlowReader: () => {
      const now = performance.now();
      let slowest: ProxiedRequest | null = null;
      for (const proxied of slots)
        if (proxied && isReadSlowly(proxied, now) && !(slowest && slowest.startedAt <= proxied.startedAt))
          slowest = proxied;
      return slowest;
    },
    close: () => clearInterval(timer),
  };
}

/** Whether the client reads slowly. Data handed to the network just now does not count. */
const isReadSlowly = ({ state, failed, lastActivityAt, stalls }: ProxiedRequest, now: number): boolean =>
  !failed && waitsForClient(state) && (stalls > 0 || now - lastActivityAt > slowReaderMs);

function checkDeadline(proxied: ProxiedRequest, { now, timeoutMs }: { now: number; timeoutMs: number }): Error | null {
  if (proxied.failed) return null;
  if (!proxied.controller && now - proxied.startedAt > connectTimeoutMs)
    return new UpstreamUnreachable(`no connection within ${connectTimeoutMs} ms`);
  if (now - proxied.lastActivityAt < timeoutMs) return null;
  const isClientSlow = waitsForClient(proxied.state) && proxied.stalls++ < maxStalls;
  if (!isClientSlow) return new UpstreamTimeout(`nothing received for ${timeoutMs} ms`);
  proxied.lastActivityAt = now;
  return null;
}

/** Whether part of the response waits until the client reads; the service may have sent all of it. */
const waitsForClient = ({ res }: Pick<RequestState, 'res'>): boolean =>
  res.writableNeedDrain || (res.writableEnded && !res.writableFinished);
