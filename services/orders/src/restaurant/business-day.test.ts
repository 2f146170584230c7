import { expect, test } from '@jest/globals';
import { createBusinessDay } from './business-day.ts';

test.each([
  ['America/Sao_Paulo', '2026-11-21T02:59:59.999Z', '2026-11-20'],
  ['America/Sao_Paulo', '2026-11-21T03:00:00.000Z', '2026-11-21'],
  ['UTC', '2026-11-21T02:59:59.999Z', '2026-11-21'],
])('when the restaurant is in %s and it is %s, then its business day is %s', (timeZone, at, day) => {
  expect(createBusinessDay(timeZone)(new Date(at))).toBe(day);
});
