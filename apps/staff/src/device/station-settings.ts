import type { Client } from '@comanda/client/core';
import { stations } from '@comanda/client/collections/stations';
import { computed, effect } from '@preact/signals';
import type { StationRules } from '../bumps/station-rules.ts';
import { onDevice } from '../on-device.ts';
import type { Settings } from './settings.ts';

export type StationSettings = ReturnType<typeof openStationSettings>;

/** How many taps a ticket took in release 1.0.0. A shift that it started keeps them until its end. */
const tapsBefore = 3;

/** Follows the stations' settings, which managers have made. The device stores them for times without a network. */
export function openStationSettings(client: Client, { taps }: Pick<Settings, 'taps'>) {
  const { rows, isLoaded, failure, load, close } = client.collection(stations, { known: onDevice.stations.get() });
  const stopKeeping = effect(() => {
    if (isLoaded.value) onDevice.stations.write(rows.value);
  });
  const configured = computed(() => (rows.value.length > 0 || isLoaded.value ? rows.value : onDevice.stations.get()));
  return {
    stations: configured,
    /** The same with this device's own choice. */
    rules: computed((): StationRules => ({ stations: configured.value, taps: taps.value ?? tapsBefore })),
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
