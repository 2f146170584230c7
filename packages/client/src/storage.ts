/** Where the client keeps its session and the keys of unanswered calls, for example `localStorage`. */
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

/** `localStorage` if the browser lets this page use it, else memory: ordering must work in a private window too. */
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

/** Reads the JSON at `key`. Returns null if there is none, or a text of another program. */
export function readItem(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
