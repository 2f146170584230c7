import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { listInTurns } from './in-turns.ts';

test('a long list lets other work run after each 200 rows', async () => {
  let [others, isDone] = [0, false];
  const other = (async () => {
    while (!isDone) {
      await nextTurn();
      others++;
    }
  })();
  const rows = await listInTurns(
    Array.from({ length: 2000 }, (_, index) => index),
    (row) => row * 2,
  );
  isDone = true;
  await other;

  expect(rows).toHaveLength(2000);
  expect(rows.at(-1)).toBe(3998);
  expect(others).toBeGreaterThanOrEqual(10);
});
