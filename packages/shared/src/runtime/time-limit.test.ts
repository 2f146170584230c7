import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { withTimeLimit } from './time-limit.ts';

const inMs = (ms: number): number => performance.now() + ms;
const onTimeout = (): Error => new Error('too late');

describe('withTimeLimit', () => {
  test('returns the value of work that ends before the deadline', async () => {
    const waited = withTimeLimit(Promise.resolve('done'), { deadline: inMs(1000), onTimeout });

    expect(await waited).toBe('done');
  });

  test('throws the error of work that fails before the deadline', async () => {
    const waited = withTimeLimit(Promise.reject(new Error('refused')), { deadline: inMs(1000), onTimeout });

    await expect(waited).rejects.toThrow('refused');
  });

  test('throws its own error when the deadline passes first, while the work continues', async () => {
    const work = Promise.withResolvers<string>();

    const waited = withTimeLimit(work.promise, { deadline: inMs(20), onTimeout });

    await expect(waited).rejects.toThrow('too late');
    work.resolve('done');
    expect(await work.promise).toBe('done');
  });

  test('throws its own error when the deadline has already passed', async () => {
    const waited = withTimeLimit(new Promise(() => undefined), { deadline: inMs(-1), onTimeout });

    await expect(waited).rejects.toThrow('too late');
  });

  test('returns the value of work that ended before the deadline even if the event loop was busy', async () => {
    for (let round = 0; round < 10; round++) {
      const { port1, port2 } = new MessageChannel();
      const work = once(port1, 'message').then(() => 'done');
      port2.postMessage('done');
      const deadline = inMs(20);
      const waited = withTimeLimit(work, { deadline, onTimeout });
      while (performance.now() < deadline + 5); // the loop blocks the event loop past the deadline

      expect(await waited).toBe('done');
      port1.close();
    }
  });

  test("doesn't report the error of work that fails after the deadline", async () => {
    const unhandled: unknown[] = [];
    const record = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', record);
    const work = Promise.withResolvers<string>();
    const waited = withTimeLimit(work.promise, { deadline: performance.now(), onTimeout });
    await expect(waited).rejects.toThrow('too late');

    work.reject(new Error('failed afterwards'));

    // Gives Node time to report an unhandled rejection, which it does only after the microtasks of a turn.
    await new Promise(setImmediate);
    process.off('unhandledRejection', record);
    expect(unhandled).toEqual([]);
  });
});
