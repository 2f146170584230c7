import { expect, test } from '@jest/globals';
import { readAmount } from './read-amount.ts';

test.each([
  ['180', '180'],
  ['180,5', '180.50'],
  ['180.50', '180.50'],
  [' R$ 1 180,05 ', '1180.05'],
  ['0,01', '0.01'],
  ['007', '7'],
  ['1.234,56', '1234.56'],
  ['1,234.5', '1234.50'],
  ['R$ 12.345.678,90', '12345678.90'],
  ['99999999.99', '99999999.99'],
])("readAmount('%s') returns %s", (typed, amount) => {
  expect(readAmount(typed)).toBe(amount);
});
test.each([
  '',
  '0',
  '0,00',
  '-5',
  '1.234',
  '1.234.50',
  '12.34,50',
  '0.123,45',
  '12,345',
  '1e3',
  'abc',
  '100000000',
  '1,2,3',
])("readAmount rejects '%s'", (typed) => {
  expect(readAmount(typed)).toBeNull();
});
