import { CallFailure } from '@comanda/client';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createRetry } from './retry.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const failureOf = (code: 'unreachable' | 'internal_error' | 'rate_limited' | 'forbidden', status?: number) =>
  new CallFailure(code, {
    code,
    outcome: 'none',
    ...(status !== undefined && {
      problem: { type: '', title: '', code: code as 'forbidden', status, request_id: '' },
    }),
  });

test.each([
  ['no response', failureOf('unreachable'), 2],
  ['a server error', failureOf('internal_error', 500), 2],
  ['too many requests', failureOf('rate_limited', 429), 2],
  ['a rejection', failureOf('forbidden', 403), 0],
])('a request that failed with %s is retried until it succeeds or is rejected: %#', (_what, failure, times) => {
  let reads = 0;
  const retry = createRetry(() => {
    reads += 1;
    if (reads < 2) retry.fail(failure);
    else retry.succeed();
  });
  retry.fail(failure);
  const said = retry.failure.value;
  jest.advanceTimersByTime(30_000);

  expect([said, reads, retry.failure.value]).toEqual([failure, times, times > 0 ? null : failure]);
});

test('a closed retry sends no more requests', () => {
  const read = jest.fn();
  const retry = createRetry(read);
  retry.fail(failureOf('unreachable'));
  retry.close();
  retry.fail(failureOf('unreachable'));
  jest.advanceTimersByTime(30_000);

  expect(read).not.toHaveBeenCalled();
});
