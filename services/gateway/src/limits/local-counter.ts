/** How many so far in this window, and when it ends, in ms since the epoch. */
export type Counted = { readonly count: number; readonly endsAt: number };

/**
 * Counts by key, in windows that begin with a key's first hit. Keys that were not hit for a whole window are forgotten,
 * some at each turn and all at once, so that a flood of addresses costs memory for two windows and no time.
 */
export function createLocalCounter(windowMs: number, now: () => number = Date.now): (key: string | number) => Counted {
  let recent = new Map<string | number, { count: number; endsAt: number }>();
  let older: typeof recent = new Map();
  let turnsAt = now() + windowMs;
  return (key) => {
    const time = now();
    if (time >= turnsAt) {
      older = time >= turnsAt + windowMs ? new Map() : recent;
      recent = new Map();
      turnsAt = time + windowMs;
    }
    let window = recent.get(key) ?? older.get(key);
    if (!window || window.endsAt <= time) window = { count: 0, endsAt: time + windowMs };
    recent.set(key, window);
    window.count++;
    return window;
  };
}
