/** Where the client keeps its session and the keys of calls that were not answered: `localStorage` is one. */
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

/** `localStorage` in a browser that lets this page have it, else memory: a private window must be able to order too. */
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

/** The JSON at `key`; what is not JSON, another program's perhaps, is nothing. */
export function readItem(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
