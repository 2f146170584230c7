import { createBatcher } from '../runtime/batcher.ts';
import { databaseUnavailable } from './connection.ts';

type Options<K, V> = {
  isUp: () => boolean;
  /** What is found for each of `keys`, in their order; null where there is nothing. */
  read: (keys: readonly K[]) => Promise<readonly (V | null)[]>;
};

/**
 * Reads of many callers in one question: what waits while one is under way is asked together next, so that every answer
 * was read after it was asked for. 503 `service_unavailable` at once while the database is away: who waited while that
 * was found out is not made to find it out again.
 */
export function createGroupRead<K, V>({ isUp, read }: Options<K, V>): (key: K) => Promise<V | null> {
  const { submit } = createBatcher<K, V | null>({
    maxBatch: 256,
    maxQueue: 10_000,
    run: async (keys) => {
      if (!isUp()) throw databaseUnavailable();
      const found = await read(keys);
      return found.map((value) => ({ value }));
    },
  });
  return submit;
}
