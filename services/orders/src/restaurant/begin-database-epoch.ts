import { randomUUID } from 'node:crypto';
import { businessDayOf, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import type { Transactions } from '@comanda/shared/mongo/transactions';
import { createUnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { CounterStore } from './counter-store.ts';
import { afterTaking, onBusinessDay } from './counters.ts';
import type { DatabaseEpochStore } from './database-epoch-store.ts';

type Deps = {
  counters: Pick<CounterStore, 'takeNumbers' | 'updateCounters'>;
  databaseEpoch: Pick<DatabaseEpochStore, 'begin'>;
  transactions: Transactions;
  restaurantClock: RestaurantClock;
  clock: Clock;
};

/**
 * How many ids to skip: more than a restaurant uses between two backups. Phones and screens still contain the ids that were lost.
 */
const skippedIds = 1_000_000;
/** How many tickets to skip: so many that no number is called out twice on one day, but so few that the numbers stay short. */
const skippedTickets = 1000;
const timeLimitMs = 10_000;

/**
 * Starts a new epoch for a database that was restored from a backup, in one transaction. Its counters skip all numbers that may
 * have been used since the backup. It is safe to repeat, even while services are running.
 * @throws 503 `service_unavailable` if other writes keep coming first for 10 s
 */
export function beginDatabaseEpoch(deps: Deps): Promise<string> {
  const { counters, databaseEpoch, transactions, restaurantClock, clock } = deps;
  const writes = createUnitOfWork({ transactions, timeLimitMs, records: null, outboxes: {} });
  return writes.run(async (session) => {
    // The numbers of closed bills must have no gaps, so none are skipped.
    const skipped = {
      orders: skippedIds,
      items: skippedIds,
      tickets: 0,
      bills: skippedIds,
      payments: skippedIds,
      billNumbers: 0,
      movements: skippedIds,
    };
    const today = businessDayOf(clock(), restaurantClock);
    const taken = await counters.takeNumbers(skipped, { batch: randomUUID(), today, seatings: [], session });
    const { day, ticket } = onBusinessDay(taken.counters, today);
    const after = { ...afterTaking(taken.counters, skipped), day, ticket: ticket + skippedTickets };
    await counters.updateCounters(after, session);
    return { value: await databaseEpoch.begin(skippedIds, session), records: [], events: [] };
  });
}
