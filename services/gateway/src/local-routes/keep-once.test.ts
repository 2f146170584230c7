import { expect, test } from '@jest/globals';
import { keepOnce } from './keep-once.ts';

test('when a value is asked for twice at once and later again, then it is made once', async () => {
  let made = 0;
  const get = keepOnce(() => Promise.resolve(++made));

  expect([...(await Promise.all([get(), get()])), await get()]).toEqual([1, 1, 1]);
});

test('when it could not be made, then whoever asked hears why, and the next one has it made again', async () => {
  let made = 0;
  const get = keepOnce(() => (++made === 1 ? Promise.reject(new Error('no thread')) : Promise.resolve(made)));

  await expect(get()).rejects.toThrow('no thread');
  expect(await get()).toBe(2);
});
