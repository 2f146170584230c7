import { expect, test } from '@jest/globals';
import { rulesOf } from './station-rules.ts';
import { allStations, expediter } from './all-stations.ts';
import { dishText, reportedStations, ticketOf, type OrderItem } from './ticket.ts';

test.each([
  ['bar', [1, 2]],
  ['BAR ', [1, 2]],
  ['balca\u0303o', [3]],
  ['Grill', undefined],
  [allStations, [1, 2, 3, 4]],
  [expediter, [1, 2, 3, 4]],
])('the board for %j shows the dishes %j of an order, however the station is spelled', (station, ids) => {
  const items = ['Bar', 'bar', 'Balcão', 'expediter'].map((name, at) => ({
    id: at + 1,
    station: name,
    status: 'received',
  }));
  const order = { items: items as unknown as OrderItem[], placed_by: { name: 'Ana' }, seen_at: null, created_at: '' };
  expect(ticketOf(order as unknown as Parameters<typeof ticketOf>[0], station)?.items.map(({ id }) => id)).toEqual(ids);
});

test('a part of a dish that was cancelled stands after the dish, not at the end', () => {
  const items = [
    { id: 1, status: 'received', split_from: null },
    { id: 2, status: 'received', split_from: 1 },
    { id: 3, status: 'cancelled', split_from: 1 },
    { id: 4, status: 'cancelled', split_from: 9 },
  ].map((item) => ({ ...item, station: 'bar' }));
  const order = { items, placed_by: { name: 'Ana' }, seen_at: null, created_at: '' };

  expect(ticketOf(order as never, 'bar')?.items.map(({ id }) => id)).toEqual([1, 3, 2, 4]);
});

test("a station's settings apply however the station is spelled, but not to the expediter", () => {
  const bar = { station: 'Bar', bumps: 1, amber_minutes: 1, late_minutes: 2, dishes: [] } as const;
  const stations = [
    { ...bar, dishes: [] },
    { ...bar, station: 'expediter', dishes: [] },
  ];
  const rules = { stations, taps: 3 };
  expect([' bar', expediter].map((station) => rulesOf(rules, station).bumps)).toEqual([1, 3]);
});

test.each([
  [1, 'Pão de queijo'],
  [2, '2\u00A0Pão de queijo'],
])('a sentence about %d portions of a dish has no line break between number and dish', (quantity, text) => {
  expect(dishText({ quantity, name: 'Pão de queijo' })).toBe(text);
});

test.each<[board: string, station: string, stations: [] | undefined, reported: readonly string[] | undefined]>([
  ['the bar', 'bar', [], ['bar']],
  ['all stations', allStations, [], undefined],
  ['an expediter, who cooks nothing', expediter, [], []],
  ['the bar, with a service that knows no stations', 'bar', undefined, undefined],
])('the right stations are reported by a board for %s', (...row) => {
  const [, station, stations, reported] = row;
  expect(reportedStations(stations ? { stations } : {}, station)).toEqual(reported);
});
