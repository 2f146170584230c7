import type { Clock } from './clock.ts';

/** How often a key was used in the current window, and when the window ends, in milliseconds since the epoch. */
export type Window = { count: number; readonly endsAt: number };

type Key = string | number;
/** `windowMs` is the length of a window in milliseconds. `maxKeys` is 100,000 by default; that many keys take about 10 MB. */
type Options = { windowMs: number; clock: Clock; maxKeys?: number };

/**
 * Creates a function that counts how often each key is used in its current window. A window starts with the first use of a key. A
 * key that is not used for two windows is forgotten. Old keys are dropped together, a whole map at a time, so that even many keys
 * take little time. At most twice `maxKeys` keys are remembered. If there are more, the oldest keys are dropped early.
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
  /** Returns true if a window has ended, or would last too long because the clock was set back. */
  const isOver = (endsAt: number, now: number): boolean => endsAt <= now || endsAt > now + windowMs;
  return (key) => {
    const now = clock();
    if (isOver(rotatesAt, now)) rotate(now);
    let window = recent.get(key) ?? older.get(key);
    if (recent.size >= maxKeys && !recent.has(key)) rotate(now);
    if (!window || isOver(window.endsAt, now)) window = { count: 0, endsAt: now + windowMs };
    recent.set(key, window);
    window.count++;
    return window;
  };
}
