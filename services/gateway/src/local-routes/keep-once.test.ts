import { expect, test } from '@jest/globals';
import { keepOnce } from './keep-once.ts';

test('keepOnce creates a value only once for two simultaneous calls and a later one', async () => {
  let made = 0;
  const get = keepOnce(() => Promise.resolve(++made));

  expect([...(await Promise.all([get(), get()])), await get()]).toEqual([1, 1, 1]);
});

test('keepOnce throws an error to every waiting caller, and tries again on the next call', async () => {
  let made = 0;
  const get = keepOnce(() => (++made === 1 ? Promise.reject(new Error('no thread')) : Promise.resolve(made)));

  await expect(get()).rejects.toThrow('no thread');
  expect(await get()).toBe(2);
});
