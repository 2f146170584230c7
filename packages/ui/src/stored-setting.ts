/** Reads a setting from this device. Returns null if there is none, or if the browser has no storage. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(`comanda.${name}`);
  } catch {
    return null;
  }
}

/** Stores a setting on this device. Without storage, it applies until the page is closed. */
export function writeSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`comanda.${name}`);
    else localStorage.setItem(`comanda.${name}`, value);
  } catch {
    // A private window may have no storage. The setting then applies only in memory.
  }
}

/** A value that this device stores under a name. */
export type Stored<T> = {
  name: string;
  get: () => T;
  /** Stores the value, or removes it from the device if it is the fallback. */
  write: (value: T) => void;
};

/**
 * Creates access to a value that this device stores as `comanda.<name>`. Text is stored unchanged, and anything else as JSON.
 * Reading an invalid value, from another version or program, returns the fallback.
 */
export function stored<T>(name: string, isValid: (value: unknown) => value is T, fallback: T): Stored<T> {
  return {
    name,
    get: () => {
      const text = readSetting(name);
      if (text === null) return fallback;
      if (isValid(text)) return text;
      const value = parsed(text);
      return isValid(value) ? value : fallback;
    },
    write: (value) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      writeSetting(name, JSON.stringify(value) === JSON.stringify(fallback) ? null : text);
    },
  };
}
/**
 * Calls `listener` with values from other tabs, even if they were stored while this page was in the browser's back/forward cache
 * and received no events. Returns a function that stops the calls.
 */
export function followStored<T>({ name, get }: Stored<T>, listener: (value: T) => void): () => void {
  let textWhenLeft: string | null = null;
  const ending = new AbortController();
  const { signal } = ending;
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === `comanda.${name}`) listener(get());
  };
  addEventListener('storage', onStorage, { signal });
  addEventListener('pagehide', () => void (textWhenLeft = readSetting(name)), { signal });
  // Calls the listener only if the stored text has changed. Without storage, the value is in this page's memory.
  const onShown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && readSetting(name) !== textWhenLeft) listener(get());
  };
  addEventListener('pageshow', onShown, { signal });
  return () => ending.abort();
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Creates a check for `stored` that accepts only these texts. */
export const isOneOf =
  <const V extends string>(...values: readonly V[]) =>
  (value: unknown): value is V =>
    values.some((each) => each === value);
/** Creates a check for `stored` that accepts an object with these keys. */
export const hasKeys =
  <T>(...keys: readonly (keyof T & string)[]) =>
  (value: unknown): value is T =>
    typeof value === 'object' && value !== null && keys.every((key) => key in value);
/** Creates a check for `stored` that accepts a list of objects with these keys. */
export const isListOf =
  <T>(...keys: readonly (keyof T & string)[]) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(hasKeys<T>(...keys));
