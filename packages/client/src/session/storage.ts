/** Storage for the client's session and its calls without a response, for example `localStorage`. */
export type Storage = {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
};

export function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/** Returns `localStorage` if the browser allows it, otherwise memory. This lets guests order in a private window. */
export function defaultStorage(): Storage {
  if (!('document' in globalThis)) return memoryStorage();
  try {
    const { localStorage } = globalThis;
    localStorage.getItem('');
    return localStorage;
  } catch {
    return memoryStorage();
  }
}

/**
 * Wraps `storage` so that it never throws. Values that a full or forbidden storage rejects are kept in memory. The stored older
 * value is then removed, so no other tab continues with it.
 */
export function neverFailing(storage: Storage): Storage {
  const memory = new Map<string, string>();
  const tryTo = <T>(work: () => T): { value: T } | null => {
    try {
      return { value: work() };
    } catch {
      return null;
    }
  };
  return {
    getItem: (key) => memory.get(key) ?? tryTo(() => storage.getItem(key))?.value ?? null,
    setItem: (key, value) => {
      memory.delete(key);
      if (tryTo(() => storage.setItem(key, value))) return;
      tryTo(() => storage.removeItem(key));
      // The new value may fit once the older one is gone.
      if (!tryTo(() => storage.setItem(key, value))) memory.set(key, value);
    },
    removeItem: (key) => {
      memory.delete(key);
      tryTo(() => storage.removeItem(key));
    },
  };
}

/** Reads the JSON at `key`. Returns null if there is none, or if another program stored something else there. */
export function readItem(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
