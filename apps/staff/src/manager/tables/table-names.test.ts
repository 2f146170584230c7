import { expect, test } from '@jest/globals';
import { tableNames } from './table-names.ts';

test.each([
  [{ first: '1', last: '3', prefix: '' }, ['1', '2', '3']],
  [{ first: ' 9 ', last: '10', prefix: 'T ' }, ['T9', 'T10']],
  [{ first: '7', last: '7', prefix: '' }, ['7']],
  [{ first: '3', last: '1', prefix: '' }, null],
  [{ first: '1', last: '201', prefix: '' }, null],
  [{ first: '', last: '12', prefix: '' }, null],
  [{ first: 'one', last: '12', prefix: '' }, null],
])('the tables of %j are %j', (range, names) => {
  expect(tableNames(range)).toEqual(names);
});
