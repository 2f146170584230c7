import { randomUUID } from 'node:crypto';
import { businessDayOf, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Transactions } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { afterTaking, onBusinessDay } from './counters.ts';
import type { RestaurantStore } from './restaurant-store.ts';

type Deps = {
  restaurant: RestaurantStore;
  transactions: Transactions;
  restaurantClock: RestaurantClock;
  clock: Clock;
};

/** More ids than a restaurant uses between two backups. Phones and screens still have the lost ids. */
const skippedIds = 1_000_000;
/** Tickets stay short enough to be called out, and no number is called twice on the same day. */
const skippedTickets = 1000;
const timeLimitMs = 10_000;

/**
 * Starts a new epoch for a database that was restored from a backup, in one transaction. Its counters skip all numbers that may
 * have been used after the backup. It is safe to repeat, and services may keep running.
 * @throws 503 `service_unavailable` if other writes keep coming first for 10 s
 */
export async function beginDatabaseEpoch({ restaurant, transactions, restaurantClock, clock }: Deps): Promise<string> {
  const deadline = performance.now() + timeLimitMs;
  return retryOnConflict({ deadline }, () =>
    transactions.run({ deadline }, async (session) => {
      // Numbers of closed bills must be gapless, so none are skipped.
      const skipped = {
        orders: skippedIds,
        items: skippedIds,
        bills: skippedIds,
        payments: skippedIds,
        billNumbers: 0,
        movements: skippedIds,
      };
      const today = businessDayOf(clock(), restaurantClock);
      const { counters: before } = await restaurant.takeNumbers(skipped, {
        batch: randomUUID(),
        today,
        seatings: [],
        session,
      });
      const { day, ticket } = onBusinessDay(before, today);
      const counters = { ...afterTaking(before, skipped), day, ticket: ticket + skippedTickets };
      await restaurant.updateCounters(counters, session);
      return restaurant.beginDatabaseEpoch(skippedIds, session);
    }),
  );
}
