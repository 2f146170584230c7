import { signal } from '@preact/signals';
import { stored } from '@comanda/ui/stored-setting.ts';
import { allStations } from '../bumps/ticket.ts';

export type Settings = ReturnType<typeof openSettings>;

const isName = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 2 && value <= 6;

/** What somebody chose for this device at the start of a shift. */
export function openSettings() {
  const keptStation = stored('kitchen.station', isName, allStations);
  const keptColumns = stored('kitchen.columns', isCount, null);
  const station = signal(keptStation.get());
  const columns = signal(keptColumns.get());
  return {
    station,
    /** How many columns; null for what fits best. */
    columns,
    chooseStation: (chosen: string): void => {
      station.value = chosen;
      keptStation.write(chosen);
    },
    chooseColumns: (count: number): void => {
      columns.value = count;
      keptColumns.write(count);
    },
  };
}
