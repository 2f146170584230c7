import { CallFailure, type Client } from '@comanda/client/core';
import type { Station } from '@comanda/contracts/stations';

/** The names that release 1.0.0 can set: it has them in the path, where the gateway takes no escapes. */
const inPath = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

/** Whether the service is of an earlier release, for minutes of an update, and has no such endpoint. */
export const isOlderService = (failure: unknown): boolean =>
  failure instanceof CallFailure && (failure.is('method_not_allowed') || failure.is('not_found'));

/** Sets how a station works. @throws CallFailure */
export async function saveStation({ calls }: Pick<Client, 'calls'>, station: Station): Promise<void> {
  try {
    await calls.setStation(station);
  } catch (failure) {
    if (!isOlderService(failure) || !inPath.test(station.station)) throw failure;
    await calls.putStation(station);
  }
}
