/** Reads a setting that the user chose on this device. Null if there is no setting, or the browser stores nothing. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(`comanda.${name}`);
  } catch {
    return null;
  }
}

/** Stores a setting on this device; without storage, the setting applies until the page is closed. */
export function writeSetting(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`comanda.${name}`);
    else localStorage.setItem(`comanda.${name}`, value);
  } catch {
    // A private window may not allow storage. The setting then applies only in memory.
  }
}

/** A value stored on this device under one name. */
export type Stored<T> = {
  name: string;
  get: () => T;
  /** Stores the value. The fallback is not stored: nothing is then left on the device. */
  write: (value: T) => void;
};

/**
 * Creates access to a value stored on this device as `comanda.<name>`: text unchanged, anything else as JSON. An invalid value,
 * from another version or program, is read as the fallback.
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
 * Calls `listener` with values stored by other tabs. This includes values stored while this page was in the browser's
 * back/forward cache, where it receives no events. Returns a function that stops this.
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
  // Calls the listener only if the stored text has changed: without storage, only this page's memory has the value.
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

/** A check for `stored`: accepts only these texts. */
export const isOneOf =
  <const V extends string>(...values: readonly V[]) =>
  (value: unknown): value is V =>
    values.some((each) => each === value);
/** A check for `stored`: accepts an object with these keys. */
export const hasKeys =
  <T>(...keys: readonly (keyof T & string)[]) =>
  (value: unknown): value is T =>
    typeof value === 'object' && value !== null && keys.every((key) => key in value);
/** A check for `stored`: accepts a list of objects with these keys. */
export const isListOf =
  <T>(...keys: readonly (keyof T & string)[]) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(hasKeys<T>(...keys));
