import type { Clock } from '@comanda/shared/runtime/clock';

/** How many requests this window has so far, and when it ends, in ms since the epoch. */
export type Count = { readonly count: number; readonly endsAt: number };
type Window = { count: number; endsAt: number };

/**
 * Counts by key, in windows that begin with the first request of a key. A key without a request for two windows is
 * forgotten. Old keys are dropped all at once, a whole map, so that many addresses cost little time.
 */
export function createLocalCounter(windowMs: number, clock: Clock): (key: string | number) => Count {
  let recent = new Map<string | number, Window>();
  let older: typeof recent = new Map();
  let rotatesAt = clock() + windowMs;
  return (key) => {
    const now = clock();
    if (now >= rotatesAt) {
      older = now >= rotatesAt + windowMs ? new Map() : recent;
      recent = new Map();
      rotatesAt = now + windowMs;
    }
    let window = recent.get(key) ?? older.get(key);
    if (!window || window.endsAt <= now) window = { count: 0, endsAt: now + windowMs };
    recent.set(key, window);
    window.count++;
    return window;
  };
}
