import { jittered, randomName, wait } from './random.ts';
import type { Storage } from './storage.ts';

/** Runs `work` while nobody else on this device runs any. */
export type DeviceLock = <T>(work: () => Promise<T>) => Promise<T>;
type Locks = { request: <T>(name: string, work: () => Promise<T>) => Promise<T> };

/** Longer than any work takes. A tab that died holding the lock holds it for so long. */
const leaseMs = 20_000;
/** How long a write takes to be seen by every other tab. */
const settleMs = 40;

/**
 * One at a time over all tabs that share `storage`: by the Web Locks API, or where a page has none (plain HTTP), by a
 * lease in the storage itself.
 */
export function createDeviceLock(
  name: string,
  storage: Storage,
  // Old browsers, and those over plain HTTP, have none.
  locks: Locks | null = (globalThis.navigator as { locks?: Locks } | undefined)?.locks ?? null,
): DeviceLock {
  if (locks) return (work) => locks.request(name, work);
  const mine = randomName();
  const holder = (): string | undefined => {
    const [by, until] = storage.getItem(name)?.split(' ') ?? [];
    const left = Number(until) - Date.now();
    return left > 0 && left <= leaseMs ? by : undefined;
  };
  return async (work) => {
    while (holder() !== mine) {
      if (holder() === undefined) storage.setItem(name, `${mine} ${Date.now() + leaseMs}`);
      await wait(jittered(settleMs));
    }
    try {
      return await work();
    } finally {
      if (holder() === mine) storage.removeItem(name);
    }
  };
}
