/** Ends a lock. With a `failure`, all calls that wait for the same key are rejected with it. */
export type Release = (failure?: Error) => void;
export type KeyedMutex<K> = {
  /**
   * Locks `key`, in the order of calls. Waits for earlier holders until `deadline` [performance.now()]; without a deadline, as
   * long as it takes.
   * @throws MutexTimeout
   */
  acquire: (key: K, options?: { deadline?: number }) => Promise<Release>;
};

/** Thrown when the key was still locked at the deadline. */
export class MutexTimeout extends Error {
  override name = 'MutexTimeout';
}

type Waiter = { resolve: (release: Release) => void; reject: (error: Error) => void; timer: NodeJS.Timeout | null };

/** Creates a mutex with one holder at a time for each key, within this process. */
export function createKeyedMutex<K>(): KeyedMutex<K> {
  const waitersByKey = new Map<K, Waiter[]>();

  function releaseOf(key: K): Release {
    let released = false;
    return (failure) => {
      if (released) return;
      released = true;
      const waiters = waitersByKey.get(key) ?? [];
      const settled = failure ? waiters.splice(0) : waiters.splice(0, 1);
      for (const { timer } of settled) clearTimeout(timer ?? undefined);
      if (failure) for (const { reject } of settled) reject(failure);
      else if (settled[0]) return settled[0].resolve(releaseOf(key));
      waitersByKey.delete(key);
    };
  }

  return {
    acquire: (key, { deadline } = {}) => {
      const waiters = waitersByKey.get(key);
      if (!waiters) {
        waitersByKey.set(key, []);
        return Promise.resolve(releaseOf(key));
      }
      return new Promise((resolve, reject) => {
        const waiter: Waiter = { resolve, reject, timer: null };
        if (deadline !== undefined)
          waiter.timer = setTimeout(
            () => {
              waiters.splice(waiters.indexOf(waiter), 1);
              reject(new MutexTimeout('the key is locked'));
            },
            Math.max(0, deadline - performance.now()),
          );
        waiters.push(waiter);
      });
    },
  };
}
