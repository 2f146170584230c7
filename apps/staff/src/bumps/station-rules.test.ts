import { describe, expect, test } from '@jest/globals';
import type { Station } from '@comanda/contracts/stations';
import { allStations, expediter } from './all-stations.ts';
import { type OrderItem } from './ticket.ts';
import { leavesWhenReady, limitsOf, nextAt } from './station-rules.ts';

const stations: Station[] = [1, 2, 3].map((bumps) => ({
  station: `taps-${bumps}`,
  bumps,
  amber_minutes: 5 * bumps,
  late_minutes: 8 * bumps,
  dishes: [{ item_id: 7, amber_minutes: 20, late_minutes: 30 }],
}));
const rules = { stations, taps: 2 };

test.each([
  ['taps-1', ['ready', 'ready', null], true],
  ['taps-2', ['preparing', 'ready', null], true],
  ['taps-3', ['preparing', 'ready', 'delivered'], false],
  ['a station that nobody has set', ['preparing', 'ready', null], true],
  [allStations, ['preparing', 'ready', null], true],
  [expediter, [null, null, 'delivered'], false],
])('a bump at %s moves food as the station is configured', (station, next, leaves) => {
  const statuses = ['received', 'preparing', 'ready'] as const;
  expect(statuses.map((status) => nextAt(rules, station, status))).toEqual(next);
  expect(leavesWhenReady(rules, station)).toBe(leaves);
});
test.each(['a station that nobody has set', allStations])('a shift may select three taps for %s', (station) => {
  expect(nextAt({ stations, taps: 3 }, station, 'ready')).toBe('delivered');
  expect(nextAt({ stations, taps: 3 }, 'taps-2', 'ready')).toBe(null);
});

describe('the time at which a ticket is late', () => {
  const item = (station: string, id: number, status = 'received') => ({ station, item_id: id, status }) as OrderItem;
  test.each([
    ['the dishes of a station', [item('taps-1', 1), item('taps-1', 2)], [5, 8]],
    ['a dish with limits of its own', [item('taps-1', 7)], [20, 30]],
    ['dishes of two stations', [item('taps-3', 1), item('taps-2', 1)], [10, 16]],
    ['a slow dish beside a quick one', [item('taps-1', 7), item('taps-1', 1)], [5, 8]],
    ['a slow dish beside a quick one that is done', [item('taps-1', 7), item('taps-1', 1, 'ready')], [20, 30]],
    ['a station that nobody has set', [item('bar', 1)], [5, 8]],
  ])('depends on the right limits for %s', (_name, items, [amber = 0, late = 0]) => {
    const none = { limits: [], categoryOf: {} };
    expect(limitsOf(rules, items, none)).toEqual({ amberMs: amber * 60_000, lateMs: late * 60_000 });
  });
  test.each([
    ['a category with limits', [item('taps-1', 1)], [15, 22]],
    ['a dish of such a category with limits of its own', [item('taps-1', 7)], [20, 30]],
    ['a drink beside a main', [item('taps-3', 1), item('taps-3', 2)], [3, 6]],
    ['a dish whose category has no limits', [item('taps-3', 3)], [15, 24]],
  ])('depends on the right limits for %s', (_name, items, [amber = 0, late = 0]) => {
    const limits = [
      { category: 'Pratos', amber_minutes: 15, late_minutes: 22 },
      { category: 'Bebidas', amber_minutes: 3, late_minutes: 6 },
    ];
    const categoryOf = { 1: 'PRATOS', 7: 'Pratos', 2: 'Bebidas', 3: 'Sobremesas' };
    expect(limitsOf(rules, items, { limits, categoryOf })).toEqual({ amberMs: amber * 60_000, lateMs: late * 60_000 });
  });
});
