import { expect, test } from '@jest/globals';
import { isLongLock } from './lock-limit.ts';

test.each([
  ['count', 150, true],
  ['count', 0, false],
  ['closing', 700, false],
  ['closing', 801, true],
] as const)('a %s that held the counters for %s ms was too long: %s', (what, heldMs, isLong) => {
  expect(isLongLock(what, performance.now() - heldMs)).toBe(isLong);
});
