import { expect, test } from '@jest/globals';
import { contrastOf } from './contrast.ts';

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#c8402b', '#ffffff', 4.97],
  ['#767676', '#FFFFFF', 4.54],
  ['#777777', '#ffffff', 4.48],
])('the contrast of %s and %s is %d', (one, other, ratio) => {
  expect(contrastOf(one, other)).toBeCloseTo(ratio, 2);
  expect(contrastOf(other, one)).toBe(contrastOf(one, other));
});
