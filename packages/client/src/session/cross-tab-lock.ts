import { jittered, randomId } from '../random.ts';
import type { Storage } from './storage.ts';
import { wait } from '../wait.ts';

/**
 * Runs `work` while no other tab on this device runs it. A tab that slept may have lost the lock to another tab. `regain` waits
 * until this tab has the lock again, if it was lost.
 */
export type CrossTabLock = <T>(work: Work<T>) => Promise<T>;
type Work<T> = (regain: () => Promise<void>) => Promise<T>;

type LockOptions = { signal?: AbortSignal; steal?: boolean };
type WebLocks = { request: <T>(name: string, options: LockOptions, work: () => Promise<T>) => Promise<T> };

/**
 * The duration of a lease, in milliseconds, which exceeds the time of any work. A tab that sleeps or hangs blocks the lock for
 * this time at most.
 */
const leaseMs = 20_000;
/** How long it takes until every other tab sees a write, in milliseconds. */
const settleMs = 40;

/**
 * Creates a lock for all tabs that share `storage`, based on a lease in the storage that expires. If the browser has the Web
 * Locks API, a Web Lock queues the tabs in front of the lease, and becomes free as soon as a tab is closed. But a sleeping tab
 * keeps its Web Lock, so a tab that finds an expired lease steals the Web Lock. Old browsers and plain HTTP have only the lease.
 */
export function createCrossTabLock(
  name: string,
  storage: Storage,
  webLocks: WebLocks | null = (globalThis.navigator as { locks?: WebLocks } | undefined)?.locks ?? null,
): CrossTabLock {
  /**
   * Returns the lease's owner and the time left. Too much time left means that the clock was set back after the lease was
   * written.
   */
  const read = (): { id?: string | undefined; leftMs: number } => {
    const [id, expiresAt] = storage.getItem(name)?.split(' ') ?? [];
    const leftMs = Number(expiresAt) - Date.now();
    return leftMs > 0 && leftMs <= leaseMs ? { id, leftMs } : { leftMs: expiresAt === undefined ? leaseMs : 0 };
  };

  /**
   * Runs `work` under a lease. `isFree` is true if no other tab can be working, so any remaining lease belongs to a closed tab.
   */
  async function hold<T>(work: Work<T>, { isFree }: { isFree: boolean }): Promise<T> {
    const ownId = randomId();
    const write = (): void => storage.setItem(name, `${ownId} ${Date.now() + leaseMs}`);
    const regain = async (): Promise<void> => {
      while (read().id !== ownId) {
        if (read().id === undefined) write();
        await wait(jittered(settleMs));
      }
    };
    if (isFree) write();
    await regain();
    try {
      return await work(regain);
    } finally {
      if (read().id === ownId) storage.removeItem(name);
    }
  }
  if (!webLocks) return (work) => hold(work, { isFree: false });

  return async <T>(work: Work<T>): Promise<T> => {
    let held: Promise<T> | undefined;
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), Math.max(read().leftMs, settleMs));
    const request = (options: LockOptions): Promise<T> =>
      webLocks.request(name, options, () => {
        clearTimeout(timer);
        held = hold(work, { isFree: !options.steal });
        return held;
      });
    try {
      return await request({ signal: waiting.signal }).catch((error: unknown) => {
        if (held || !waiting.signal.aborted) throw error;
        return request({ steal: true });
      });
    } catch (error) {
      // Another tab has stolen the Web Lock. This tab continues if it still owns the lease.
      if (held) return held;
      throw error;
    }
  };
}
