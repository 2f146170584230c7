import { signal } from '@preact/signals';
import { onDevice } from '../on-device.ts';
import type { CardSize } from './columns.ts';

export type Settings = ReturnType<typeof openSettings>;
/** `auto`: large cards if all tickets fit on one page, otherwise dense ones. */
export type ChosenSize = CardSize | 'auto';

/**
 * The settings that were selected for this device at the start of a shift. They don't follow other tabs, because a computer with
 * two displays shows two stations.
 */
export function openSettings() {
  const station = signal(onDevice.station.get());
  const columns = signal(onDevice.columns.get());
  const size = signal(onDevice.size.get());
  const taps = signal(onDevice.taps.get());
  const isKeptWhole = signal(onDevice.whole.get() === 'yes');
  return {
    station,
    /** The number of columns; null to use as many as fit well. */
    columns,
    /** The size of the cards' text and rows. */
    size,
    /**
     * How many taps a ticket takes where no manager has set it. Null until a shift has started since release 1.0.0, whose
     * tickets took three.
     */
    taps,
    /** True if tickets are divided only if they are higher than a column. */
    isKeptWhole,
    chooseStation: (chosen: string): void => {
      station.value = chosen;
      onDevice.station.write(chosen);
    },
    chooseColumns: (count: number | null): void => {
      columns.value = count;
      onDevice.columns.write(count);
    },
    chooseSize: (chosen: ChosenSize): void => {
      size.value = chosen;
      onDevice.size.write(chosen);
    },
    chooseTaps: (chosen: 2 | 3): void => {
      taps.value = chosen;
      onDevice.taps.write(chosen);
    },
    keepWhole: (isKept: boolean): void => {
      isKeptWhole.value = isKept;
      onDevice.whole.write(isKept ? 'yes' : 'no');
    },
  };
}
