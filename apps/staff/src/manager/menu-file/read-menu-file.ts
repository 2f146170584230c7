import type { Language } from '@comanda/contracts/rules';
import { readColumns, type ColumnKey } from './columns.ts';
import { readCell, type CellFault, type CellValue } from './read-cell.ts';
import { readCsv, type CsvDelimiter } from './read-csv.ts';

/** The values of a row by column. A column that the file lacks has no value. */
type DishValues = ReadonlyMap<ColumnKey, CellValue>;
/** What is wrong in a line of the file, and in which column. `column` is null if it affects the whole line. */
export type Fault = {
  line: number;
  column: string | null;
  /** `splitPrice`: the price's comma has split it into two cells. `cells`: the line has more cells than there are columns. `twice`: line `text` has the same dish. */
  kind: CellFault['kind'] | 'noName' | 'newNeedsPrice' | 'noCategory' | 'twice' | 'splitPrice' | 'cells' | 'quotes';
  text: string;
};
export type FileRow = { line: number; name: string; values: DishValues };
export type MenuFile = {
  rows: readonly FileRow[];
  faults: readonly Fault[];
  /** The columns' names by field, as in the file. */
  columns: ReadonlyMap<ColumnKey, string>;
  /** The names of columns that aren't imported. */
  unknown: readonly string[];
};
/** Why nothing in the file can be read. */
export type FileFault =
  | { kind: 'noName'; found: readonly string[] }
  | { kind: 'twice'; columns: readonly [string, string] };

/** Reads the dishes in a CSV file. `menuLanguage` is the language of the menu's own texts. */
export function readMenuFile(text: string, menuLanguage: Language): MenuFile | FileFault {
  const { rows: all, openQuoteLine, delimiter } = readCsv(text);
  const [{ cells: header } = { cells: [] }, ...lines] = all;
  const { keys, unknown, twice } = readColumns(header, menuLanguage);
  if (twice) return { kind: 'twice', columns: twice };
  if (!keys.includes('name')) return { kind: 'noName', found: header.filter((name) => name !== '') };
  const faults: Fault[] = [];
  if (openQuoteLine !== null) faults.push({ line: openQuoteLine, column: null, kind: 'quotes', text: '' });
  const rows = lines.flatMap(({ line, cells }): FileRow[] => {
    if (line === openQuoteLine) return [];
    const found = readRow({ line, cells, header, keys, delimiter });
    faults.push(...found.faults);
    return found.faults.length > 0 ? [] : [{ line, name: String(found.values.get('name')), values: found.values }];
  });
  const columns = new Map(keys.flatMap((key, index) => (key ? [[key, header[index] ?? ''] as const] : [])));
  return { rows, faults, columns, unknown };
}

type Line = {
  line: number;
  cells: readonly string[];
  header: readonly string[];
  keys: readonly (ColumnKey | null)[];
  delimiter: CsvDelimiter;
};

/**
 * Returns the price, such as `21,00`, that is in two cells because its comma is not in quotation marks; null if there is none. If
 * the second cell may be a number of its own, it is one, unless the line then has a cell too many.
 */
function splitPriceIn({ cells, header, keys, delimiter }: Line): string | null {
  const at = keys.indexOf('price');
  const [whole = '', cents = ''] = [cells[at], cells[at + 1]];
  if (delimiter !== ',' || !/^(R\$\s*)?\d+$/.test(whole) || !/^\d\d$/.test(cents)) return null;
  const next = keys[at + 1] ?? null;
  const mayBeNumber = next === null || next === 'portions_left' || next === 'position';
  return !mayBeNumber || cents.startsWith('0') || cells.length > header.length ? `${whole},${cents}` : null;
}

function readRow(row: Line): { values: Map<ColumnKey, CellValue>; faults: Fault[] } {
  const { line, cells, header, keys } = row;
  const values = new Map<ColumnKey, CellValue>();
  if (cells.slice(header.length).some((cell) => cell !== ''))
    return { values, faults: [{ line, column: null, kind: 'cells', text: `${cells.length}/${header.length}` }] };
  const splitPrice = splitPriceIn(row);
  if (splitPrice !== null)
    return {
      values,
      faults: [{ line, column: header[keys.indexOf('price')] ?? '', kind: 'splitPrice', text: splitPrice }],
    };
  const faults = keys.flatMap((key, index): Fault[] => {
    const [cell, column] = [cells[index], header[index] ?? ''];
    if (key === null || cell === undefined) return [];
    const read = readCell(key, cell);
    if (read && 'fault' in read) return [{ line, column, ...read.fault }];
    if (read) values.set(key, read.value);
    return [];
  });
  if (faults.length === 0 && !values.has('name'))
    faults.push({ line, column: header[keys.indexOf('name')] ?? '', kind: 'noName', text: '' });
  return { values, faults };
}
