import { describe, expect, test } from '@jest/globals';
import { isTooSoonToCreatePin, isTooSoonToResetPin } from './user.ts';

const at = Date.parse('2026-11-20T21:00:00Z');
const dayMs = 24 * 3_600_000;

describe('after another user has set the password', () => {
  test.each([
    { what: 'one millisecond less than 24 hours', ms: dayMs - 1, replacedOwn: true, reset: true, create: true },
    { what: '24 hours', ms: dayMs, replacedOwn: true, reset: false, create: false },
    { what: 'no time, for the first time', ms: 0, replacedOwn: false, reset: true, create: false },
  ])('for $what, it is too soon to reset ($reset) or create ($create) a PIN', ({ ms, replacedOwn, reset, create }) => {
    const set = { at, by: 9, replacedOwn };

    expect([isTooSoonToResetPin(set, at + ms), isTooSoonToCreatePin(set, at + ms)]).toEqual([reset, create]);
  });
});

test('it is never too soon to create or reset a PIN if no other user has set the password', () => {
  expect([isTooSoonToResetPin(null, at), isTooSoonToCreatePin(null, at)]).toEqual([false, false]);
});
