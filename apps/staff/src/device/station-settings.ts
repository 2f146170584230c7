import { CallFailure, type Client } from '@comanda/client';
import { stations } from '@comanda/client/collections/stations';
import type { Station } from '@comanda/contracts/stations';
import { computed, effect } from '@preact/signals';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';

/** The names that release 1.0.0 can set: it has them in the path, where the gateway takes no escapes. */
const inPath = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

/** Whether the service is of an earlier release, for minutes of an update, and has no such endpoint. */
export const isOlderService = (failure: unknown): boolean =>
  failure instanceof CallFailure && (failure.is('method_not_allowed') || failure.is('not_found'));

/** @throws CallFailure */
async function save({ calls }: Client, station: Station): Promise<Station> {
  try {
    return await calls.setStation(station);
  } catch (failure) {
    if (isOlderService(failure) && inPath.test(station.station)) return await calls.putStation(station);
    throw failure;
  }
}

export type StationSettings = ReturnType<typeof openStationSettings>;

/** Follows how the stations work, as managers have set it. The device stores it for when there is no network. */
export function openStationSettings(client: Client) {
  const kept = stored('kitchen.stations', isListOf<Station>('station', 'bumps', 'amber_minutes'), []);
  const { rows, isLoaded, failure, load, close } = client.collection(stations, { known: kept.get() });
  const stopKeeping = effect(() => {
    if (isLoaded.value) kept.write(rows.value);
  });
  return {
    stations: computed(() => (rows.value.length > 0 || isLoaded.value ? rows.value : kept.get())),
    load,
    /** Loads the stations now. @throws CallFailure */
    loadNow: async (): Promise<void> => {
      await load();
      if (failure.peek()) throw failure.peek();
    },
    /** @throws CallFailure */
    put: async (station: Station): Promise<void> => {
      await save(client, station);
    },
    close: (): void => {
      stopKeeping();
      close();
    },
  };
}
