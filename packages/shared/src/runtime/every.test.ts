import { afterEach, expect, jest, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { every, type Repeated } from './every.ts';

const failure = 'could not work';
const opened: Repeated[] = [];
afterEach(() => Promise.all(opened.splice(0).map((repeated) => repeated.close())));

function repeat(options: Partial<Parameters<typeof every>[0]>) {
  const warn = jest.fn();
  const run = jest.fn(options.run ?? (() => Promise.resolve()));
  const repeated = every({ everyMs: 60_000, logger: { warn }, failure, ...options, run });
  opened.push(repeated);
  return { ...repeated, run, warn };
}

test('every() runs its task immediately, and again after each pause', async () => {
  const { run } = repeat({ everyMs: 1 });

  expect(run).toHaveBeenCalledTimes(1);
  await until(() => run.mock.calls.length >= 3, { what: 'two more runs' });
});

test('every() waits before the first run if firstAfterMs is set', async () => {
  const { run } = repeat({ firstAfterMs: 5 });

  expect(run).not.toHaveBeenCalled();
  await until(() => run.mock.calls.length === 1, { what: 'the first run' });
});

test('every() runs its task again after a failure, sooner if retryMs is set, and logs consecutive failures with the same cause once', async () => {
  const causes = ['down', 'down', 'full'];
  const { run, warn } = repeat({ retryMs: 1, run: () => Promise.reject(new Error(causes.shift() ?? 'full')) });

  await until(() => run.mock.calls.length >= 4, { what: 'three more runs' });

  expect(warn.mock.calls).toEqual(['down', 'full'].map((cause) => [{ err: new Error(cause) }, failure]));
});

test("every() doesn't run its task until isReady returns true", async () => {
  let isReady = false;
  const { run } = repeat({ everyMs: 1, isReady: () => isReady });
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(run).not.toHaveBeenCalled();
  isReady = true;
  await until(() => run.mock.calls.length > 0, { what: 'the first run' });
});

test('wake() ends the pause, or causes one more run after the current one', async () => {
  const ends: (() => void)[] = [];
  const { run, wake } = repeat({ run: () => new Promise<void>((resolve) => void ends.push(resolve)) });
  wake();
  wake();
  await Promise.resolve();

  expect(run).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await until(() => run.mock.calls.length === 2, { what: 'the run after the first' });
  ends[1]?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(run).toHaveBeenCalledTimes(2);
  wake();
  await until(() => run.mock.calls.length === 3, { what: 'the run after the pause' });
  ends[2]?.();
});

test("close() aborts the signal, waits for the current run and doesn't log its failure", async () => {
  const { close, run, warn } = repeat({
    everyMs: 1,
    run: (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => setTimeout(() => reject(new Error('closed')), 5));
      }),
  });

  await close();
  await new Promise((resolve) => setTimeout(resolve, 5));

  expect(run).toHaveBeenCalledTimes(1);
  expect(warn).not.toHaveBeenCalled();
});
