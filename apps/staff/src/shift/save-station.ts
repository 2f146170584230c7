import { CallFailure, type Client } from '@comanda/client/core';
import type { Station } from '@comanda/contracts/stations';

/**
 * Matches names that can be saved on release 1.0.0, which has the name in the path: the gateway rejects escaped characters there.
 */
const inPath = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

/** Returns true if the service is an earlier release without this endpoint, as for some minutes during an update. */
export const isOlderService = (failure: unknown): boolean =>
  failure instanceof CallFailure && (failure.is('method_not_allowed') || failure.is('not_found'));

/** Saves a station's settings. @throws CallFailure */
export async function saveStation({ calls }: Pick<Client, 'calls'>, station: Station): Promise<void> {
  try {
    await calls.setStation(station);
  } catch (failure) {
    if (!isOlderService(failure) || !inPath.test(station.station)) throw failure;
    await calls.putStation(station);
  }
}
