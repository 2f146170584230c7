import { utcOffsetMs } from '@comanda/contracts/restaurant-clock';
import { listInTurns } from '../in-turns.ts';

type Value = string | number | null | { id: number; name: string };
type Row = Readonly<Record<string, Value>>;
/** `money`: the names of the columns with amounts; `times`: those with times. */
export type Columns = { names: readonly string[]; money: readonly string[]; times: readonly string[] };
type Options = { timeZone: string; isForExcel: boolean };

/**
 * Returns the rows as CSV [RFC 4180] with a header, in UTF-8. A person is two columns. Times are local. A text that a spreadsheet
 * would take for a formula gets an apostrophe. For spreadsheets in Brazil, `isForExcel` adds a byte order mark, and uses semicolons,
 * decimal commas and times without an offset.
 */
export async function toCsv(
  rows: readonly Row[],
  columns: Columns,
  { timeZone, isForExcel }: Options,
): Promise<Buffer> {
  const { names, money, times } = columns;
  const cellOf = (name: string, value: Value): string => {
    if (value === null) return '';
    if (typeof value === 'number') return String(value);
    if (typeof value === 'object') throw new Error(`the column ${name} has no columns for a person`);
    if (money.includes(name)) return isForExcel ? value.replace('.', ',') : value;
    if (times.includes(name)) return localTime(Date.parse(value), { timeZone, isForExcel });
    return withoutFormula(value);
  };
  const header = names.flatMap((name) => (name === 'by' ? ['by_id', 'by_name'] : name));
  const cellsOf = (row: Row): string[] =>
    names.flatMap((name) => {
      const value = row[name] ?? null;
      if (name !== 'by') return cellOf(name, value);
      const by = value as { id: number; name: string } | null;
      return by ? [String(by.id), withoutFormula(by.name)] : ['', ''];
    });
  const separator = isForExcel ? ';' : ',';
  const lines = await listInTurns(rows, (row) => lineOf(cellsOf(row), separator));
  return Buffer.from([isForExcel ? '\uFEFF' : '', lineOf(header, separator), ...lines].join(''));
}

const withoutFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** Returns a time in RFC 3339 with the local offset, or as `YYYY-MM-DD HH:MM:SS` for spreadsheets. */
function localTime(at: number, { timeZone, isForExcel }: Options): string {
  const offsetMs = utcOffsetMs(at, timeZone);
  const shown = new Date(at + offsetMs).toISOString();
  if (isForExcel) return shown.slice(0, 19).replace('T', ' ');
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const sign = offsetMs < 0 ? '-' : '+';
  return `${shown.slice(0, -1)}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns a line of CSV [RFC 4180]: it ends with CR LF, and cells with special characters are quoted. */
const lineOf = (cells: readonly string[], separator: ',' | ';'): string =>
  `${cells.map((cell) => quoted(cell, separator)).join(separator)}\r\n`;

const quoted = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
