import { expect, test } from '@jest/globals';
import { takeLatest } from './take-latest.ts';

test('a response older than one that was already accepted is ignored', () => {
  const taken: string[] = [];
  const ask = takeLatest((answer: string) => taken.push(answer));
  const [first, second, third] = [ask(), ask(), ask()];
  second('second');
  first('first');
  third('third');
  expect(taken).toEqual(['second', 'third']);
});
