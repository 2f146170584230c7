import { problem } from '@comanda/contracts/problems';
import type { Problem } from '@comanda/contracts/problems';

/** `until` in milliseconds since the epoch; null where only a reset helps. */
export const blocked = (until: number | null, now: number): Problem =>
  until === null
    ? problem('transaction_password_blocked', { blocked_until: null })
    : problem(
        'transaction_password_blocked',
        { blocked_until: new Date(until).toISOString() },
        { 'Retry-After': String(Math.max(1, Math.ceil((until - now) / 1000))) },
      );
export const busy = (): Problem => problem('transaction_password_busy', {}, { 'Retry-After': '1' });
export const absent = (): Problem => problem('transaction_password_absent');
/** A sign-in of the last `maxAgeS` seconds is needed [RFC 9470]. */
export const signInAgain = (maxAgeS: number): Problem =>
  problem(
    'reauthentication_required',
    {},
    { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age="${maxAgeS}"` },
  );
/** The user was disabled, or is gone, since the access token was given. */
export const noSuchUser = (): Problem =>
  problem(
    'invalid_token',
    { detail: 'The user is not active any more.' },
    { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  );
/** Nothing was decided: the caller may try again. */
export const undecided = (): Problem =>
  problem('service_unavailable', { detail: 'The check was interrupted.' }, { 'Retry-After': '1' });
