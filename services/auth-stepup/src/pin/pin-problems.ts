import { problem, type Problem } from '@comanda/contracts/problem';

/** `until` in milliseconds since the epoch; null if only a reset ends the block. */
export const pinBlocked = (until: number | null, now: number): Problem =>
  until === null
    ? problem('transaction_password_blocked', { blocked_until: null })
    : problem(
        'transaction_password_blocked',
        { blocked_until: new Date(until).toISOString() },
        { 'Retry-After': String(Math.max(1, Math.ceil((until - now) / 1000))) },
      );

export const pinBusy = (): Problem => problem('transaction_password_busy', {}, { 'Retry-After': '1' });

export const pinAbsent = (): Problem => problem('transaction_password_absent');

/** The caller must have signed in during the last `maxAgeS` seconds [RFC 9470]. */
export const reauthenticationRequired = (maxAgeS: number): Problem =>
  problem(
    'reauthentication_required',
    {},
    { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age="${maxAgeS}"` },
  );

/**
 * The check has no result, and nobody has a token of it. Whether it counts as a guess is not known: whoever repeats it may spend
 * another attempt.
 */
export const checkInterrupted = (): Problem =>
  problem(
    'service_unavailable',
    { detail: 'The PIN check was interrupted. Repeat the request in a second.', outcome: 'unknown' },
    { 'Retry-After': '1' },
  );
