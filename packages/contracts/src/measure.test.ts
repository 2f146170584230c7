import { describe, expect, test } from '@jest/globals';
import { sentMeasure } from './measure.ts';
import { normalMeasure, priceOfMeasure } from './weight.ts';

describe('the price of a weight', () => {
  test.each<[bigint, string, bigint]>([
    [7990n, '0.432', 3452n],
    [7990n, '0.5', 3995n],
    [1n, '0.499', 0n],
    [1n, '0.500', 1n],
    [9_999_999_999n, '99.999', 999_989_999_900n],
  ])('%s a kg × %s is %s', (price, value, total) => {
    expect(priceOfMeasure(price, value)).toBe(total);
  });
});

test('a weight has one to three decimal places and is above zero', () => {
  const isValid = (value: string) => sentMeasure().validate(value).error === undefined;

  expect(['0.001', '0.5', '99.999', '10.00'].filter(isValid)).toEqual(['0.001', '0.5', '99.999', '10.00']);
  expect(['0.000', '0.0', '1', '100.0', '01.5', '.5', '1.2345', '-0.5', '1,5', ''].filter(isValid)).toEqual([]);
  expect(['0.5', '12.34'].map(normalMeasure)).toEqual(['0.500', '12.340']);
});
