import { memoryStorage } from './memory-storage.ts';

type Listener = (event: { key: string }) => void;
type Options = { signal?: AbortSignal };

/**
 * Puts a browser's `localStorage` and its events in place of the ones that Node lacks. What is opened after `newTab()` belongs to
 * that tab. The returned function brings the tab the events of everything that other tabs have stored.
 */
export function openDeviceTabs() {
  const stored = new Map<string, string>();
  let listeners = new Set<Listener>();
  Object.assign(globalThis, {
    localStorage: memoryStorage(stored),
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
      let heard = new Map(stored);
      return () => {
        const names = [...new Set([...heard.keys(), ...stored.keys()])];
        const changed = names.filter((name) => heard.get(name) !== stored.get(name));
        heard = new Map(stored);
        for (const key of changed) for (const listener of ofTab) listener({ key });
      };
    },
    close: (): void => {
      for (const name of ['localStorage', 'addEventListener', 'removeEventListener'])
        Reflect.deleteProperty(globalThis, name);
    },
  };
}
