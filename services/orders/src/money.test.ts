import { expect, test } from '@jest/globals';
import { toMinor } from './money.ts';

test('only amounts that a number can hold exactly are accepted', () => {
  expect(toMinor('90071992547409.91')).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => toMinor('90071992547409.92')).toThrow('too large');
});
