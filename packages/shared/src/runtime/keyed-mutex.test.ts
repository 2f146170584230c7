import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createKeyedMutex, MutexTimeout } from './keyed-mutex.ts';

describe('createKeyedMutex', () => {
  test('gives a key to one holder at a time, in the order of calls', async () => {
    const mutex = createKeyedMutex<number>();
    const log: string[] = [];
    const work = async (name: string): Promise<void> => {
      const release = await mutex.acquire(1);
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
      release();
    };

    await Promise.all([work('a'), work('b'), work('c')]);

    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('locks a second key while the first is locked', async () => {
    const mutex = createKeyedMutex<number>();
    await mutex.acquire(1);

    const release = await mutex.acquire(2);

    expect(release).toBeInstanceOf(Function);
  });

  test('leaves the key with the next holder when a holder releases twice', async () => {
    const mutex = createKeyedMutex<number>();
    const releaseFirst = await mutex.acquire(1);
    const second = mutex.acquire(1);
    const third = isSettled(mutex.acquire(1));

    releaseFirst();
    releaseFirst();

    expect(await second).toBeInstanceOf(Function);
    expect(await third()).toBe(false);
  });

  test('rejects all waiting calls when a holder releases with a failure', async () => {
    const mutex = createKeyedMutex<number>();
    const failure = new Error('connection lost');
    const release = await mutex.acquire(1);
    const waiting = [mutex.acquire(1), mutex.acquire(1), mutex.acquire(1)];

    release(failure);

    expect(await Promise.allSettled(waiting)).toEqual(waiting.map(() => ({ status: 'rejected', reason: failure })));
  });

  test('locks a key again after it was released with a failure', async () => {
    const mutex = createKeyedMutex<number>();
    const release = await mutex.acquire(1);
    release(new Error('connection lost'));

    const next = await mutex.acquire(1);

    expect(next).toBeInstanceOf(Function);
  });

  test('rejects a call at its deadline, while the calls behind it still get the key', async () => {
    const mutex = createKeyedMutex<number>();
    const release = await mutex.acquire(1);
    const late = mutex.acquire(1, { deadline: performance.now() });
    const next = mutex.acquire(1);

    await expect(late).rejects.toBeInstanceOf(MutexTimeout);
    release();

    expect(await next).toBeInstanceOf(Function);
  });
});

/** Returns a function that checks, after a turn of the event loop, whether the promise has settled. */
function isSettled(promise: Promise<unknown>): () => Promise<boolean> {
  let settled = false;
  const settle = (): void => void (settled = true);
  promise.then(settle, settle);
  return async () => {
    await turn();
    return settled;
  };
}
