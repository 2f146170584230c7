import { expect, test } from '@jest/globals';
import { allStations, dishText, expediter, reportedStations } from './ticket.ts';

test.each([
  [1, 'Pão de queijo'],
  [2, '2\u00A0Pão de queijo'],
])('when %d of a dish are told in a sentence, then no line ends between number and dish', (quantity, text) => {
  expect(dishText({ quantity, name: 'Pão de queijo' })).toBe(text);
});

test.each<[board: string, station: string, stations: [] | undefined, reported: readonly string[] | undefined]>([
  ['the bar', 'bar', [], ['bar']],
  ['all stations', allStations, [], undefined],
  ['an expediter, who cooks nothing,', expediter, [], []],
  ['the bar, beside a service that knows no stations,', 'bar', undefined, undefined],
])('a board of %s reports what it shows for the stations it stands for', (...row) => {
  const [, station, stations, reported] = row;
  expect(reportedStations(stations ? { stations } : {}, station)).toEqual(reported);
});
