import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session, Transactions } from '@comanda/shared/mongo/transactions';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';

/**
 * Runs `write` in one transaction, in which no other call can be made and no seating's calls can end. `nextId` is free.
 * `write` runs again while another such transaction comes first.
 * @throws 503 `service_unavailable` if they do for too long; the error of `write`
 */
export type WriteCalls = <T>(write: (session: Session, nextId: number) => Promise<T>) => Promise<T>;

type Options = { transactions: Pick<Transactions, 'run'>; restaurant: Pick<RestaurantStore, 'takeCallId'> };

const timeLimitMs = 1200;

export const createCallWriter =
  ({ transactions, restaurant }: Options): WriteCalls =>
  (write) => {
    const deadline = performance.now() + timeLimitMs;
    return retryOnConflict({ deadline }, () =>
      transactions.run({ deadline }, async (session) => write(session, await restaurant.takeCallId(session))),
    );
  };
