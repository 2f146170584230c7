import { expect, test } from '@jest/globals';
import { isTimeToTake } from './is-time-to-take.ts';

/** Returns a time in São Paulo, three hours behind UTC, regardless of this machine's time zone. */
const night = (hour: number, minute: number): number => Date.UTC(2026, 10, 26, hour + 3, minute);
const evening = Date.UTC(2026, 10, 25, 23, 15);
const timeZone = 'America/Sao_Paulo';

test.each([
  { when: 'the board is empty', now: evening, foundAt: evening, isQuiet: true, isTaken: true },
  { when: 'tickets stand in the evening', now: night(0, 30), foundAt: evening, isQuiet: false, isTaken: false },
  { when: 'tickets stand a minute before 4', now: night(3, 59), foundAt: evening, isQuiet: false, isTaken: false },
  { when: 'tickets stand at 4', now: night(4, 0), foundAt: evening, isQuiet: false, isTaken: true },
  { when: 'the screen wakes up at 9', now: night(9, 0), foundAt: evening, isQuiet: false, isTaken: true },
  { when: 'it came after midnight', now: night(4, 0), foundAt: night(1, 0), isQuiet: false, isTaken: true },
  { when: 'it came at 4', now: night(4, 5), foundAt: night(4, 0), isQuiet: false, isTaken: false },
])('a new release is loaded when $when: $isTaken', ({ now, foundAt, isQuiet, isTaken }) => {
  expect(isTimeToTake({ now, foundAtMs: foundAt, isQuiet, timeZone })).toBe(isTaken);
});
