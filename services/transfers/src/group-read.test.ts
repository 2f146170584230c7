import { expect, test } from '@jest/globals';
import { createGroupRead } from './group-read.ts';

/** Creates a group read. Its queries don't end until the test ends them. */
function controlled() {
  const state = { isUp: true };
  const queries: { keys: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const waiting: (() => void)[] = [];
  const store = new Map([['a', 1]]);
  const groupRead = createGroupRead<string, number>({
    isUp: () => state.isUp,
    read: (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<(number | null)[]>();
      const found = keys.map((key) => store.get(key) ?? null);
      queries.push({ keys, end: () => resolve(found), fail: reject });
      waiting.shift()?.();
      return promise;
    },
  });
  const next = async () => {
    if (queries.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const query = queries.shift();
    if (!query) throw new Error('no query');
    return query;
  };
  return { state, store, ...groupRead, next, queries };
}

test('several keys that are read at the same time cause a single query', async () => {
  const { find, next } = controlled();
  const responses = Promise.all([find('a'), find('b'), find('a')]);
  const query = await next();

  expect(query.keys).toEqual(['a', 'b', 'a']);

  query.end();

  expect(await responses).toEqual([1, null, 1]);
});

test('a key that is read during its query is read again by the next query', async () => {
  const { find, store, next } = controlled();
  const early = find('b');
  const first = await next();
  store.set('b', 2);
  const late = [find('b'), find('c')];
  first.end();

  expect(await early).toBeNull();

  const second = await next();

  expect(second.keys).toEqual(['b', 'c']);

  second.end();

  expect(await Promise.all(late)).toEqual([2, null]);
});

test("waiting reads fail immediately when the database goes down, and no query runs until it's back", async () => {
  const { find, state, next, queries } = controlled();
  const running = find('a');
  const query = await next();
  const waiting = find('a');
  state.isUp = false;
  query.fail(new Error('connection lost'));

  await expect(running).rejects.toThrow('connection lost');
  await expect(waiting).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
  await expect(find('a')).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(queries).toEqual([]);

  state.isUp = true;
  const back = find('a');
  (await next()).end();

  expect(await back).toBe(1);
});
