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

/** Larger than the number of ids that a restaurant takes between two backups. Phones and screens have these ids. */
const skippedIds = 1_000_000;
/** Keeps tickets short enough to be called out, and calls no number twice on the same day. */
const skippedTickets = 1000;
const timeLimitMs = 10_000;

/**
 * Starts a new epoch for a database that was restored from a backup, in one transaction. Its counters skip all numbers that may
 * have been used after the backup. It can be repeated, and services may run during it.
 * @throws 503 `service_unavailable` if other writes come first for 10 s
 */
export async function beginDatabaseEpoch({ restaurant, transactions, restaurantClock, clock }: Deps): Promise<string> {
  const deadline = performance.now() + timeLimitMs;
  return retryOnConflict({ deadline }, () =>
    transactions.run({ deadline }, async (session) => {
      // Numbers of closed bills must have no gap, so none is skipped.
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
