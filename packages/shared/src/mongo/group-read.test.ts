import { expect, test } from '@jest/globals';
import { createGroupRead } from './group-read.ts';

/** A group read whose questions are answered when the test says so. */
function controlled() {
  const state = { isUp: true };
  const questions: { keys: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const waiting: (() => void)[] = [];
  const store = new Map([['a', 1]]);
  const find = createGroupRead<string, number>({
    isUp: () => state.isUp,
    read: (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<(number | null)[]>();
      const found = keys.map((key) => store.get(key) ?? null);
      questions.push({ keys, end: () => resolve(found), fail: reject });
      waiting.shift()?.();
      return promise;
    },
  });
  const next = async () => {
    if (questions.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const question = questions.shift();
    if (!question) throw new Error('no question');
    return question;
  };
  return { state, store, find, next, questions };
}

test('when keys are asked for together, then it is one question, and each gets its own answer, null where there is none', async () => {
  const { find, next } = controlled();
  const answers = Promise.all([find('a'), find('b'), find('a')]);
  const question = await next();
  expect(question.keys).toEqual(['a', 'b', 'a']);
  question.end();
  expect(await answers).toEqual([1, null, 1]);
});

test('when a key is asked for while a question about it is under way, then it is asked again and its answer is what stands there then', async () => {
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

test('when the database goes away, then who was asking hears that, who waited hears 503 at once, and nobody is asked until it is back', async () => {
  const { find, state, next, questions } = controlled();
  const asking = find('a');
  const question = await next();
  const waited = find('a');
  state.isUp = false;
  question.fail(new Error('connection lost'));
  await expect(asking).rejects.toThrow('connection lost');
  await expect(waited).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
  await expect(find('a')).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(questions).toEqual([]);
  state.isUp = true;
  const back = find('a');
  (await next()).end();
  expect(await back).toBe(1);
});
