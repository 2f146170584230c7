import type { Client } from '@comanda/client/core';
import { stations } from '@comanda/client/collections/stations';
import { computed, effect } from '@preact/signals';
import { onDevice } from '../on-device.ts';

export type StationSettings = ReturnType<typeof openStationSettings>;

/** Follows the stations' settings, which managers have made. The device stores them for times without a network. */
export function openStationSettings(client: Client) {
  const { rows, isLoaded, failure, load, close } = client.collection(stations, { known: onDevice.stations.get() });
  const stopKeeping = effect(() => {
    if (isLoaded.value) onDevice.stations.write(rows.value);
  });
  return {
    stations: computed(() => (rows.value.length > 0 || isLoaded.value ? rows.value : onDevice.stations.get())),
    load,
    /** Loads the settings now. @throws CallFailure */
    loadNow: async (): Promise<void> => {
      await load();
      if (failure.peek()) throw failure.peek();
    },
    close: (): void => {
      stopKeeping();
      close();
    },
  };
}
