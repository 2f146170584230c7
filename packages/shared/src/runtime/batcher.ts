import { createFairQueue } from './fair-queue.ts';

/** The outcome of one item in a batch. Each item is accepted or rejected on its own. */
export type Outcome<R> = { value: R } | { error: unknown };

/** Thrown if the queue is full, or if this owner already has as many slots as one owner may have. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

/** A slot in the queue that is reserved for one item. Disposing the slot frees it, unless an item was submitted. */
export type Slot<T, R> = Disposable & {
  /** Submits the item. May be called only once. Resolves or rejects with the outcome of this item. */
  submit: (item: T) => Promise<R>;
};

export type Batcher<T, R> = {
  /** Submits an item. Resolves or rejects with the outcome of this item. @throws QueueFull */
  submit: (item: T) => Promise<R>;
  /**
   * Reserves a slot for `owner` before the work that creates the item, so that a full queue can't make that work useless. @throws
   * QueueFull
   */
  reserve: (owner: unknown) => Slot<T, R>;
  /** Returns the number of waiting items, not including the batch that is running. */
  depth: () => number;
  /** Stops accepting items, and waits until all accepted items and reserved slots are done. */
  close: () => Promise<void>;
};

type Waiting<T, R> = { item: T; freeSlot: () => void; resolve: (value: R) => void; reject: (error: unknown) => void };
type Options<T, R> = {
  maxBatch: number;
  /** The maximum number of slots in the queue, for waiting items and reservations together. */
  maxQueue: number;
  /** Returns an item's owner. Batches take one item from each owner in turn. By default, all items have one owner. */
  ownerOf?: (item: T) => unknown;
  /** The maximum number of slots for one owner; by default as many as the queue has. */
  maxPerOwner?: number;
  run: (items: readonly T[]) => Promise<readonly Outcome<R>[]>;
  /**
   * Returns true if one item may have made the whole batch fail. Each item is then run alone, so that this item does not make the
   * others fail. By default, always returns false.
   */
  isFaultOfOne?: (error: unknown) => boolean;
};

/**
 * Creates a batcher for group commits. Items that arrive while one batch is running form the next batch; there is no timer. `run`
 * gets 1 to `maxBatch` items and returns an outcome for each, in the same order. If `run` throws, every item rejects with that
 * error or is run alone (see `isFaultOfOne`).
 */
export function createBatcher<T, R>(options: Options<T, R>): Batcher<T, R> {
  const { maxBatch, maxQueue, maxPerOwner = maxQueue, ownerOf = () => null, isFaultOfOne = () => false } = options;
  const queue = createFairQueue<Waiting<T, R>>();
  const slots = createSlots({ maxQueue, maxPerOwner });
  let working: Promise<void> | null = null;
  let closed = false;

  async function runBatch(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const outcomes = await options.run(batch.map(({ item }) => item));
      batch.forEach((waiting, index) => {
        const outcome = outcomes[index];
        if (outcome && 'value' in outcome) waiting.resolve(outcome.value);
        else waiting.reject(outcome?.error ?? new Error('a batch gave no outcome for an item'));
      });
    } catch (error) {
      if (batch.length > 1 && isFaultOfOne(error)) for (const waiting of batch) await runBatch([waiting]);
      else for (const waiting of batch) waiting.reject(error);
    }
  }
  async function work(): Promise<void> {
    // Waits one turn of the event loop, so that items from the same turn are in the same batch.
    await new Promise(setImmediate);
    while (queue.size() > 0) {
      const batch = queue.take(maxBatch);
      for (const { freeSlot } of batch) freeSlot();
      await runBatch(batch);
    }
    working = null;
  }
  function enqueue(owner: unknown, item: T, freeSlot: () => void): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    queue.push(owner, { item, freeSlot, resolve, reject });
    working ??= work();
    return promise;
  }

  return {
    submit: (item) => {
      const owner = ownerOf(item);
      if (closed || !slots.take(owner)) return Promise.reject(new QueueFull());
      return enqueue(owner, item, () => slots.free(owner));
    },
    reserve: (owner) => {
      if (closed || !slots.take(owner)) throw new QueueFull();
      let used = false;
      return {
        submit: (item) => {
          if (used) return Promise.reject(new Error('a slot is for one item'));
          used = true;
          return enqueue(owner, item, () => slots.free(owner));
        },
        [Symbol.dispose]: () => {
          if (used) return;
          used = true;
          slots.free(owner);
        },
      };
    },
    depth: queue.size,
    close: async () => {
      closed = true;
      await slots.whenEmpty();
      await working;
    },
  };
}

function createSlots({ maxQueue, maxPerOwner }: { maxQueue: number; maxPerOwner: number }) {
  const byOwner = new Map<unknown, number>();
  let all = 0;
  let onEmpty: () => void = () => undefined;
  return {
    take: (owner: unknown): boolean => {
      const own = byOwner.get(owner) ?? 0;
      if (all >= maxQueue || own >= maxPerOwner) return false;
      byOwner.set(owner, own + 1);
      all++;
      return true;
    },
    free: (owner: unknown): void => {
      const own = byOwner.get(owner) ?? 0;
      if (own > 1) byOwner.set(owner, own - 1);
      else byOwner.delete(owner);
      all--;
      if (all === 0) onEmpty();
    },
    whenEmpty: (): Promise<void> =>
      new Promise((resolve) => {
        onEmpty = resolve;
        if (all === 0) resolve();
      }),
  };
}
