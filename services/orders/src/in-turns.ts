import { setImmediate as nextTurn } from 'node:timers/promises';

const rowsPerTurn = 200;

/** Passes rows on. After each 200 rows, the other requests to this instance have their turn. */
export async function* inTurns<T>(rows: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  let passed = 0;
  for await (const row of rows) {
    yield row;
    if (++passed % rowsPerTurn === 0) await nextTurn();
  }
}

/** Returns all rows, and what `toRow` makes of each. While it does, other requests have their turns. */
export async function listInTurns<T, R>(rows: AsyncIterable<T> | Iterable<T>, toRow: (row: T) => R): Promise<R[]> {
  const list: R[] = [];
  for await (const row of inTurns(rows)) list.push(toRow(row));
  return list;
}
