import { jittered, randomId } from '../random.ts';
import type { Storage } from './storage.ts';
import { wait } from '../wait.ts';

/** Runs `work` while no other tab of this device runs any. */
export type CrossTabLock = <T>(work: () => Promise<T>) => Promise<T>;
type WebLocks = { request: <T>(name: string, work: () => Promise<T>) => Promise<T> };

/** Longer than any work takes. If the tab that holds the lock ends, the lock is free after this time. */
const leaseMs = 20_000;
/** How long it takes until every other tab sees a write. */
const settleMs = 40;

/**
 * A lock for all tabs that share `storage`: the Web Locks API, or a lease in the storage itself where a page has no such
 * API (old browsers, plain HTTP).
 */
export function createCrossTabLock(
  name: string,
  storage: Storage,
  webLocks: WebLocks | null = (globalThis.navigator as { locks?: WebLocks } | undefined)?.locks ?? null,
): CrossTabLock {
  if (webLocks) return (work) => webLocks.request(name, work);
  const ownId = randomId();
  const holder = (): string | undefined => {
    const [id, expiresAt] = storage.getItem(name)?.split(' ') ?? [];
    const leftMs = Number(expiresAt) - Date.now();
    return leftMs > 0 && leftMs <= leaseMs ? id : undefined;
  };
  return async (work) => {
    while (holder() !== ownId) {
      if (holder() === undefined) storage.setItem(name, `${ownId} ${Date.now() + leaseMs}`);
      await wait(jittered(settleMs));
    }
    try {
      return await work();
    } finally {
      if (holder() === ownId) storage.removeItem(name);
    }
  };
}
