import type { Ordering } from '@comanda/contracts/ordering';
import { problem, type Problem } from '@comanda/contracts/problem';

/**
 * A pause during which customers can't order, with its end and its reason. If `until` is null, there is no pause. `version` grows
 * by 1 with each change.
 */
export type OrderingPause = { until: Date | null; reason: string | null; version: number };

export const isPaused = ({ until }: OrderingPause, now: Date): boolean => until !== null && until > now;

/** Returns the response to `GET /ordering`. After the pause has ended, the response is the same as without a pause. */
export const toOrdering = (pause: OrderingPause, now: Date): Ordering =>
  isPaused(pause, now)
    ? { paused_until: pause.until?.toISOString() ?? null, reason: pause.reason, version: pause.version }
    : { paused_until: null, reason: null, version: pause.version };

/**
 * Returns the problem for a customer's order during the pause. Its `Retry-After` header contains the seconds until the pause
 * ends.
 */
export function orderingPaused(pause: OrderingPause, now: Date): Problem {
  const { paused_until, reason } = toOrdering(pause, now);
  const leftMs = (pause.until?.getTime() ?? 0) - now.getTime();
  return problem('ordering_paused', { paused_until, reason }, { 'Retry-After': String(Math.ceil(leftMs / 1000)) });
}
