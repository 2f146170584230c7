import { describe, expect, test } from '@jest/globals';
import { createBatcher, QueueFull } from './batcher.ts';

type Limits = {
  isFaultOfOne?: (error: unknown) => boolean;
  maxBatch?: number;
  maxQueue?: number;
  maxPerOwner?: number;
  ownerOf?: (item: number) => unknown;
};
/** Creates a batcher whose batches run until the test ends them. */
function controlled(options: Limits = {}) {
  const batches: {
    items: readonly number[];
    end: (outcomes?: readonly ({ value: number } | { error: unknown })[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const started: (() => void)[] = [];
  const batcher = createBatcher<number, number>({
    maxBatch: 256,
    maxQueue: 1000,
    ...options,
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
  test('puts the items from one turn of the event loop into one batch, in order', async () => {
    const { batcher, next } = controlled();
    const all = Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
    const batch = await next();

    expect(batch.items).toEqual([1, 2, 3]);

    batch.end();

    expect(await all).toEqual([1, 2, 3]);
  });

  test('runs each item alone if one item makes a batch fail, so that the others succeed', async () => {
    const { batcher, next } = controlled({ isFaultOfOne: (error) => (error as Error).message === 'bad item' });
    const all = Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    (await next()).fail(new Error('bad item'));

    for (const item of [1, 2, 3]) {
      const alone = await next();
      expect(alone.items).toEqual([item]);
      if (item === 2) alone.fail(new Error('bad item'));
      else alone.end();
    }

    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test("fails all items if the error isn't the fault of a single item", async () => {
    const { batcher, next } = controlled({ isFaultOfOne: (error) => (error as Error).message === 'bad item' });
    const all = Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    (await next()).fail(new Error('no database'));

    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('puts items submitted during a batch into the next batch', async () => {
    const { batcher, next } = controlled();
    const first = batcher.submit(1);
    const batch = await next();
    const later = [batcher.submit(2), batcher.submit(3)];

    expect(batcher.depth()).toBe(2);

    batch.end();
    await first;
    const two = await next();

    expect(two.items).toEqual([2, 3]);

    two.end();

    expect(await Promise.all(later)).toEqual([2, 3]);
  });

  test('accepts the other items if one is rejected', async () => {
    const { batcher, next } = controlled();
    const settled = Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
    (await next()).end([{ error: new Error('sold out') }, { value: 2 }]);

    expect(await settled).toMatchObject([{ status: 'rejected', reason: { message: 'sold out' } }, { value: 2 }]);
  });

  test('rejects the items of a batch that throws, and runs the next batch', async () => {
    const { batcher, next } = controlled();
    const settled = Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
    (await next()).fail(new Error('the database is down'));

    expect(await settled).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);

    const after = batcher.submit(3);
    (await next()).end();

    expect(await after).toBe(3);
  });

  test("runs several batches one after another if the items don't fit into one", async () => {
    const { batcher, next } = controlled({ maxBatch: 2 });
    const all = Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
    const batch = await next();

    expect(batch.items).toEqual([1, 2]);

    batch.end();
    const two = await next();

    expect(two.items).toEqual([3]);

    two.end();

    expect(await all).toEqual([1, 2, 3]);
  });

  test('rejects an item immediately if the queue is full', async () => {
    const { batcher, next } = controlled({ maxQueue: 1 });
    const accepted = batcher.submit(1);

    await expect(batcher.submit(2)).rejects.toThrow(QueueFull);

    (await next()).end();

    expect(await accepted).toBe(1);
  });

  test('finishes accepted items when it closes, and accepts no more', async () => {
    const { batcher, next } = controlled();
    const accepted = batcher.submit(1);
    const closed = batcher.close();

    await expect(batcher.submit(2)).rejects.toMatchObject({ name: 'QueueFull' });

    (await next()).end();
    await closed;

    expect(await accepted).toBe(1);
  });

  test('takes one item from each owner in turn, even if one owner has many', async () => {
    const { batcher, next } = controlled({ maxBatch: 3, ownerOf: (item) => Math.floor(item / 10) });
    const all = Promise.all([10, 11, 12, 13, 20, 30, 31].map((item) => batcher.submit(item)));
    for (const items of [[10, 20, 30], [11, 31, 12], [13]]) {
      const batch = await next();

      expect(batch.items).toEqual(items);

      batch.end();
    }

    expect(await all).toEqual([10, 11, 12, 13, 20, 30, 31]);
  });

  test('gives slots to other owners if one owner has used all of its own', async () => {
    const { batcher, next } = controlled({ maxPerOwner: 2, ownerOf: (item) => Math.floor(item / 10) });
    const accepted = [10, 11].map((item) => batcher.submit(item));

    await expect(batcher.submit(12)).rejects.toMatchObject({ name: 'QueueFull' });

    const other = batcher.submit(20);
    (await next()).end();

    expect(await Promise.all([...accepted, other])).toEqual([10, 11, 20]);

    const again = batcher.submit(12);
    (await next()).end();

    expect(await again).toBe(12);
  });

  test('counts a reserved slot as used until it is disposed', async () => {
    const { batcher, next } = controlled({ maxQueue: 1 });
    const slot = batcher.reserve('ana');

    expect(() => batcher.reserve('rui')).toThrow(QueueFull);

    slot[Symbol.dispose]();
    const outcome = batcher.reserve('rui').submit(1);
    (await next()).end();

    expect(await outcome).toBe(1);
  });

  test('finishes the item in a reserved slot after it closes', async () => {
    const { batcher, next } = controlled();
    const slot = batcher.reserve('ana');
    const closed = batcher.close();
    const outcome = slot.submit(1);
    (await next()).end();
    await closed;

    expect(await outcome).toBe(1);
  });
});
