import { retryOnConflict, tooManyWrites } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session, Transactions } from '@comanda/shared/mongo/transactions';
import { MutexTimeout, type KeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';

/**
 * Runs `write` in a transaction. Until it ends, no other call can be placed, and no seating's calls can be ended. `nextId` is the
 * next free id. This process runs one `write` at a time, and may repeat it if other instances write first.
 * @throws 503 `service_unavailable` if that takes too long; any error from `write`
 */
export type WriteCalls = <T>(write: (session: Session, nextId: number) => Promise<T>) => Promise<T>;

type Options = {
  transactions: Pick<Transactions, 'run'>;
  restaurant: Pick<RestaurantStore, 'takeCallId'>;
  mutex: KeyedMutex<string>;
};

const timeLimitMs = 1400;

export const createCallWriter =
  ({ transactions, restaurant, mutex }: Options): WriteCalls =>
  async (write) => {
    const deadline = performance.now() + timeLimitMs;
    const release = await mutex.acquire('calls', { deadline }).catch((error: unknown) => {
      throw error instanceof MutexTimeout ? tooManyWrites() : error;
    });
    try {
      return await retryOnConflict({ deadline }, () =>
        transactions.run({ deadline }, async (session) => write(session, await restaurant.takeCallId(session))),
      );
    } finally {
      release();
    }
  };
