import { expect, test } from '@jest/globals';
import { invalidPieces, piecesOf, totalOf } from './pieces.ts';
import { readCash } from './read-cash.ts';

test('notes and coins add up to the cent', () => {
  expect(totalOf({ '20000': '3', '500': ' 7 ', '25': '3', '10': '' })).toBe('635.75');
  expect(totalOf({})).toBe('0.00');
});

test('a count that is no whole number is reported and not added', () => {
  const pieces = { '1000': '1.5', '500': '-2', '200': '2' };
  expect([invalidPieces(pieces), totalOf(pieces)]).toEqual([['500', '1000'], '4.00']);
});

test('only currencies with a list have notes and coins', () => {
  expect([piecesOf('BRL').length, piecesOf('EUR').length]).toEqual([12, 0]);
});

test.each([
  ['0', '0.00'],
  [' 0,00 ', '0.00'],
  ['860', '860'],
  ['1.234', null],
  ['', null],
  ['-5', null],
])('counted cash %j is read as %j', (typed, read) => {
  expect(readCash(typed)).toBe(read);
});
