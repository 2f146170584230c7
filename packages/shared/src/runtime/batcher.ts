import { problem } from '../contracts/problems.ts';
import { createFairQueue } from './fair-queue.ts';

/** What became of one item of a batch: each is accepted or refused on its own. */
export type Outcome<R> = { value: R } | { error: unknown };

export type Batcher<T, R> = {
  /** Resolves or rejects with this item's own outcome. 503 `service_unavailable` at once when the queue is full. */
  submit: (item: T) => Promise<R>;
  /**
   * Keeps a place for `owner` until `work` ends, so that what `work` does before it submits is not done in vain.
   * 503 `service_unavailable` at once when there is none.
   */
  hold: <X>(owner: unknown, work: (submit: (item: T) => Promise<R>) => Promise<X>) => Promise<X>;
  /** Items waiting, without the batch that is running. */
  depth: () => number;
  /** Takes nothing more and waits for what was taken, and for those who hold a place. */
  close: () => Promise<void>;
};

type Waiting<T, R> = { item: T; taken: () => void; resolve: (value: R) => void; reject: (error: unknown) => void };
type Options<T, R> = {
  maxBatch: number;
  /** Places, of items that wait and of those that will be submitted. */
  maxQueue: number;
  /** Whose an item is; batches take one item of each owner in turn. Without it all are one owner's. */
  ownerOf?: (item: T) => unknown;
  /** Places of one owner; as many as the queue has by default. */
  maxPerOwner?: number;
  run: (items: readonly T[]) => Promise<readonly Outcome<R>[]>;
};

const full = () => problem('service_unavailable', { detail: 'The queue is full.' }, { 'Retry-After': '1' });

/**
 * Group commit: what waits while one batch commits is the next batch; no timer. `run` gets 1 to `maxBatch` items and
 * returns an outcome for each, in their order; if it throws, the whole batch rejects with that error.
 */
export function createBatcher<T, R>(options: Options<T, R>): Batcher<T, R> {
  const { maxBatch, maxQueue, maxPerOwner = maxQueue, ownerOf = () => null } = options;
  const queue = createFairQueue<Waiting<T, R>>();
  const places = createPlaces({ maxQueue, maxPerOwner });
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
      for (const waiting of batch) waiting.reject(error);
    }
  }
  async function work(): Promise<void> {
    // One turn later, so that callers of the same turn share a batch.
    await new Promise(setImmediate);
    while (queue.size() > 0) {
      const batch = queue.take(maxBatch);
      for (const { taken } of batch) taken();
      // oxlint-disable-next-line no-await-in-loop -- one batch at a time is the design
      await runBatch(batch);
    }
    working = null;
  }
  function enqueue(owner: unknown, item: T, taken: () => void): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    queue.push(owner, { item, taken, resolve, reject });
    working ??= work();
    return promise;
  }

  return {
    submit: (item) => {
      const owner = ownerOf(item);
      if (closed || !places.take(owner)) return Promise.reject(full());
      return enqueue(owner, item, () => places.free(owner));
    },
    hold: async (owner, doWork) => {
      if (closed || !places.take(owner)) throw full();
      let submitted = false;
      try {
        return await doWork((item) => {
          if (submitted) return Promise.reject(new Error('a held place is for one item'));
          submitted = true;
          return enqueue(owner, item, () => places.free(owner));
        });
      } finally {
        // What was submitted frees its place itself, even if its caller has gone.
        if (!submitted) places.free(owner);
      }
    },
    depth: queue.size,
    close: async () => {
      closed = true;
      await places.whenEmpty();
      await working;
    },
  };
}

function createPlaces({ maxQueue, maxPerOwner }: { maxQueue: number; maxPerOwner: number }) {
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
