import type { RequestState } from '../request-state.ts';
import type { ProxiedRequest } from './proxied-request.ts';
import { UpstreamTimeout, UpstreamUnreachable } from './upstream-failure.ts';

export const connectTimeoutMs = 2000;
/** How many time limits in a row may pass while a client reads nothing before the client is disconnected. */
const maxStalls = 6;
/** How long a client may go without reading before it may be disconnected to make room, in milliseconds. */
const slowReaderMs = 1000;

export type Deadlines = {
  /** Watches a request. Returns a slot; pass it to `unwatch` to stop watching. */
  watch: (proxied: ProxiedRequest) => number;
  unwatch: (slot: number) => void;
  count: () => number;
  /** Returns the oldest request whose client has read nothing for a second although data is waiting; null if there is none. */
  findSlowReader: () => ProxiedRequest | null;
  close: () => void;
};

/**
 * Watches requests and calls `onTimeout` when a service has been silent for `timeoutMs`, or up to 0.5 s later. Time during which
 * the client does not read is not counted. One timer checks all requests, because a timer for each would cost more than the rest
 * of this file.
 */
export function createDeadlines(
  timeoutMs: number,
  onTimeout: (proxied: ProxiedRequest, error: Error) => void,
): Deadlines {
  // Slots are reused. A Set of the requests in flight would keep finished requests in memory for a long time.
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

/** Returns true if the client reads slowly. Data that was written less than a second ago does not count. */
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

/** Returns true if part of the response is waiting for the client to read, even if the service has already sent all of it. */
const waitsForClient = ({ res }: Pick<RequestState, 'res'>): boolean =>
  res.writableNeedDrain || (res.writableEnded && !res.writableFinished);
