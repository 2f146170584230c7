/** A locked key. Disposing it gives the key to the next call that waits. */
export type Lock = Disposable & {
  /** Releases the key, and rejects all calls that wait for it: what has just failed would fail for each of them in turn. */
  fail: (error: Error) => void;
};
export type KeyedMutex<K> = {
  /**
   * Locks `key`, in the order of calls. Waits for earlier holders until `deadline` [performance.now()].
   * @throws the error from `onTimeout` if the key is still locked at the deadline
   */
  acquire: (key: K, deadline: number) => Promise<Lock>;
};

type Waiter = { resolve: (lock: Lock) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/** Creates a mutex with one holder at a time for each key, within this process. */
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
