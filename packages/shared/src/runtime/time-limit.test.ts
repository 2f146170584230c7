import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { withTimeLimit } from './time-limit.ts';

const inMs = (ms: number): number => performance.now() + ms;
const onTimeout = (): Error => new Error('too late');

describe('withTimeLimit', () => {
  test('when the work ends before the deadline, then its value is returned', async () => {
    const waited = withTimeLimit(Promise.resolve('done'), { deadline: inMs(1000), onTimeout });

    expect(await waited).toBe('done');
  });

  test('when the work fails before the deadline, then its error is thrown', async () => {
    const waited = withTimeLimit(Promise.reject(new Error('refused')), { deadline: inMs(1000), onTimeout });

    await expect(waited).rejects.toThrow('refused');
  });

  test('when the deadline passes first, then the error of the time limit is thrown, and the work goes on', async () => {
    const work = Promise.withResolvers<string>();

    const waited = withTimeLimit(work.promise, { deadline: inMs(20), onTimeout });

    await expect(waited).rejects.toThrow('too late');
    work.resolve('done');
    expect(await work.promise).toBe('done');
  });

  test('when the deadline has already passed, then the error of the time limit is thrown', async () => {
    const waited = withTimeLimit(new Promise(() => undefined), { deadline: inMs(-1), onTimeout });

    await expect(waited).rejects.toThrow('too late');
  });

  test('when the work has ended before the deadline, but the event loop was busy, then its value is returned', async () => {
    for (let round = 0; round < 10; round++) {
      const { port1, port2 } = new MessageChannel();
      const work = once(port1, 'message').then(() => 'done');
      port2.postMessage('done');
      const deadline = inMs(20);
      const waited = withTimeLimit(work, { deadline, onTimeout });
      while (performance.now() < deadline + 5); // nothing else runs meanwhile

      expect(await waited).toBe('done');
      port1.close();
    }
  });

  test('when the work fails after the deadline, then its error is not reported', async () => {
    const unhandled: unknown[] = [];
    const record = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', record);
    const work = Promise.withResolvers<string>();
    const waited = withTimeLimit(work.promise, { deadline: performance.now(), onTimeout });
    await expect(waited).rejects.toThrow('too late');

    work.reject(new Error('failed afterwards'));

    // Node reports unhandled rejections after the microtasks of a turn.
    await new Promise(setImmediate);
    process.off('unhandledRejection', record);
    expect(unhandled).toEqual([]);
  });
});
