import { unavailable } from '@comanda/contracts/problem';

/** How long a count or a closing may hold the counters, in milliseconds. In that time, orders and payments wait. */
const lockLimitMs = 1000;

/**
 * Checks how long a transaction has held the counters. Call this last: then nothing is written.
 * @throws 503 `service_unavailable` if it was too long
 */
export function refuseLongLock(lockedAt: number): void {
  if (performance.now() - lockedAt > lockLimitMs)
    throw unavailable({ detail: 'This could not be written in time. Repeat the request in a second.' });
}
