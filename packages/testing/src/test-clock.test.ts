import { expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { createSharedTestClock, readTestClock } from './test-clock.ts';

test('two processes that read the same clock file see the same time after the clock was advanced', () => {
  const clock = createSharedTestClock();
  const otherProcess = readTestClock(clock.file);
  const before = clock();

  clock.advance({ minutes: 2, ms: 5 });

  expect(clock()).toBe(before + 120_005);
  expect(otherProcess()).toBe(clock());
  clock.close();
  expect(existsSync(clock.file)).toBe(false);
});
