import { expect, test } from '@jest/globals';
import { isMoreThan } from './amount.ts';

test.each([
  ['10', '9.99', true],
  ['10.00', '10.00', false],
  ['0.1', '0.09', true],
  ['1', '-5.00', true],
  ['90071992547409.93', '90071992547409.92', true],
])('an amount of %s is more than a balance of %s: %s', (amount, balance, expected) => {
  expect(isMoreThan(amount, balance)).toBe(expected);
});
