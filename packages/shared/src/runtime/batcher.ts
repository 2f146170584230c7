import { problem } from '../contracts/problems.ts';

/** What became of one item of a batch: each is accepted or refused on its own. */
export type Outcome<R> = { value: R } | { error: unknown };

export type Batcher<T, R> = {
  /** Resolves or rejects with this item's own outcome. 503 `service_unavailable` at once when the queue is full. */
  submit: (item: T) => Promise<R>;
  /** Items waiting, without the batch that is running. */
  depth: () => number;
  /** Takes nothing more and waits for what was taken. */
  close: () => Promise<void>;
};

type Waiting<T, R> = { item: T; resolve: (value: R) => void; reject: (error: unknown) => void };

/**
 * Group commit: what waits while one batch commits is the next batch; no timer. `run` gets 1 to `maxBatch` items and
 * returns an outcome for each, in their order; if it throws, the whole batch rejects with that error.
 */
export function createBatcher<T, R>(options: {
  maxBatch: number;
  maxQueue: number;
  run: (items: readonly T[]) => Promise<readonly Outcome<R>[]>;
}): Batcher<T, R> {
  let queue: Waiting<T, R>[] = [];
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
    while (queue.length > 0) {
      const batch = queue.slice(0, options.maxBatch);
      queue = queue.slice(options.maxBatch);
      // oxlint-disable-next-line no-await-in-loop -- one batch at a time is the design
      await runBatch(batch);
    }
    working = null;
  }

  return {
    submit: (item) => {
      if (closed || queue.length >= options.maxQueue)
        return Promise.reject(problem('service_unavailable', { detail: 'The queue is full.' }, { 'Retry-After': '1' }));
      const { promise, resolve, reject } = Promise.withResolvers<R>();
      queue.push({ item, resolve, reject });
      working ??= work();
      return promise;
    },
    depth: () => queue.length,
    close: async () => {
      closed = true;
      await working;
    },
  };
}
