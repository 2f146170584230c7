import { describe, expect, test } from '@jest/globals';
import { checkWaiterPause } from './waiter-pause.ts';

const now = new Date('2026-11-20T20:00:00.000Z');
const after = (minutes: number, ms = 0): Date => new Date(now.getTime() + minutes * 60_000 + ms);
const check = (before: Date | null, until: Date | null) => () =>
  checkWaiterPause({ before: { until: before }, until }, now);

describe('a change by a waiter to the pause in ordering', () => {
  test.each([
    ['starts a pause of 15 minutes', null, after(15)],
    ['extends a short pause', after(3), after(15)],
    ['ends a short pause', after(15), null],
    ['replaces a long pause that has ended', after(-1), after(15)],
    ['resumes ordering that is not paused', null, null],
  ])('is allowed if it %s', (_what, before, until) => {
    expect(check(before, until)).not.toThrow();
  });

  test.each([
    ['starts a pause of more than 15 minutes', check(null, after(15, 1)), 'unprocessable_content'],
    ['shortens a long pause', check(after(15, 1), after(10)), 'forbidden'],
    ['ends a long pause', check(after(60), null), 'forbidden'],
  ])('is rejected if it %s', (_what, change, code) => {
    expect(change).toThrow(expect.objectContaining({ code }));
  });
});
