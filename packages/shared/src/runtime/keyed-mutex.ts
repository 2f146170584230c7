/** A locked key. Disposing the lock passes the key to the next waiting call. */
export type Lock = Disposable & {
  /**
   * Unlocks the key and rejects all calls that are waiting for it, because they would fail in the same way, one after the other.
   */
  fail: (error: Error) => void;
};
export type KeyedMutex<K> = {
  /**
   * Locks `key`. Calls get the key in the order in which they were made, and wait until `deadline` (in milliseconds of
   * `performance.now()`).
   * @throws the error from `onTimeout` if the key is still locked at the deadline
   */
  acquire: (key: K, deadline: number) => Promise<Lock>;
};

type Waiter = { resolve: (lock: Lock) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/** Creates a mutex for this process. Each key can be locked by only one call at a time. */
export function createKeyedMutex<K>({ onTimeout }: { onTimeout: () => Error }): KeyedMutex<K> {
  const waitersByKey = new Map<K, Waiter[]>();

  function lockOf(key: K): Lock {
    let released = false;
    const release = (failure?: Error): void => {
      if (released) return;
      released = true;
      const waiters = waitersByKey.get(key) ?? [];
      const settled = failure ? waiters.splice(0) : waiters.splice(0, 1);
      for (const { timer } of settled) clearTimeout(timer);
      if (failure) for (const { reject } of settled) reject(failure);
      else if (settled[0]) return settled[0].resolve(lockOf(key));
      waitersByKey.delete(key);
    };
    return { fail: release, [Symbol.dispose]: () => release() };
  }

  return {
    acquire: (key, deadline) => {
      const waiters = waitersByKey.get(key);
      if (!waiters) {
        waitersByKey.set(key, []);
        return Promise.resolve(lockOf(key));
      }
      const { promise, resolve, reject } = Promise.withResolvers<Lock>();
      const giveUp = (): void => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(onTimeout());
      };
      const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()));
      const waiter: Waiter = { resolve, reject, timer };
      waiters.push(waiter);
      return promise;
    },
  };
}
