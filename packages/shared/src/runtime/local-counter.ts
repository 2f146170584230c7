import type { Clock } from './clock.ts';

/** The number of uses in this window so far, and the window's end in milliseconds since the epoch. */
export type Window = { count: number; readonly endsAt: number };

type Key = string | number;
/** `maxKeys` is 100,000 by default, which takes about 10 MB. */
type Options = { windowMs: number; clock: Clock; maxKeys?: number };

/**
 * Creates a counter by key, in windows that start with the first use of a key. A key without a use for two windows is forgotten.
 * Old keys are dropped together, a whole map at a time, so that many keys cost little time. At most twice `maxKeys` are
 * remembered: beyond that, the oldest are dropped before their time.
 */
export function createLocalCounter({ windowMs, clock, maxKeys = 100_000 }: Options): (key: Key) => Window {
  let recent = new Map<Key, Window>();
  let older: typeof recent = new Map();
  let rotatesAt = clock() + windowMs;
  const rotate = (now: number): void => {
    older = now >= rotatesAt + windowMs ? new Map() : recent;
    recent = new Map();
    rotatesAt = now + windowMs;
  };
  return (key) => {
    const now = clock();
    if (now >= rotatesAt) rotate(now);
    let window = recent.get(key) ?? older.get(key);
    if (recent.size >= maxKeys && !recent.has(key)) rotate(now);
    if (!window || window.endsAt <= now) window = { count: 0, endsAt: now + windowMs };
    recent.set(key, window);
    window.count++;
    return window;
  };
}
