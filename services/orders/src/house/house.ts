import { problem } from '@comanda/contracts/problems';
import type { Problem } from '@comanda/contracts/problems';
import type { Ordering } from '@comanda/contracts/menu';

/** The last numbers given out. `day` is the house's date, on which tickets count from 1. */
export type Counters = { orderId: number; itemId: number; day: string; ticket: number };
/** When customers may order again, and why not until then; null: they may. */
export type Pause = { until: Date | null; reason: string | null };

/** Names the date of the house at a moment, e.g. `2026-11-20`. */
export function createHouseDay(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(at);
}

/** The counters on `day`: tickets begin anew, and a clock that lags does not bring yesterday back. */
export const onDay = (counters: Counters, day: string): Counters =>
  day > counters.day ? { ...counters, day, ticket: 0 } : counters;

/** How many numbers of each kind are to be given out. */
export type Numbers = { orders: number; items: number };

/** The counters after these were given out on the same day. */
export const afterTaking = (counters: Counters, { orders, items }: Numbers): Counters => ({
  ...counters,
  orderId: counters.orderId + orders,
  itemId: counters.itemId + items,
  ticket: counters.ticket + orders,
});

export const isPaused = ({ until }: Pause, now: Date): boolean => until !== null && until > now;

/** A pause that has run out is none. */
export const toOrdering = (pause: Pause, now: Date): Ordering =>
  isPaused(pause, now)
    ? { paused_until: pause.until?.toISOString() ?? null, reason: pause.reason }
    : { paused_until: null, reason: null };

/** What a customer is told who orders meanwhile; `Retry-After` in seconds. */
export const orderingPaused = (pause: Pause, now: Date): Problem =>
  problem(
    'ordering_paused',
    { ...toOrdering(pause, now) },
    { 'Retry-After': String(Math.ceil(((pause.until?.getTime() ?? 0) - now.getTime()) / 1000)) },
  );
