import { expect, test } from '@jest/globals';
import { createCrossTabLock } from './cross-tab-lock.ts';
import { memoryStorage } from './storage.ts';
import { wait } from '../wait.ts';

test('only one of five tabs has the lock at a time', async () => {
  const storage = memoryStorage();
  const tabs = Array.from({ length: 5 }, () => createCrossTabLock('refreshing', storage, null));
  const running = { now: 0, max: 0, finished: 0 };
  const work = async (): Promise<void> => {
    running.now++;
    running.max = Math.max(running.max, running.now);
    await wait(60); // This work takes longer than the time that tabs need to agree on the lock, as a token refresh does.
    running.now--;
    running.finished++;
  };

  await Promise.all(tabs.map((lock) => lock(work)));

  expect(running).toEqual({ now: 0, max: 1, finished: 5 });
  expect(storage.getItem('refreshing')).toBeNull();
});

test.each([
  ['its tab was closed and the lease expired', -1],
  ['the lease ends too late because the clock was set back', 3_600_000],
])('the lock is free again when %s', async (_situation, leftMs) => {
  const storage = memoryStorage();
  storage.setItem('refreshing', `a-tab-that-ended ${Date.now() + leftMs}`);
  const lock = createCrossTabLock('refreshing', storage, null);

  const result = await lock(() => Promise.resolve('done'));

  expect(result).toBe('done');
});

test('the lock passes errors on to the caller and becomes free', async () => {
  const storage = memoryStorage();
  const lock = createCrossTabLock('refreshing', storage, null);

  const failing = lock(() => Promise.reject(new Error('no network')));

  await expect(failing).rejects.toThrow('no network');
  expect(storage.getItem('refreshing')).toBeNull();
});
