import type { Ordering } from '@comanda/contracts/menu';
import { problem } from '@comanda/contracts/problem';
import type { Problem } from '@comanda/contracts/problem';

/** Until when customers cannot order, and why; `until: null` means that they can. */
export type OrderingPause = { until: Date | null; reason: string | null };

export const isPaused = ({ until }: OrderingPause, now: Date): boolean => until !== null && until > now;

/** The answer of `GET /ordering`. A pause that has ended is shown as no pause. */
export const toOrdering = (pause: OrderingPause, now: Date): Ordering =>
  isPaused(pause, now)
    ? { paused_until: pause.until?.toISOString() ?? null, reason: pause.reason }
    : { paused_until: null, reason: null };

/** Refuses a customer's order during the pause; `Retry-After` is the rest of the pause in seconds. */
export const orderingPaused = (pause: OrderingPause, now: Date): Problem =>
  problem(
    'ordering_paused',
    { ...toOrdering(pause, now) },
    { 'Retry-After': String(Math.ceil(((pause.until?.getTime() ?? 0) - now.getTime()) / 1000)) },
  );
