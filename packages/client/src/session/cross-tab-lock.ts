import { jittered, randomId } from '../random.ts';
import type { Storage } from './storage.ts';
import { wait } from '../wait.ts';

/**
 * Runs `work` while no other tab on this device runs it. If this tab sleeps, another tab may get the lock. After a sleep,
 * `work` can call `regain`, which waits until this tab has the lock again.
 */
export type CrossTabLock = <T>(work: Work<T>) => Promise<T>;
type Work<T> = (regain: () => Promise<void>) => Promise<T>;

type LockOptions = { signal?: AbortSignal; steal?: boolean };
type WebLocks = { request: <T>(name: string, options: LockOptions, work: () => Promise<T>) => Promise<T> };

/**
 * The duration of a lease, in milliseconds. It is longer than any work takes. A tab that sleeps or hangs can block the lock for
 * this long at most.
 */
const leaseMs = 20_000;
/** How long to wait until all other tabs can see what a tab has written to the storage, in milliseconds. */
const settleMs = 40;

/**
 * Creates a lock for all tabs that share `storage`. A tab takes the lock by writing a lease to the storage, which expires. In
 * browsers with the Web Locks API, tabs first queue for a Web Lock, which becomes free as soon as a tab is closed. But a
 * sleeping tab does not release its Web Lock, so another tab steals it when the lease has expired. Old browsers and pages
 * loaded over plain HTTP have only the lease.
 */
export function createCrossTabLock(
  name: string,
  storage: Storage,
  webLocks: WebLocks | null = (globalThis.navigator as { locks?: WebLocks } | undefined)?.locks ?? null,
): CrossTabLock {
  /**
   * Returns the id of the tab that has the lease, and the time left in milliseconds. If the time left is longer than a lease
   * lasts, the clock was set back after the lease was written.
   */
  const read = (): { id?: string | undefined; leftMs: number } => {
    const [id, expiresAt] = storage.getItem(name)?.split(' ') ?? [];
    const leftMs = Number(expiresAt) - Date.now();
    return leftMs > 0 && leftMs <= leaseMs ? { id, leftMs } : { leftMs: expiresAt === undefined ? leaseMs : 0 };
  };

  /** Gets the lease and runs `work`. If `isFree`, no other tab can be working, so any existing lease is from a closed tab. */
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
      // Another tab has stolen the Web Lock. This tab's work continues if it still has the lease.
      if (held) return held;
      throw error;
    }
  };
}
