import { expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import { retryOnConflict, WriteConflict } from './retry-on-conflict.ts';

const inOneSecond = (): number => performance.now() + 1000;
/** Returns a function for `attempt` that fails with each of these errors, in this order, and then succeeds. */
function failingWith(...errors: Error[]) {
  return jest.fn(() => {
    const error = errors.shift();
    return error ? Promise.reject(error) : Promise.resolve('written');
  });
}
const transactionConflict = new mongoose.mongo.MongoServerError({
  message: 'WriteConflict',
  errorLabels: ['TransientTransactionError'],
});

test.each([
  ['a store finds another version', new WriteConflict()],
  ['MongoDB aborts the transaction', transactionConflict],
])('retryOnConflict retries the attempt when %s, and returns its value', async (_what, conflict) => {
  const attempt = failingWith(conflict, conflict);

  const value = await retryOnConflict({ deadline: inOneSecond() }, attempt);

  expect(value).toBe('written');
  expect(attempt).toHaveBeenCalledTimes(3);
});

test('retryOnConflict throws any other error from an attempt immediately', async () => {
  const attempt = failingWith(new Error('the disk is full'));

  await expect(retryOnConflict({ deadline: inOneSecond() }, attempt)).rejects.toThrow('the disk is full');
  expect(attempt).toHaveBeenCalledTimes(1);
});

test('retryOnConflict retries the attempt after an error that the caller marks as retryable', async () => {
  const attempt = failingWith(new Error('duplicate number'));
  const isRetryable = (error: unknown): boolean => error instanceof Error && error.message === 'duplicate number';

  const value = await retryOnConflict({ deadline: inOneSecond(), isRetryable }, attempt);

  expect(value).toBe('written');
});

test('retryOnConflict throws 503 if every attempt has a conflict', async () => {
  const attempt = failingWith(...Array.from({ length: 5 }, () => new WriteConflict()));

  await expect(retryOnConflict({ deadline: inOneSecond(), maxAttempts: 3 }, attempt)).rejects.toMatchObject({
    code: 'service_unavailable',
    headers: { 'Retry-After': '1' },
  });
  expect(attempt).toHaveBeenCalledTimes(3);
});

test('retryOnConflict throws 503 without another attempt if the deadline has passed', async () => {
  const attempt = failingWith(new WriteConflict());

  await expect(retryOnConflict({ deadline: performance.now() - 1 }, attempt)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  expect(attempt).toHaveBeenCalledTimes(1);
});

test('retryOnConflict reports a conflict to the caller before the next attempt', async () => {
  const conflict = new WriteConflict();
  const order: unknown[] = [];
  const attempt = (): Promise<string> => {
    order.push('attempt');
    return order.length === 1 ? Promise.reject(conflict) : Promise.resolve('written');
  };

  await retryOnConflict({ deadline: inOneSecond(), onConflict: (error) => void order.push(error) }, attempt);

  expect(order).toEqual(['attempt', conflict, 'attempt']);
});
