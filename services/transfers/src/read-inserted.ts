import { retryOnConflict, WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';

/** How long an inserted row may take to reach a majority of the replica set, in milliseconds. */
const majorityTimeLimitMs = 500;

/**
 * Reads a row that another request has just inserted. `find` returns the row once a majority of the replica set has it.
 * @throws 503 `service_unavailable` if that takes longer than 500 ms
 */
export const readInserted = <T>(find: () => Promise<T | null>): Promise<T> =>
  retryOnConflict({ deadline: performance.now() + majorityTimeLimitMs }, async () => {
    const inserted = await find();
    if (!inserted) throw new WriteConflict('what another request has inserted cannot be read yet');
    return inserted;
  });
