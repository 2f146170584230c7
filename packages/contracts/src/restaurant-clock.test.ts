import { expect, jest, test } from '@jest/globals';
import {
  businessDayOf,
  isTimeZone,
  localDate,
  nextTimeOfDay,
  startOfBusinessDay,
  utcOffsetMs,
} from './restaurant-clock.ts';

const iso = (at: number): string => new Date(at).toISOString();

test.each([
  ['America/Sao_Paulo', '2026-11-21T02:59:59.999Z', '2026-11-20'],
  ['America/Sao_Paulo', '2026-11-21T03:00:00.000Z', '2026-11-21'],
  ['Etc/GMT+2', '2026-11-21T01:59:59.999Z', '2026-11-20'],
  ['Etc/GMT+2', '2026-11-21T02:00:00.000Z', '2026-11-21'],
  ['Asia/Kathmandu', '2026-11-20T18:15:00.000Z', '2026-11-21'],
])('the date in %s at %s is %s', (timeZone, at, date) => {
  expect(localDate(Date.parse(at), timeZone)).toBe(date);
});

test.each([
  // The date changes at midnight, but the business day changes at the configured time.
  ['America/Sao_Paulo', '04:00', '2026-11-21T02:59:00.000Z', '2026-11-20', '2026-11-20T07:00:00.000Z'],
  ['America/Sao_Paulo', '04:00', '2026-11-21T03:01:00.000Z', '2026-11-20', '2026-11-20T07:00:00.000Z'],
  ['America/Sao_Paulo', '04:00', '2026-11-21T06:59:59.999Z', '2026-11-20', '2026-11-20T07:00:00.000Z'],
  ['America/Sao_Paulo', '04:00', '2026-11-21T07:00:00.000Z', '2026-11-21', '2026-11-21T07:00:00.000Z'],
  ['America/Sao_Paulo', '00:00', '2026-11-21T02:59:59.999Z', '2026-11-20', '2026-11-20T03:00:00.000Z'],
  ['America/Sao_Paulo', '00:00', '2026-11-21T03:00:00.000Z', '2026-11-21', '2026-11-21T03:00:00.000Z'],
  ['Etc/GMT+2', '04:00', '2026-11-21T05:59:59.999Z', '2026-11-20', '2026-11-20T06:00:00.000Z'],
  ['Asia/Tokyo', '04:00', '2026-12-31T19:00:00.000Z', '2027-01-01', '2026-12-31T19:00:00.000Z'],
  // In Berlin, 02:30 doesn't exist on the night of 29 March and occurs twice on 25 October.
  ['Europe/Berlin', '04:00', '2026-03-29T01:59:59.999Z', '2026-03-28', '2026-03-28T03:00:00.000Z'],
  ['Europe/Berlin', '04:00', '2026-03-29T02:00:00.000Z', '2026-03-29', '2026-03-29T02:00:00.000Z'],
  ['Europe/Berlin', '02:30', '2026-03-29T00:59:59.999Z', '2026-03-28', '2026-03-28T01:30:00.000Z'],
  ['Europe/Berlin', '02:30', '2026-03-29T01:00:00.000Z', '2026-03-29', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '04:00', '2026-10-25T02:59:59.999Z', '2026-10-24', '2026-10-24T02:00:00.000Z'],
  ['Europe/Berlin', '02:30', '2026-10-25T01:00:00.000Z', '2026-10-25', '2026-10-25T00:30:00.000Z'],
  // São Paulo's clocks skipped midnight on 4 November 2018.
  ['America/Sao_Paulo', '00:00', '2018-11-04T02:59:59.999Z', '2018-11-03', '2018-11-03T03:00:00.000Z'],
  ['America/Sao_Paulo', '00:00', '2018-11-04T03:00:00.000Z', '2018-11-04', '2018-11-04T03:00:00.000Z'],
])('if days in %s start at %s, %s belongs to %s, which started at %s', (...row) => {
  const [timeZone, dayStartsAt, at, day, start] = row;
  const clock = { timeZone, dayStartsAt };

  expect(businessDayOf(Date.parse(at), clock)).toBe(day);
  expect(iso(startOfBusinessDay(Date.parse(at), clock))).toBe(start);
});

test.each([
  ['21:30', 'America/Sao_Paulo', '2026-11-21T00:00:00.000Z', '2026-11-21T00:30:00.000Z'],
  ['21:30', 'America/Sao_Paulo', '2026-11-21T00:30:00.000Z', '2026-11-22T00:30:00.000Z'],
  ['00:10', 'America/Sao_Paulo', '2026-11-21T02:50:00.000Z', '2026-11-21T03:10:00.000Z'],
  ['21:30', 'Etc/GMT+2', '2026-11-20T23:00:00.000Z', '2026-11-20T23:30:00.000Z'],
  ['04:00', 'Pacific/Kiritimati', '2026-11-20T23:00:00.000Z', '2026-11-21T14:00:00.000Z'],
  // In Berlin, the day on which the clocks change has 23 or 25 hours.
  ['21:30', 'Europe/Berlin', '2026-03-28T20:45:00.000Z', '2026-03-29T19:30:00.000Z'],
  ['21:30', 'Europe/Berlin', '2026-10-24T19:45:00.000Z', '2026-10-25T20:30:00.000Z'],
  // A skipped time is replaced by the moment when the clocks jump. After that moment, the next such time is tomorrow's.
  ['02:30', 'Europe/Berlin', '2026-03-29T00:50:00.000Z', '2026-03-29T01:00:00.000Z'],
  ['02:30', 'Europe/Berlin', '2026-03-29T01:10:00.000Z', '2026-03-30T00:30:00.000Z'],
  // A repeated time occurs twice, and the next time may be either the first or the second.
  ['02:30', 'Europe/Berlin', '2026-10-25T00:00:00.000Z', '2026-10-25T00:30:00.000Z'],
  ['02:30', 'Europe/Berlin', '2026-10-25T00:45:00.000Z', '2026-10-25T01:30:00.000Z'],
  ['02:30', 'Europe/Berlin', '2026-10-25T01:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  // Lord Howe Island moves its clocks by half an hour.
  ['02:15', 'Australia/Lord_Howe', '2026-10-03T15:00:00.000Z', '2026-10-03T15:30:00.000Z'],
])('the next %s in %s after %s is %s', (...row) => {
  const [time, timeZone, now, next] = row;

  expect(iso(nextTimeOfDay(time, Date.parse(now), timeZone))).toBe(next);
});

test.each([
  ['America/Sao_Paulo', true],
  ['Etc/GMT+2', true],
  ['Mars/Base', false],
  ['', false],
])('isTimeZone(%s) returns %s', (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});

test.each(['America/Sao_Paulo', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'])(
  'the offset of %s is the same for a known quarter of an hour as for a new one',
  (timeZone) => {
    const formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    const shown = (at: number): string => formatter.format(at).split('GMT')[1] ?? '';
    const offset = (at: number): string => {
      const minutes = utcOffsetMs(at, timeZone) / 60_000;
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
      const two = (number: number): string => String(number).padStart(2, '0');
      return `${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
    };
    const start = Date.UTC(2010, 0, 1);
    const times = Array.from({ length: 400 }, (_, index) => start + index * 13 * 86_399_999);
    for (const at of [...times, ...times].flatMap((time) => [time, time + 1, time + 899_999]))
      expect(offset(at)).toBe(shown(at));
  },
);

test('the business days of a thousand payments in one evening take few formatted dates', () => {
  const clock = { timeZone: 'America/Manaus', dayStartsAt: '04:00' };
  const format = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  const start = Date.UTC(2026, 10, 20, 22);
  const days = Array.from({ length: 1000 }, (_, index) => businessDayOf(start + index * 15_000, clock));
  const formatted = format.mock.calls.length;
  format.mockRestore();

  expect(new Set(days)).toEqual(new Set(['2026-11-20']));
  expect(formatted).toBeLessThan(100);
});
