import {
  maxTabletFailuresPerHour,
  maxTabletPinAttempts,
  maxTabletPinFailures,
  tabletPinBlockMinutes,
  tabletSessionHours,
} from '@comanda/contracts/rules';
import { problem, type Problem } from '@comanda/contracts/problem';

/** A device of the restaurant on which waiters sign in with a short PIN. Times are milliseconds since the epoch. */
export type Tablet = {
  id: string;
  name: string;
  registeredAt: number;
  /** The manager. */
  registeredBy: number;
  lastUse: { at: number; userId: number } | null;
};

/** A sign-in on a tablet lasts so long, however often it is used. */
export const tabletSessionMs = tabletSessionHours * 3600_000;

/** What is counted of wrong tablet PINs, and how long a block lasts. */
export const attemptRules = {
  maxWrong: maxTabletPinAttempts,
  blockMs: tabletPinBlockMinutes * 60_000,
  maxFailures: maxTabletPinFailures,
  maxOfTablet: maxTabletFailuresPerHour,
  windowMs: 3600_000,
  /** Counts of a person on a tablet are forgotten so long after the last wrong PIN. */
  expiryMs: 30 * 24 * 3600_000,
} as const;

/** `until` in milliseconds since the epoch; null if only another tablet PIN helps. */
export const tabletPinBlocked = (until: number | null, now: number): Problem =>
  until === null
    ? problem('tablet_pin_blocked', { blocked_until: null })
    : problem(
        'tablet_pin_blocked',
        { blocked_until: new Date(until).toISOString() },
        { 'Retry-After': String(Math.max(1, Math.ceil((until - now) / 1000))) },
      );
