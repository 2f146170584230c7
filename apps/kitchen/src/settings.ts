import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { allStations } from './model/ticket.ts';

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 2 && value <= 6;
const storedColumns = Number(readSetting('kitchen.columns'));

/** From this width on, a screen hangs on a wall and is read from three metres. */
export const wallWidth = 1_600;
/** The room between the edges of the board in a window; the same numbers as in board.css. */
export const boardWidth = (windowWidth: number): number =>
  windowWidth - 24 >= wallWidth ? windowWidth - 32 : windowWidth - 24;

const minColumnWidth = 290;
/** How many columns fit in so many pixels, so that a dish fits on a line. */
export const fittingColumns = (width: number): number => Math.max(1, Math.min(6, Math.floor(width / minColumnWidth)));
/** As many as fit; on a wall fewer, because letters are larger there. */
export const bestColumns = (width: number): number =>
  width >= wallWidth ? Math.min(6, Math.floor(width / 360)) : fittingColumns(width);

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
