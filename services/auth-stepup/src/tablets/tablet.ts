import {
  maxTabletFailuresPerHour,
  maxTabletPinAttempts,
  maxTabletPinFailures,
  tabletPinBlockMinutes,
  tabletSessionHours,
} from '@comanda/contracts/rules';
import { problem, type Problem } from '@comanda/contracts/problem';

/** One of the restaurant's devices on which waiters sign in with a short PIN. Times are in milliseconds since the epoch. */
export type Tablet = {
  id: string;
  name: string;
  registeredAt: number;
  /** The id of the manager who registered the tablet. */
  registeredBy: number;
  lastUse: { at: number; userId: number } | null;
};

/** How long a sign-in on a tablet lasts, in milliseconds, no matter how often it is used. */
export const tabletSessionMs = tabletSessionHours * 3600_000;

/** The limits for wrong tablet PINs, and how long a block lasts. */
export const attemptRules = {
  maxWrong: maxTabletPinAttempts,
  blockMs: tabletPinBlockMinutes * 60_000,
  maxFailures: maxTabletPinFailures,
  maxOfTablet: maxTabletFailuresPerHour,
  windowMs: 3600_000,
  /** How long a person's counts on a tablet are stored after the last wrong PIN, in milliseconds. */
  expiryMs: 30 * 24 * 3600_000,
} as const;

/**
 * Creates the problem for a blocked tablet PIN. `until` is in milliseconds since the epoch; null if only a new tablet PIN helps.
 */
export const tabletPinBlocked = (until: number | null, now: number): Problem =>
  until === null
    ? problem('tablet_pin_blocked', { blocked_until: null })
    : problem(
        'tablet_pin_blocked',
        { blocked_until: new Date(until).toISOString() },
        { 'Retry-After': String(Math.max(1, Math.ceil((until - now) / 1000))) },
      );
