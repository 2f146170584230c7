import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { allStations } from './model/ticket.ts';

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 2 && value <= 6;
const storedColumns = Number(readSetting('kitchen.columns'));

/** As many columns as fit with at least 300 px each. */
export const bestColumns = (width: number): number =>
  Math.max(2, Math.min(6, Math.floor(width / (width > 1600 ? 360 : 306))));

export const station = signal(readSetting('kitchen.station') ?? allStations);
/** How many columns somebody chose for this device; null for what fits best. */
export const chosenColumns = signal<number | null>(isCount(storedColumns) ? storedColumns : null);

export function chooseStation(chosen: string): void {
  station.value = chosen;
  writeSetting('kitchen.station', chosen);
}
export function chooseColumns(count: number): void {
  chosenColumns.value = count;
  writeSetting('kitchen.columns', String(count));
}
