import { expect, test } from '@jest/globals';
import { createDeviceLock } from './device-lock.ts';
import { wait } from './random.ts';
import { memoryStorage } from './storage.ts';

test('when there are no Web Locks and many tabs want the same, then one at a time has it', async () => {
  const storage = memoryStorage();
  let inside = 0;
  let most = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++inside);
    // Longer than the lock takes to settle: a refresh does, too.
    await wait(60);
    inside--;
    done++;
  };
  const tabs = Array.from({ length: 5 }, () => createDeviceLock('refreshing', storage, null));
  await Promise.all(tabs.map((lock) => lock(work)));
  expect({ most, done }).toEqual({ most: 1, done: 5 });
  expect(storage.getItem('refreshing')).toBeNull();
});

test('when a tab died with the lock, or a clock was set back, then the lock is free again', async () => {
  const storage = memoryStorage();
  for (const until of [Date.now() - 1, Date.now() + 3_600_000]) {
    storage.setItem('refreshing', `a-tab-that-died ${until}`);
    const lock = createDeviceLock('refreshing', storage, null);
    expect(await lock(() => Promise.resolve('done'))).toBe('done');
  }
});

test('when the work fails, then the lock is free and the failure is told', async () => {
  const storage = memoryStorage();
  const lock = createDeviceLock('refreshing', storage, null);
  await expect(lock(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  expect(storage.getItem('refreshing')).toBeNull();
});
