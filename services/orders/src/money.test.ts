import { describe, expect, test } from '@jest/globals';
import { fromMinor, toMinor } from './money.ts';

describe('money', () => {
  test.each([
    ['0', 0],
    ['0.5', 50],
    ['0.05', 5],
    ['12.50', 1250],
    ['99999999.99', 9_999_999_999],
  ])('%s is parsed as %d minor units', (decimal, minor) => {
    expect(toMinor(decimal)).toBe(minor);
  });
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [50, '0.50'],
    [1250, '12.50'],
    [4_949_999_999_505, '49499999995.05'],
  ])('%d minor units are formatted as %s', (minor, decimal) => {
    expect(fromMinor(minor)).toBe(decimal);
  });
  test.each(['', '-1', '1.234', '1e3', 'NaN', ' 1', '99999999999999999'])('%j is rejected', (text) => {
    expect(() => toMinor(text)).toThrow('not a decimal');
  });
});
