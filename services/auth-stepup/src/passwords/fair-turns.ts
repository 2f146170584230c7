import { problem } from '@comanda/contracts/problem';
import { createFairQueue, type FairQueue } from '@comanda/shared/runtime/fair-queue';
import { hashQueueFull } from './hasher.ts';

/** Anybody can register many customers, today or in time for later; nobody registers staff. Visitors have no access token. */
export type TurnGroup = 'staff' | 'customers' | 'newcomers' | 'visitors';
/** Who waits: a user at a network address, where each group has turns of its own. */
export type TurnOwner = { userId: number; network: string; group: TurnGroup };
export type FairTurns = {
  /**
   * Runs `task` when it is its turn.
   * @throws 503 `service_unavailable` if too many wait, or if the turn did not come in time; then `task` does not run
   */
  run: <T>(owner: TurnOwner, task: () => Promise<T>) => Promise<T>;
  /** How many wait. */
  countWaiting: () => number;
};
type Options = {
  maxRunning: number;
  maxWaiting: number;
  /** A task that has waited so long does not run: its caller gives up soon, and the next one waits behind it. */
  maxWaitMs: number;
};
type Waiting = { start: () => void; hasLeft: boolean };
/** What one group of one network address waits for. */
type Place = { key: string; users: FairQueue<Waiting>; waiting: number };

/** Each group of one network address takes at most this part of the places to wait. */
const shareOfPlace = 1 / 4;

const waitedTooLong = () =>
  problem(
    'service_unavailable',
    { detail: 'Too many passwords or PINs are being checked; this one was not. Repeat the request in two seconds.' },
    { 'Retry-After': '2' },
  );

/**
 * Runs at most `maxRunning` tasks at once. The others wait: network addresses have their turns one after the other, and
 * so do the groups and the users of one address, so that nobody waits for all tasks of another, and staff for one of each
 * other group there.
 */
export function createFairTurns({ maxRunning, maxWaiting, maxWaitMs }: Options): FairTurns {
  /** One entry for each waiting task: the place at which it waits. */
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
  /** Gives the free thread to the next task that still waits. */
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
