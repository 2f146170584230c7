/** Storage for the client's session and for calls without a response. `localStorage` has this type. */
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

/** Returns `localStorage` if the browser allows access, otherwise memory. This lets guests order in a private window. */
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
 * Wraps `storage` so that no function throws. If the storage is full or forbidden, values are stored in memory. The older
 * stored value is then removed, so that other tabs don't continue to use it.
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
      // The new value may fit once the older value has been removed.
      if (!tryTo(() => storage.setItem(key, value))) memory.set(key, value);
    },
    removeItem: (key) => {
      memory.delete(key);
      tryTo(() => storage.removeItem(key));
    },
  };
}

/** Returns the parsed JSON value stored under `key`, or null if there is none or it is not valid JSON. */
export function readItem(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
