import { problem } from '@comanda/contracts/problem';
import { createFairQueue, type FairQueue } from '@comanda/shared/runtime/fair-queue';
import { hashQueueFull } from './hasher.ts';

/**
 * The groups of callers that wait in separate queues, so that one group cannot hold up another. Only managers can add staff, but
 * anyone can register many customers. Newcomers are customers whose PIN is missing or less than a day old; visitors have no
 * access token.
 */
export type TurnGroup = 'staff' | 'customers' | 'newcomers' | 'visitors';
/**
 * The user that a task belongs to, the user's network address and group. Turns are shared first between addresses, then between
 * the groups at an address, then between users.
 */
export type TurnOwner = { userId: number; network: string; group: TurnGroup };
export type FairTurns = {
  /**
   * Waits until it is the owner's turn. Dispose of the turn when its task is done, so that the next task can start.
   * @throws 503 `service_unavailable` if too many tasks wait or the turn does not come in time
   */
  take: (owner: TurnOwner) => Promise<Disposable>;
  countWaiting: () => number;
};
type Options = {
  maxRunning: number;
  maxWaiting: number;
  /** How long a task may wait, in milliseconds. After that, its caller has probably given up, so the next task runs instead. */
  maxWaitMs: number;
};
type Waiting = { start: () => void; hasLeft: boolean };
/** The waiting tasks of one group at one network address. */
type Place = { key: string; users: FairQueue<Waiting>; waiting: number };

/** The largest share of all waiting places that one group at one network address may occupy. */
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
 * Creates turns that run at most `maxRunning` tasks at the same time. Network addresses take turns, then the groups at each
 * address, then the users in each group. So no user waits for all tasks of another user. Staff wait for at most one task of each
 * other group at their address.
 */
export function createFairTurns({ maxRunning, maxWaiting, maxWaitMs }: Options): FairTurns {
  /** The queue of turns: for each waiting task, the place (group and network address) whose turn it is. */
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
  /** Starts the next task that has not timed out, or frees the thread if no such task is waiting. */
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
    take: async (owner) => {
      if (count.running < maxRunning) count.running++;
      else await waitForTurn(owner);
      return { [Symbol.dispose]: release };
    },
    countWaiting: () => count.waiting,
  };
}
