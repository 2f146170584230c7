import { signal, type ReadonlySignal, type Signal } from '@preact/signals';

/** A check of a stored value, which another release may have written. */
export type Check<T> = (value: unknown) => value is T;
export const isText: Check<string> = (value) => typeof value === 'string';
export const isNumber: Check<number> = (value) => typeof value === 'number';
/** Checks that the value is an object, but not what it holds. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the entry says what the object should hold
export const isObject = <T extends object>(value: unknown): value is T => typeof value === 'object' && value !== null;
/** Checks that the value is a list, but not what it holds. */
export const isList = <T>(value: unknown): value is T[] => Array.isArray(value);
export const isOneOf =
  <const V extends string>(...values: readonly V[]): Check<V> =>
  (value): value is V =>
    values.some((each) => each === value);
export const isNullOr =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    (value ?? null) === null || check(value);
/** The same check, for a property that may be absent. */
export const isAbsentOr = isNullOr as <T>(check: Check<T>) => Check<T | undefined>;
type Checks<T> = { [K in keyof T]-?: Check<object extends Pick<T, K> ? T[K] | undefined : T[K]> };
/** Creates a check of each property. It no longer compiles if the type gets another property. */
export const isObjectOf =
  <T extends object>(checks: Checks<T>): Check<T> =>
  (value): value is T =>
    isObject<T>(value) && (Object.keys(checks) as (keyof T)[]).every((name) => checks[name](value[name]));
export const isListOf =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    isList(value) && value.every(check);

/** A value that is stored as `comanda.<name>`. Each app lists its entries in `on-device.ts`. */
export type Entry<T> = {
  /** Returns the stored value. If it is invalid, or the browser has no storage, returns the default. */
  get: () => T;
  /** Stores the value; removes the stored one if `value` is the default. Without storage, only `signal` changes. */
  write: (value: T) => void;
  /** The value, which follows other tabs from its first use. */
  readonly signal: ReadonlySignal<T>;
  /**
   * Calls `listener` when another tab has stored a value, even if it did so while this page was in the browser's back/forward
   * cache. Returns a function that stops the calls.
   */
  onOtherTab: (listener: (value: T) => void) => () => void;
};

/** Creates an entry of this device. Text is stored unchanged, and any other value as JSON. */
export const deviceEntry = <T>(name: string, check: Check<T>, fallback: T): Entry<T> =>
  openEntry(() => localStorage, name, { check, fallback });
/** Creates an entry of this tab, which survives a reload but not the tab. */
export const tabEntry = <T>(name: string, check: Check<T>, fallback: T): Entry<T> =>
  openEntry(() => sessionStorage, name, { check, fallback });

type Options<T> = { check: Check<T>; fallback: T };
function openEntry<T>(storage: () => Storage, name: string, { check, fallback }: Options<T>): Entry<T> {
  const key = `comanda.${name}`;
  let opened: Signal<T> | null = null;
  /** The value that the browser could not store. */
  let unsaved: { value: T } | null = null;
  function read(): string | null {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  }
  function get(): T {
    const text = read();
    if (text !== null && check(text)) return text;
    try {
      const value: unknown = JSON.parse(text ?? '');
      if (check(value)) return value;
    } catch {
      // Another program has stored the text, or there is none.
    }
    return fallback;
  }
  function write(value: T): void {
    if (opened) opened.value = value;
    unsaved = null;
    const text = JSON.stringify(value);
    try {
      if (text === JSON.stringify(fallback)) storage().removeItem(key);
      else storage().setItem(key, typeof value === 'string' ? value : text);
    } catch {
      // A private window may have no storage. The value then applies only until the page is closed.
      unsaved = { value };
    }
  }
  function onOtherTab(listener: (value: T) => void): () => void {
    let textWhenLeft: string | null = null;
    const ending = new AbortController();
    const { signal: ended } = ending;
    const onStorage = (event: StorageEvent): void => {
      if (event.key === key) listener(get());
    };
    addEventListener('storage', onStorage, { signal: ended });
    addEventListener('pagehide', () => void (textWhenLeft = read()), { signal: ended });
    // If the text has not changed, no other tab has stored a value. Without storage, it never changes.
    const onShown = ({ persisted }: PageTransitionEvent): void => {
      if (persisted && read() !== textWhenLeft) listener(get());
    };
    addEventListener('pageshow', onShown, { signal: ended });
    return () => ending.abort();
  }
  return {
    get,
    write,
    onOtherTab,
    get signal() {
      if (opened) return opened;
      const made = (opened = signal(unsaved ? unsaved.value : get()));
      // The tests of single functions run in Node, which has no other tabs.
      if ('addEventListener' in globalThis) onOtherTab((value) => void (made.value = value));
      return made;
    },
  };
}
