import { describe, expect, test } from '@jest/globals';
import { fromMinor, toMinor } from './money.ts';

describe('an amount of money', () => {
  test.each([
    ['0', 0n, '0.00'],
    ['1', 100n, '1.00'],
    ['0.5', 50n, '0.50'],
    ['0.05', 5n, '0.05'],
    ['12.5', 1250n, '12.50'],
    ['0.01', 1n, '0.01'],
    ['99999999.99', 9_999_999_999n, '99999999.99'],
    ['90071992547409.93', 9_007_199_254_740_993n, '90071992547409.93'],
  ])('is parsed exactly from %p, and formatted with two decimal places', (decimal, minor, formatted) => {
    expect(toMinor(decimal)).toBe(minor);
    expect(fromMinor(minor)).toBe(formatted);
  });

  test.each(['', '.5', '1.', '0.001', '1e2', '-1', ' 1', '1,5', '0x10', '１', 'NaN'])(
    "can't be parsed from %p",
    (text) => {
      expect(() => toMinor(text)).toThrow('must be a decimal');
    },
  );

  test("is formatted with a minus sign if it's negative", () => {
    expect([fromMinor(-1n), fromMinor(-1250n)]).toEqual(['-0.01', '-12.50']);
  });
});
