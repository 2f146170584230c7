import { signal, type Signal } from '@preact/signals';
import { onDevice } from '../on-device.ts';
import type { CardSize } from './columns.ts';

/** `auto`: large cards if all tickets fit on one page, otherwise dense ones. */
export type ChosenSize = CardSize | 'auto';
/** What the start of a shift selects for this device. */
export type Choices = {
  station: string;
  /** The number of columns; null to use as many as fit well. */
  columns: number | null;
  /** The size of the cards' text and rows. */
  size: ChosenSize;
  /**
   * How many taps a ticket takes where no manager has set it. Null until a shift has started since release 1.0.0, whose tickets
   * took three.
   */
  taps: 2 | 3 | null;
  /** Whether tickets are divided only if they are higher than a column. */
  whole: 'yes' | 'no';
};
export type Settings = { [Name in keyof Choices]: Signal<Choices[Name]> };

/**
 * The settings that were selected for this device at the start of a shift. They don't follow other tabs, because a computer with
 * two displays shows two stations.
 */
export const openSettings = (): Settings => ({
  station: signal(onDevice.station.get()),
  columns: signal(onDevice.columns.get()),
  size: signal(onDevice.size.get()),
  taps: signal(onDevice.taps.get()),
  whole: signal(onDevice.whole.get()),
});
