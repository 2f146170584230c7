import { describe, expect, test } from '@jest/globals';
import {
  comparison,
  hoursOf,
  latePercent,
  perBill,
  roundUp,
  sharesOf,
  takenOffByPerson,
  tipsByPerson,
} from './day-figures.ts';
import { sumOf } from '../sum-of.ts';

const hour = (each: number, amount: string) => ({ hour: each, orders: 1, items: 1, amount });
const ana = { id: 3, name: 'Ana' };

test('amounts add up to the cent, negative ones too', () => {
  expect([sumOf([]), sumOf(['0.10', '0.20', '-0.31'])]).toEqual(['0.00', '-0.01']);
});

describe('hours', () => {
  test('are in the order of the business day, without gaps', () => {
    const hours = hoursOf({ hours: [hour(0, '5.00'), hour(22, '9.00')], before: null }, 4);
    expect(hours.map((each) => [each.hour, each.amount])).toEqual([
      [22, '9.00'],
      [23, '0.00'],
      [0, '5.00'],
    ]);
  });
  test('include those of the day before', () => {
    const before = { hours: [hour(19, '7.00')] } as never;
    expect(hoursOf({ hours: [hour(20, '9.00')], before }, 4).map((each) => each.before)).toEqual(['7.00', '0.00']);
  });
  test('of a day without orders are none', () => {
    expect(hoursOf({ hours: [], before: null }, 4)).toEqual([]);
  });
});

describe('a comparison', () => {
  const before = { hours: [hour(19, '100.00'), hour(20, '100.00'), hour(21, '400.00')] } as never;
  const hours = hoursOf({ hours: [hour(19, '110.00'), hour(20, '130.00'), hour(21, '1.00')], before }, 4);
  const until = (untilHour: number | null) => ({ untilHour, startHour: 4 });
  test('leaves out the current hour and those to come', () => {
    expect(comparison(hours, until(21))).toBe(20);
  });
  test('of a closed day has all hours', () => {
    expect(comparison(hours, until(null))).toBe(-60);
  });
  test('has all hours once the last one has passed', () => {
    expect(comparison(hours, until(2))).toBe(-60);
  });
  test('has no hours before the first one has begun', () => {
    expect(comparison(hours, until(15))).toBeNull();
  });
  test('of a day without orders is null', () => {
    expect(comparison(hoursOf({ hours: [], before }, 4), until(21))).toBeNull();
  });
  test('with nothing is null', () => {
    expect(comparison(hours, until(19))).toBeNull();
  });
});

test('figures of a day without bills or dishes are null', () => {
  expect(perBill({ hours: [], bills: { closed: 0, open: 0, remaining: '0.00' } })).toBeNull();
  expect(latePercent({ late: { items: 0, of: 0 } })).toBeNull();
});

test('what was ordered per bill counts open bills too', () => {
  expect(perBill({ hours: [hour(19, '100.00')], bills: { closed: 2, open: 1, remaining: '0.00' } })).toBe('33.33');
});

test('the axis ends at a round number', () => {
  expect([0, 7, 99, 2_871, 410_000].map(roundUp)).toEqual([1, 8, 100, 3_000, 500_000]);
});

test('bars are relative to the highest one', () => {
  expect([sharesOf(['50.00', '100.00', '-3.00']), sharesOf([0, 0]), sharesOf([])]).toEqual([[0.5, 1, 0], [0, 0], []]);
});

test('tips and exceptions are added up by person, highest first', () => {
  const row = { method: 'card', confirmed_by: null, count: 1, amount: '0.00', refunds: '0.00' } as const;
  const waiters = [
    { ...row, by: null, tips: '3.00' },
    { ...row, by: ana, tips: '2.00' },
    { ...row, by: ana, tips: '2.50' },
    { ...row, by: ana, method: null, tips: '0.00' },
  ];
  expect(tipsByPerson({ waiters }).map(({ by, amount }) => [by?.name, amount])).toEqual([
    ['Ana', '4.50'],
    [undefined, '3.00'],
  ]);
  const exceptions = [
    { kind: 'discount', by: ana, count: 1, amount: '1.00' },
    { kind: 'refunded', by: ana, count: 2, amount: '9.00' },
    // A moved order and a reopened bill are paid all the same.
    { kind: 'order_moved', by: ana, count: 1, amount: '0.60' },
    { kind: 'reopened', by: ana, count: 1, amount: '0.50' },
  ] as const;
  expect(takenOffByPerson({ exceptions: [...exceptions] })).toEqual([
    {
      by: ana,
      amount: '10.00',
      kinds: [
        { kind: 'refunded', count: 2 },
        { kind: 'discount', count: 1 },
        { kind: 'order_moved', count: 1 },
        { kind: 'reopened', count: 1 },
      ],
    },
  ]);
});
