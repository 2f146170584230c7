import { expect, test } from '@jest/globals';
import { differenceOf } from './difference.ts';

const of = (...differences: (string | null)[]) => differenceOf(differences.map((difference) => ({ difference })));

test('the counts of a cash drawer add up to what is missing', () => {
  expect(of('-2.00', '0.00')).toBe('-2.00');
  expect(of('-10.00', '10.00')).toBe('0.00');
  expect(of('0.05', null)).toBe('0.05');
});

test('counts without an expected sum have no difference', () => {
  expect([of(), of(null)]).toEqual([null, null]);
});
