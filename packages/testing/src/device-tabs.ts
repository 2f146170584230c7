import { memoryStorage } from './memory-storage.ts';

type Listener = (event: { key: string }) => void;
type Options = { signal?: AbortSignal };

/**
 * Gives Node a browser's `localStorage` and storage events. Everything that is opened after `newTab()` belongs to that tab. The
 * function that `newTab()` returns tells the tab about all keys that any tab has stored.
 */
export function openDeviceTabs() {
  const stored = new Map<string, string>();
  const names = new Set<string>();
  const storage = memoryStorage(stored);
  let listeners = new Set<Listener>();
  Object.assign(globalThis, {
    localStorage: {
      ...storage,
      setItem: (key: string, value: string) => {
        names.add(key);
        storage.setItem(key, value);
      },
    },
    addEventListener: (type: string, listener: Listener, { signal }: Options = {}) => {
      const ofTab = listeners;
      if (type === 'storage') ofTab.add(listener);
      signal?.addEventListener('abort', () => void ofTab.delete(listener));
    },
    removeEventListener: () => {},
  });
  return {
    stored,
    newTab: (): (() => void) => {
      const ofTab = new Set<Listener>();
      listeners = ofTab;
      return () => {
        for (const key of names) for (const listener of ofTab) listener({ key });
      };
    },
    close: (): void => {
      for (const name of ['localStorage', 'addEventListener', 'removeEventListener'])
        Reflect.deleteProperty(globalThis, name);
    },
  };
}
