import { expect, test } from '@jest/globals';
import { screensOff, type ScreenNow } from './screens-off.ts';

const at = '2026-11-20T22:00:00.000Z';
const bar: ScreenNow = { screen: 'bar', on: false, shows: 'station', station: 'Bar', reported_at: at };
const grill: ScreenNow = { ...bar, screen: 'grill', station: 'Grill' };
const all: ScreenNow = { ...bar, screen: 'all', shows: 'all_stations', station: null };
const expediter: ScreenNow = { ...all, screen: 'pass', shows: 'expediter' };
const isOn = { on: true };

test.each<[string, ScreenNow[], string[]]>([
  ['is off', [bar], ['bar']],
  ['is on', [{ ...bar, ...isOn }], []],
  ['was last on in the day before', [{ ...bar, reported_at: '2026-11-20T02:00:00.000Z' }], []],
  ['has another screen of its station in its place', [bar, { ...bar, screen: 'bar-2', ...isOn }], []],
  ['has a screen of all stations in its place', [bar, { ...all, ...isOn }], []],
  ['has only screens of other stations beside it', [bar, { ...grill, ...isOn }, { ...expediter, ...isOn }], ['bar']],
  ['showed all stations, of which one is left', [all, { ...bar, ...isOn }], ['all']],
])('a screen that %s', (_state, screens, off) => {
  expect(screensOff(screens, '2026-11-20T10:00:00.000Z').map(({ screen }) => screen)).toEqual(off);
});
