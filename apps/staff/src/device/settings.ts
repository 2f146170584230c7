import { signal } from '@preact/signals';
import { stored } from '@comanda/ui/stored-setting.ts';
import { allStations } from '../bumps/ticket.ts';
import type { CardSize } from './columns.ts';

export type Settings = ReturnType<typeof openSettings>;
/** `auto`: large cards if all tickets fit on one page, otherwise dense ones. */
export type ChosenSize = CardSize | 'auto';

const isName = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 2 && value <= 6;
const isSize = (value: unknown): value is ChosenSize => value === 'auto' || value === 'large' || value === 'dense';

/** The settings that were selected for this device at the start of a shift. */
export function openSettings() {
  const keptStation = stored('kitchen.station', isName, allStations);
  const keptColumns = stored('kitchen.columns', isCount, null);
  const keptSize = stored<ChosenSize>('kitchen.size', isSize, 'auto');
  const station = signal(keptStation.get());
  const columns = signal(keptColumns.get());
  const size = signal(keptSize.get());
  return {
    station,
    /** The number of columns; null to use as many as fit well. */
    columns,
    /** The size of the cards' text and rows. */
    size,
    chooseStation: (chosen: string): void => {
      station.value = chosen;
      keptStation.write(chosen);
    },
    chooseColumns: (count: number | null): void => {
      columns.value = count;
      keptColumns.write(count);
    },
    chooseSize: (chosen: ChosenSize): void => {
      size.value = chosen;
      keptSize.write(chosen);
    },
  };
}
