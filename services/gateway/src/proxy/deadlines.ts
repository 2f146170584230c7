import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { UpstreamLate, UpstreamUnreachable } from './upstream-failure.ts';

export const connectTimeoutMs = 2000;
/** How many times in a row a client may take nothing for `timeoutMs` before it is cut off. */
const maxStalls = 6;

/** One request at a service. Times are of `performance.now()`. */
export type Attempt = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Null until it is on a connection. */
  service: Dispatcher.DispatchController | null;
  begunAt: number;
  /** When either side last moved on. */
  movedAt: number;
  stalls: number;
};
export type Deadlines<A extends Attempt> = {
  watch: (attempt: A) => void;
  forget: (attempt: A) => void;
  /** How many are watched. */
  count: () => number;
  close: () => void;
};

/**
 * Ends attempts whose service stays silent for `timeoutMs`, within an eighth of it; while it is the client who keeps us
 * waiting, the service has time. One look at all of them now and then, where a timer for each would cost more than
 * all the rest of a request's watching.
 */
export function createDeadlines<A extends Attempt>(
  timeoutMs: number,
  onLate: (attempt: A, error: Error) => void,
): Deadlines<A> {
  const watched = new Set<A>();
  const look = (): void => {
    const now = performance.now();
    for (const attempt of watched) {
      const error = verdict(attempt, { now, timeoutMs });
      if (!error) continue;
      watched.delete(attempt);
      onLate(attempt, error);
    }
  };
  const looking = setInterval(look, Math.min(500, Math.max(10, timeoutMs / 8)));
  return {
    watch: (attempt) => void watched.add(attempt),
    forget: (attempt) => void watched.delete(attempt),
    count: () => watched.size,
    close: () => clearInterval(looking),
  };
}

function verdict(attempt: Attempt, { now, timeoutMs }: { now: number; timeoutMs: number }): Error | null {
  const { req, res, service } = attempt;
  if (!service && now - attempt.begunAt > connectTimeoutMs)
    return new UpstreamUnreachable(`no connection in ${connectTimeoutMs} ms`);
  if (now - attempt.movedAt < timeoutMs) return null;
  const clientIsSlow = !req.complete || (res.writableNeedDrain && attempt.stalls++ < maxStalls);
  if (!clientIsSlow) return new UpstreamLate(`nothing in ${timeoutMs} ms`);
  attempt.movedAt = now;
  return null;
}
