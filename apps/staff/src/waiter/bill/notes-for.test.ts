import { expect, test } from '@jest/globals';
import { notesFor } from './notes-for.ts';

test.each([
  [3473n, [3500n, 4000n, 5000n, 10_000n]],
  [10_417n, [10_500n, 11_000n, 12_000n, 15_000n]],
  [5000n, [6000n, 10_000n]],
  [420n, [500n, 1000n, 2000n, 5000n]],
])('a guest who pays %s is offered round amounts above it', (total, offered) => {
  expect(notesFor(total)).toEqual(offered);
});
