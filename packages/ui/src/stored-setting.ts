/** Returns a setting that is stored on this device, or null if there is none or the browser has no storage. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(`comanda.${name}`);
  } catch {
    return null;
  }
}

/** Stores a setting on this device, or removes it if `value` is null. Does nothing if the browser has no storage. */
export function writeSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`comanda.${name}`);
    else localStorage.setItem(`comanda.${name}`, value);
  } catch {
    // A private window may have no storage. The setting then applies only until the page is closed.
  }
}

/** A value that is stored on this device under a name. */
export type Stored<T> = {
  name: string;
  get: () => T;
  /** Stores the value. If it is the fallback, removes the stored value instead. */
  write: (value: T) => void;
};

/**
 * Creates functions to read and write a value that this device stores as `comanda.<name>`. Text is stored unchanged, and any
 * other value as JSON. If the stored value is invalid, for example from another release, `get` returns the fallback.
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
 * Calls `listener` when another tab has stored a new value. This includes values that were stored while this page was in the
 * browser's back/forward cache and received no events. Returns a function that stops the calls.
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
  // If the text has not changed, no other tab has stored a value. Without storage, it never changes.
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

/** Creates a check for `stored` that accepts only these values. */
export const isOneOf =
  <const V extends string>(...values: readonly V[]) =>
  (value: unknown): value is V =>
    values.some((each) => each === value);
/** Creates a check for `stored` that accepts any object with these keys. */
export const hasKeys =
  <T>(...keys: readonly (keyof T & string)[]) =>
  (value: unknown): value is T =>
    typeof value === 'object' && value !== null && keys.every((key) => key in value);
/** Creates a check for `stored` that accepts any list of objects with these keys. */
export const isListOf =
  <T>(...keys: readonly (keyof T & string)[]) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(hasKeys<T>(...keys));
