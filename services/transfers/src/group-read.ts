import { createBatcher } from '@comanda/shared/runtime/batcher';
import { databaseUnavailable } from '@comanda/shared/mongo/connection';

export type GroupRead<K, V> = {
  /**
   * Returns the value for `key`; null if there is none.
   * @throws 503 `service_unavailable`, immediately while the database is down
   */
  find: (key: K) => Promise<V | null>;
  /** Rejects new reads, and waits until all accepted reads are finished. */
  close: () => Promise<void>;
};
type Options<K, V> = {
  isUp: () => boolean;
  /** Returns the value for each key, in the order of `keys`; null if there is none. */
  read: (keys: readonly K[]) => Promise<readonly (V | null)[]>;
};

/**
 * Combines the reads of many callers into one query at a time. The reads that arrive while a query runs form the next query. So a
 * value is never older than the read that asked for it. If the database goes down, waiting reads fail immediately.
 */
export function createGroupRead<K, V>({ isUp, read }: Options<K, V>): GroupRead<K, V> {
  const batcher = createBatcher<K, V | null>({
    maxBatch: 256,
    maxQueue: 10_000,
    run: async (keys) => {
      if (!isUp()) throw databaseUnavailable();
      const values = await read(keys);
      return values.map((value) => ({ value }));
    },
  });
  return { find: batcher.submit, close: batcher.close };
}
