import { retryOnConflict, WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';

/** How long a row that a unique index has already seen may take to reach a majority of the replica set. */
const majorityTimeLimitMs = 500;

/**
 * Reads a row that another request inserted first. `find` sees the row once a majority of the replica set has it.
 * @throws 503 `service_unavailable` if that takes longer than 500 ms
 */
export const readInserted = <T>(find: () => Promise<T | null>): Promise<T> =>
  retryOnConflict({ deadline: performance.now() + majorityTimeLimitMs }, async () => {
    const inserted = await find();
    if (!inserted) throw new WriteConflict('what another request has inserted cannot be read yet');
    return inserted;
  });
