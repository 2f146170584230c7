import { problem } from '@comanda/contracts/problem';
import { createFairQueue, type FairQueue } from '@comanda/shared/runtime/fair-queue';
import { hashQueueFull } from '../passwords/hasher.ts';

/** Who waits: a user at a network address. */
export type TurnOwner = { userId: number; network: string };
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
/** What waits at one network address. */
type Place = { network: string; users: FairQueue<Waiting>; waiting: number };

/** One network address takes at most this part of the places to wait. */
const shareOfNetwork = 1 / 4;

const waitedTooLong = () =>
  problem(
    'service_unavailable',
    { detail: 'Too many PINs are being checked; this one was not. Repeat the request in two seconds.' },
    { 'Retry-After': '2' },
  );

/**
 * Runs at most `maxRunning` tasks at once. The others wait: network addresses have their turns one after the other, and
 * so do the users of one address, so that nobody waits for all tasks of another.
 */
export function createFairTurns({ maxRunning, maxWaiting, maxWaitMs }: Options): FairTurns {
  /** One entry for each waiting task: what waits at its network address. */
  const turns = createFairQueue<Place>();
  const places = new Map<string, Place>();
  const maxOfNetwork = Math.max(1, Math.floor(maxWaiting * shareOfNetwork));
  const count = { running: 0, waiting: 0 };

  function placeOf(network: string): Place {
    const place = places.get(network) ?? { network, users: createFairQueue<Waiting>(), waiting: 0 };
    if (count.waiting >= maxWaiting || place.waiting >= maxOfNetwork) throw hashQueueFull();
    places.set(network, place);
    return place;
  }
  function addWaiting(place: Place, difference: 1 | -1): void {
    place.waiting += difference;
    count.waiting += difference;
  }
  async function waitForTurn({ userId, network }: TurnOwner): Promise<void> {
    const place = placeOf(network);
    addWaiting(place, 1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { start: resolve, hasLeft: false };
    const timer = setTimeout(() => {
      waiting.hasLeft = true;
      reject(waitedTooLong());
    }, maxWaitMs);
    place.users.push(userId, waiting);
    turns.push(network, place);
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
      if (place.users.size() === 0) places.delete(place.network);
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
