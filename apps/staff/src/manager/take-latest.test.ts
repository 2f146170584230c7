import { expect, test } from '@jest/globals';
import { takeLatest } from './take-latest.ts';

test('when answers overtake each other, then none is taken that is older than one that was taken', () => {
  const taken: string[] = [];
  const ask = takeLatest((answer: string) => taken.push(answer));
  const [first, second, third] = [ask(), ask(), ask()];
  second('second');
  first('first');
  third('third');
  expect(taken).toEqual(['second', 'third']);
});
