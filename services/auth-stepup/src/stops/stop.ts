import { problem, type Problem } from '@comanda/contracts/problem';
import { stepUpKeys } from '@comanda/contracts/security';
import type { StopName, Stops as StopsResponse } from '@comanda/contracts/stops';

/** When something was stopped, by which user, and why. */
export type Stop = { since: Date; by: number; reason: string | null };
/** The stops; null means not stopped. `version` grows with each change. */
export type Stops = Record<StopName, Stop | null> & { version: number };

/** The state before the first change. */
export const nothingStopped: Stops = { transfers: null, sign_ups: null, version: 1 };

/**
 * The response of `GET /stops` and the data of the event. It does not name the manager: only managers may see that (`GET
 * /audit`).
 */
export const toStopsResponse = ({ transfers, sign_ups, version }: Stops): StopsResponse => ({
  transfers: toStopResponse(transfers),
  sign_ups: toStopResponse(sign_ups),
  version,
});
const toStopResponse = (stop: Stop | null) => stop && { since: stop.since.toISOString(), reason: stop.reason };

/** Whether calls with this step-up key move money between accounts. */
export const movesMoney = (endpointKey: string): boolean => stepUpKeys.get(endpointKey)?.service === 'transfers';

export const transfersStopped = (): Problem => problem('transfers_stopped');
