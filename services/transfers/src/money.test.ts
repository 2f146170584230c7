import { expect, test } from '@jest/globals';
import { addMinor } from './money.ts';

test('a balance that needs more than 64 bits is rejected', () => {
  const max = 2n ** 63n - 1n;
  expect(addMinor(max - 1n, 1n)).toBe(max);
  expect(() => addMinor(max, 1n)).toThrow(RangeError);
  expect(() => addMinor(-max, -1n)).toThrow(RangeError);
});
