import { expect, test } from '@jest/globals';
import { shortMoney } from './short-money.ts';

test.each([
  ['62.00', 'R$ 62'],
  ['16.50', 'R$ 16.50'],
  ['999.99', 'R$ 999.99'],
  ['3466.50', 'R$ 3,467'],
  ['0.00', 'R$ 0'],
])('a short amount of %s is %s', (amount, text) => {
  expect(shortMoney(amount, 'BRL').replaceAll('\u00a0', ' ')).toBe(text);
});
