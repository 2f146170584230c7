import { expect, test } from '@jest/globals';
import { toMinor } from './money.ts';

test('amounts that a number can hold exactly are parsed, and larger ones rejected', () => {
  expect(toMinor('90071992547409.91')).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => toMinor('90071992547409.92')).toThrow('too large');
});
