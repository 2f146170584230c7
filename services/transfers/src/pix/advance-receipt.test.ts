import { expect, test } from '@jest/globals';
import { isOurs } from './advance-receipt.ts';
import type { BankPix } from './bank.ts';

test.each([
  ['the same key', 'ana@example.com', true],
  ['the same key in another case', 'Ana@Example.com', true],
  ['no key', null, true],
  ['another key', 'eva@example.com', false],
])('a Pix to %s is ours: %s %s', (_what, key, expected) => {
  expect(isOurs({ key } as BankPix, 'ana@EXAMPLE.com')).toBe(expected);
});
