import { describe, expect, test } from '@jest/globals';
import { toCsv } from './csv.ts';

const columns = { names: ['at', 'by', 'text', 'amount', 'count'], money: ['amount'], times: ['at'] };
const row = { at: '2026-11-20T23:30:00.000Z', by: { id: 3, name: 'Marta' }, text: 'Ice', amount: '-5.00', count: 2 };
const fileOf = async (rows: Parameters<typeof toCsv>[0], { timeZone = 'America/Sao_Paulo', isForExcel = false } = {}) =>
  (await toCsv(rows, columns, { timeZone, isForExcel })).toString();
/** Returns the cell of `text` in a file with one row. */
const cellOf = async (text: string): Promise<string> =>
  /^2026-[^,]*,3,Marta,(.*),-5\.00,2\r\n$/s.exec(
    (await fileOf([{ ...row, text }])).split('\r\n').slice(1).join('\r\n'),
  )?.[1] ?? '';

describe('a CSV file', () => {
  test('has a header, local times with their offset, and two columns for a person', async () => {
    expect(await fileOf([row, { ...row, by: null, text: null }])).toBe(
      'at,by_id,by_name,text,amount,count\r\n' +
        '2026-11-20T20:30:00.000-03:00,3,Marta,Ice,-5.00,2\r\n' +
        '2026-11-20T20:30:00.000-03:00,,,,-5.00,2\r\n',
    );
    expect(await fileOf([row], { timeZone: 'Asia/Kolkata' })).toContain('2026-11-21T05:00:00.000+05:30');
  });

  test('for spreadsheets in Brazil has a byte order mark, semicolons, decimal commas and short times', async () => {
    expect(await fileOf([{ ...row, text: 'Ice; cubes, 2' }], { isForExcel: true })).toBe(
      '\uFEFFat;by_id;by_name;text;amount;count\r\n2026-11-20 20:30:00;3;Marta;"Ice; cubes, 2";-5,00;2\r\n',
    );
  });

  test.each([
    ['a, b', '"a, b"'],
    ['say "x"', '"say ""x"""'],
    ['a; b', 'a; b'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
  ])('quotes %j as RFC 4180 says', async (text, cell) => {
    expect(await cellOf(text)).toBe(cell);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('lets no spreadsheet run %j', async (text) => {
    expect(await cellOf(text)).toBe(`'${text}`);
  });

  test('lets no spreadsheet run what follows a carriage return, or the name of a person', async () => {
    expect(await cellOf('\r=1')).toBe('"\'\r=1"');
    expect(await fileOf([{ ...row, by: { id: 3, name: '=1+1' } }])).toContain(",3,'=1+1,");
  });
});
