import { describe, expect, test } from '@jest/globals';
import { createBatcher } from './batcher.ts';

/** A batcher whose batches end when the test says so. */
function controlled(options: { maxBatch?: number; maxQueue?: number } = {}) {
  const batches: {
    items: readonly number[];
    end: (outcomes?: readonly ({ value: number } | { error: unknown })[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const started: (() => void)[] = [];
  const batcher = createBatcher<number, number>({
    maxBatch: options.maxBatch ?? 256,
    maxQueue: options.maxQueue ?? 1000,
    run: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly ({ value: number } | { error: unknown })[]>();
      batches.push({ items, end: (outcomes) => resolve(outcomes ?? items.map((value) => ({ value }))), fail: reject });
      started.shift()?.();
      return promise;
    },
  });
  const next = async () => {
    if (batches.length === 0) await new Promise<void>((resolve) => started.push(resolve));
    const batch = batches.shift();
    if (!batch) throw new Error('no batch');
    return batch;
  };
  return { batcher, next };
}

describe('the batcher', () => {
  test('when items come in one turn, then they are one batch, in their order', async () => {
    const { batcher, next } = controlled();
    const all = Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
    const batch = await next();
    expect(batch.items).toEqual([1, 2, 3]);
    batch.end();
    expect(await all).toEqual([1, 2, 3]);
  });

  test('when items come while a batch runs, then they are the next batch', async () => {
    const { batcher, next } = controlled();
    const first = batcher.submit(1);
    const one = await next();
    const later = [batcher.submit(2), batcher.submit(3)];
    expect(batcher.depth()).toBe(2);
    one.end();
    await first;
    const two = await next();
    expect(two.items).toEqual([2, 3]);
    two.end();
    expect(await Promise.all(later)).toEqual([2, 3]);
  });

  test('when one item is refused, then the others are not', async () => {
    const { batcher, next } = controlled();
    const settled = Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
    (await next()).end([{ error: new Error('sold out') }, { value: 2 }]);
    expect(await settled).toMatchObject([{ status: 'rejected', reason: { message: 'sold out' } }, { value: 2 }]);
  });

  test('when a batch throws, then its items reject and the next batch runs', async () => {
    const { batcher, next } = controlled();
    const settled = Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
    (await next()).fail(new Error('the database is gone'));
    expect(await settled).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    const after = batcher.submit(3);
    (await next()).end();
    expect(await after).toBe(3);
  });

  test('when there are more than a batch holds, then several batches run one after the other', async () => {
    const { batcher, next } = controlled({ maxBatch: 2 });
    const all = Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
    const one = await next();
    expect(one.items).toEqual([1, 2]);
    one.end();
    const two = await next();
    expect(two.items).toEqual([3]);
    two.end();
    expect(await all).toEqual([1, 2, 3]);
  });

  test('when the queue is full, then 503 with Retry-After at once', async () => {
    const { batcher, next } = controlled({ maxQueue: 1 });
    const taken = batcher.submit(1);
    await expect(batcher.submit(2)).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'Retry-After': '1' },
    });
    (await next()).end();
    expect(await taken).toBe(1);
  });

  test('when it closes, then what was taken is finished and nothing more is taken', async () => {
    const { batcher, next } = controlled();
    const taken = batcher.submit(1);
    const closed = batcher.close();
    await expect(batcher.submit(2)).rejects.toMatchObject({ code: 'service_unavailable' });
    (await next()).end();
    await closed;
    expect(await taken).toBe(1);
  });
});
