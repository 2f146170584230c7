import { expect, test } from '@jest/globals';
import { pauseBetweenComparisons } from './read-loop.ts';

test.each([
  { tookMs: 40, pauseMs: 30_000 },
  { tookMs: 5_000, pauseMs: 45_000 },
  { tookMs: 80_000, pauseMs: 720_000 },
])('a list that took $tookMs ms to fetch is compared again after at least $pauseMs ms', ({ tookMs, pauseMs }) => {
  expect(pauseBetweenComparisons(30_000, tookMs)).toBe(pauseMs);
});
