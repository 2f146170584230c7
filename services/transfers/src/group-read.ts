import { createBatcher } from '@comanda/shared/runtime/batcher';
import { databaseUnavailable } from '@comanda/shared/mongo/connection';

export type GroupRead<K, V> = {
  /**
   * Returns the value for `key`; null if there is none. @throws 503 `service_unavailable` immediately while the database is down
   */
  find: (key: K) => Promise<V | null>;
  /** Accepts no more reads, and waits for the accepted ones. */
  close: () => Promise<void>;
};
type Options<K, V> = {
  isUp: () => boolean;
  /** Returns a value for each of `keys`, in their order; null if there is none. */
  read: (keys: readonly K[]) => Promise<readonly (V | null)[]>;
};

/**
 * Combines the reads of many callers into one query. Reads that wait while one query runs form the next query, so every value is
 * read after the caller requested it. Reads that wait when the database goes down fail immediately, without a query.
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
