import { problem } from '@comanda/contracts/problem';
import { createFairQueue, type FairQueue } from '@comanda/shared/runtime/fair-queue';
import { hashQueueFull } from './hasher.ts';

/**
 * Groups that wait separately. Anyone can register many customers, now or ahead of time, but only managers add staff. Visitors
 * have no access token.
 */
export type TurnGroup = 'staff' | 'customers' | 'newcomers' | 'visitors';
/** The user who waits, at a network address. Each group has its own turns there. */
export type TurnOwner = { userId: number; network: string; group: TurnGroup };
export type FairTurns = {
  /**
   * Runs `task` when its turn comes.
   * @throws 503 `service_unavailable` if too many wait or the turn did not come in time; then `task` does not run
   */
  run: <T>(owner: TurnOwner, task: () => Promise<T>) => Promise<T>;
  countWaiting: () => number;
};
type Options = {
  maxRunning: number;
  maxWaiting: number;
  /** How long a task may wait. After that its caller has probably given up, so the next task runs instead. */
  maxWaitMs: number;
};
type Waiting = { start: () => void; hasLeft: boolean };
/** The tasks of one group at one network address. */
type Place = { key: string; users: FairQueue<Waiting>; waiting: number };

/** The largest share of all waiting places that one group at one network address may take. */
const shareOfPlace = 1 / 4;

const waitedTooLong = () =>
  problem(
    'service_unavailable',
    {
      detail: "Too many passwords or PINs are being checked. Yours wasn't checked. Repeat the request in two seconds.",
    },
    { 'Retry-After': '2' },
  );

/**
 * Runs at most `maxRunning` tasks at once. Network addresses take turns, then the groups of each address, then the users of each
 * group. So no user waits for all tasks of another. Staff wait for at most one task of each other group at their address.
 */
export function createFairTurns({ maxRunning, maxWaiting, maxWaitMs }: Options): FairTurns {
  /** One entry for each waiting task, with its place. */
  const turns = createFairQueue<Place>();
  const places = new Map<string, Place>();
  const maxOfPlace = Math.max(1, Math.floor(maxWaiting * shareOfPlace));
  const count = { running: 0, waiting: 0 };

  function placeOf({ network, group }: TurnOwner): Place {
    const key = `${group} at ${network}`;
    const place = places.get(key) ?? { key, users: createFairQueue<Waiting>(), waiting: 0 };
    if (count.waiting >= maxWaiting || place.waiting >= maxOfPlace) throw hashQueueFull();
    places.set(key, place);
    return place;
  }
  function addWaiting(place: Place, difference: 1 | -1): void {
    place.waiting += difference;
    count.waiting += difference;
  }
  async function waitForTurn(owner: TurnOwner): Promise<void> {
    const place = placeOf(owner);
    addWaiting(place, 1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { start: resolve, hasLeft: false };
    const timer = setTimeout(() => {
      waiting.hasLeft = true;
      reject(waitedTooLong());
    }, maxWaitMs);
    place.users.push(owner.userId, waiting);
    turns.push(place.key, place);
    await promise.finally(() => {
      clearTimeout(timer);
      addWaiting(place, -1);
    });
  }
  /** Gives the free thread to the next task that has not timed out. */
  function release(): void {
    for (;;) {
      const [place] = turns.take(1);
      const [next] = place?.users.take(1) ?? [];
      if (!place || !next) break;
      if (place.users.size() === 0) places.delete(place.key);
      if (!next.hasLeft) return next.start();
    }
    count.running--;
  }

  return {
    run: async (owner, task) => {
      if (count.running < maxRunning) count.running++;
      else await waitForTurn(owner);
      try {
        return await task();
      } finally {
        release();
      }
    },
    countWaiting: () => count.waiting,
  };
}
