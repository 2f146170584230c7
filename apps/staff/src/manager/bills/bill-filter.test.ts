import { describe, expect, test } from '@jest/globals';
import { billQueryOf, filterOf, invalidFields, noFilter, queryOf } from './bill-filter.ts';

const clock = { timeZone: 'America/Sao_Paulo', dayStartsAt: '04:00' };

describe('a filter for bills', () => {
  test("matches a business day in the restaurant's time zone", () => {
    expect(billQueryOf({ ...noFilter, date: '2026-11-20' }, clock)).toEqual({
      since: '2026-11-20T07:00:00.000Z',
      until: '2026-11-21T07:00:00.000Z',
    });
  });

  test('matches a day that is an hour shorter, because the clocks change', () => {
    expect(
      billQueryOf({ ...noFilter, date: '2026-03-28' }, { timeZone: 'Europe/Berlin', dayStartsAt: '04:00' }),
    ).toEqual({
      since: '2026-03-28T03:00:00.000Z',
      until: '2026-03-29T02:00:00.000Z',
    });
  });

  test('contains only the fields that were entered', () => {
    const filter = { ...noFilter, table: ' 12 ', number: '87', amount: '74,5', method: 'card', person: '2' };
    expect(billQueryOf(filter, clock)).toEqual({ table: '12', number: 87, amount: '74.50', method: 'card', person: 2 });
    expect(billQueryOf(noFilter, clock)).toEqual({});
  });

  test('is the same after a bill was opened', () => {
    const filter = { ...noFilter, date: '2026-11-20', amount: '74,50' };
    expect(filterOf(queryOf(filter))).toEqual(filter);
    expect(queryOf(noFilter)).toBe('');
  });

  test.each([
    ['date', '2026-13-40'],
    ['table', 'mesa 12'],
    ['number', '0'],
    ['number', '8,7'],
    ['amount', '1.234'],
  ] as const)('names a wrong %s: %s', (field, text) => {
    expect(invalidFields({ ...noFilter, [field]: text })).toEqual([field]);
  });
});
