import { problem, type Problem } from '@comanda/contracts/problem';
import { stepUpKeys } from '@comanda/contracts/step-up';
import type { StopName, Stops as StopsResponse } from '@comanda/contracts/stops';

/**
 * A stop of transfers or sign-ups: when it started, the id of the manager who set it, and the reason (null if none was given).
 */
export type Stop = { since: Date; by: number; reason: string | null };
/** All stops; null means not stopped. `version` grows with each change. */
export type Stops = Record<StopName, Stop | null> & { version: number };

/** The stops before the first change: nothing is stopped. */
export const nothingStopped: Stops = { transfers: null, sign_ups: null, version: 1 };

/**
 * Returns the response to `GET /stops`, which is also the event's data. It does not name the manager, because only managers may
 * see who set a stop (`GET /audit`).
 */
export const toStopsResponse = ({ transfers, sign_ups, version }: Stops): StopsResponse => ({
  transfers: toStopResponse(transfers),
  sign_ups: toStopResponse(sign_ups),
  version,
});
const toStopResponse = (stop: Stop | null) => stop && { since: stop.since.toISOString(), reason: stop.reason };

/** Returns true if calls with this step-up key move money between accounts. */
export const movesMoney = (endpointKey: string): boolean => stepUpKeys.get(endpointKey)?.service === 'transfers';

export const transfersStopped = (): Problem => problem('transfers_stopped');
