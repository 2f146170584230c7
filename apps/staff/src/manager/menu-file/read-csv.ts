import Papa from 'papaparse';

/** One row of a CSV file. `line` is the number of its first line in the file, from 1. */
type CsvRow = { line: number; cells: readonly string[] };
export type CsvDelimiter = ',' | ';' | '\t';
/** The rows that are not blank. `openQuoteLine` is the line of a cell whose quotation marks are wrong; null if there is none. */
export type Csv = { delimiter: CsvDelimiter; rows: readonly CsvRow[]; openQuoteLine: number | null };

/** Parses a CSV file [RFC 4180] with any line breaks, and with commas, semicolons or tabs between its cells. */
export function readCsv(file: string): Csv {
  const text = file.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const delimiter = delimiterOf(text);
  const { data, errors } = Papa.parse(text, { delimiter, newline: '\n' });
  let line = 1;
  const all = data.map((cells): CsvRow => {
    const row = { line, cells: cells.map(cleanCell) };
    line += 1 + cells.join('').split('\n').length - 1;
    return row;
  });
  const open = errors.find(({ type }) => type === 'Quotes');
  return {
    delimiter,
    rows: all.filter(({ cells }) => cells.some((cell) => cell !== '')),
    openQuoteLine: open ? (all[open.row ?? 0]?.line ?? 1) : null,
  };
}

/** Returns what separates the columns' names in the first line that is not blank. Names contain no separators. */
function delimiterOf(text: string): CsvDelimiter {
  const header = (/\S.*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const countOf = (delimiter: CsvDelimiter): number => header.split(delimiter).length;
  const most = Math.max(countOf(','), countOf(';'), countOf('\t'));
  return ([';', '\t', ','] as const).find((each) => countOf(each) === most) ?? ',';
}

/** Removes blanks around a cell, and the apostrophe before text that a spreadsheet would compute as a formula. */
const cleanCell = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '');

/** Writes a CSV file that spreadsheets open in the right encoding. They don't compute any of its texts as formulas. */
export const writeCsv = (rows: readonly (readonly string[])[], delimiter: CsvDelimiter): string =>
  `\ufeff${Papa.unparse(rows as string[][], { delimiter, newline: '\r\n', escapeFormulae: /^[=+\-@\t\r]/ })}\r\n`;
