import { expect, test } from '@jest/globals';
import { readWeight } from './weight.ts';

test.each([
  ['432', '0.432'],
  ['1200', '1.200'],
  ['99999', '99.999'],
  ['5', '0.005'],
  ['0432', '0.432'],
  ['0,432', '0.432'],
  ['0.43', '0.430'],
  [',5', '0.500'],
  [' 1.2 ', '1.200'],
  ['1.200', '1.200'],
  ['', null],
  ['0', null],
  ['0.000', null],
  ['100000', null],
  ['100.5', null],
  ['0.4321', null],
  ['1.2.3', null],
  ['-1', null],
  ['abc', null],
])('the weight %j is read as %j kg', (typed, kilos) => {
  expect(readWeight(typed)).toBe(kilos);
});
