import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createKeyedMutex } from './keyed-mutex.ts';

const late = new Error('the key is locked');
const openMutex = () => createKeyedMutex<number>({ onTimeout: () => late });
const soon = (): number => performance.now() + 2000;

describe('createKeyedMutex', () => {
  test('gives a key to one holder at a time, in the order of calls', async () => {
    const mutex = openMutex();
    const log: string[] = [];
    const work = async (name: string): Promise<void> => {
      using _ = await mutex.acquire(1, soon());
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
    };

    await Promise.all([work('a'), work('b'), work('c')]);

    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('locks a second key while the first is locked', async () => {
    const mutex = openMutex();
    await mutex.acquire(1, soon());

    const second = isSettled(mutex.acquire(2, soon()));

    expect(await second()).toBe(true);
  });

  test('leaves the key with the next holder if a holder releases it twice', async () => {
    const mutex = openMutex();
    const first = await mutex.acquire(1, soon());
    const second = isSettled(mutex.acquire(1, soon()));
    const third = isSettled(mutex.acquire(1, soon()));

    first[Symbol.dispose]();
    first[Symbol.dispose]();

    expect([await second(), await third()]).toEqual([true, false]);
  });

  test('rejects all waiting calls if a holder fails', async () => {
    const mutex = openMutex();
    const failure = new Error('connection lost');
    const lock = await mutex.acquire(1, soon());
    const waiting = [mutex.acquire(1, soon()), mutex.acquire(1, soon()), mutex.acquire(1, soon())];

    lock.fail(failure);

    expect(await Promise.allSettled(waiting)).toEqual(waiting.map(() => ({ status: 'rejected', reason: failure })));
  });

  test('locks a key again after its holder failed', async () => {
    const mutex = openMutex();
    const lock = await mutex.acquire(1, soon());
    lock.fail(new Error('connection lost'));

    const next = isSettled(mutex.acquire(1, soon()));

    expect(await next()).toBe(true);
  });

  test('rejects a call at its deadline, while the calls behind it still get the key', async () => {
    const mutex = openMutex();
    const lock = await mutex.acquire(1, soon());
    const tooLate = mutex.acquire(1, performance.now());
    const next = isSettled(mutex.acquire(1, soon()));

    await expect(tooLate).rejects.toBe(late);
    lock[Symbol.dispose]();

    expect(await next()).toBe(true);
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
