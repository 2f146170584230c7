import { problem, type Problem, unavailable } from '@comanda/contracts/problem';

/** Creates the problem for a blocked PIN. `until` is in milliseconds since the epoch; null if only a reset ends the block. */
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

/** Creates the problem for a sign-in older than `maxAgeS` seconds [RFC 9470]. */
export const reauthenticationRequired = (maxAgeS: number): Problem =>
  problem(
    'reauthentication_required',
    {},
    { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age="${maxAgeS}"` },
  );

/**
 * Creates the problem for a check that has no result and issued no token. The check may have counted as a guess, so a retry may
 * use up another attempt.
 */
export const checkInterrupted = (): Problem =>
  unavailable({ detail: 'The PIN check was interrupted. Repeat the request in a second.', outcome: 'unknown' });
