import { jittered, randomId } from '../random.ts';
import type { Storage } from './storage.ts';
import { wait } from '../wait.ts';

/**
 * Runs `work` while no other tab of this device runs any. A tab that slept may have lost the lock to another one: `regain`
 * waits until it has the lock, and returns at once if it still has it.
 */
export type CrossTabLock = <T>(work: Work<T>) => Promise<T>;
type Work<T> = (regain: () => Promise<void>) => Promise<T>;

type LockOptions = { signal?: AbortSignal; steal?: boolean };
type WebLocks = { request: <T>(name: string, options: LockOptions, work: () => Promise<T>) => Promise<T> };

/**
 * The duration of a lease, which is longer than any work takes. A tab that sleeps or hangs keeps the lock for at most
 * this time.
 */
const leaseMs = 20_000;
/** How long it takes until every other tab sees a write. */
const settleMs = 40;

/**
 * A lock for all tabs that share `storage`: a lease in the storage, which expires. Where a page has the Web Locks API,
 * that serves as the queue before the lease: it is exact, and free at once when a tab is closed. But a sleeping tab
 * keeps it, so a tab that finds the lease expired takes it away. Old browsers and plain HTTP have only the lease.
 */
export function createCrossTabLock(
  name: string,
  storage: Storage,
  webLocks: WebLocks | null = (globalThis.navigator as { locks?: WebLocks } | undefined)?.locks ?? null,
): CrossTabLock {
  /**
   * The owner of the lease, and the time left. A lease with too much time left was written before the clock was set
   * back.
   */
  const read = (): { id?: string | undefined; leftMs: number } => {
    const [id, expiresAt] = storage.getItem(name)?.split(' ') ?? [];
    const leftMs = Number(expiresAt) - Date.now();
    return leftMs > 0 && leftMs <= leaseMs ? { id, leftMs } : { leftMs: expiresAt === undefined ? leaseMs : 0 };
  };

  /** `isFree`: whether this tab knows that no other one works, so that any lease left is that of a closed tab. */
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
      // Another tab has taken the Web Lock away: this one continues with the lease, if that is still its own.
      if (held) return held;
      throw error;
    }
  };
}
