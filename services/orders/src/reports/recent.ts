import type { Clock } from '@comanda/shared/runtime/clock';

const keptMs = 60_000;

/**
 * Returns a function that computes values and keeps the newest `maxKept` for a minute. Calls with the same key share one computation,
 * even if the first caller no longer waits. A computation that fails is not kept.
 */
export function createRecent<T>({ clock, maxKept }: { clock: Clock; maxKept: number }) {
  const kept = new Map<string, { value: Promise<T>; until: number }>();
  return (key: string, compute: () => Promise<T>): Promise<T> => {
    const found = kept.get(key);
    if (found && found.until > clock()) return found.value;
    const value = compute();
    kept.delete(key);
    kept.set(key, { value, until: clock() + keptMs });
    value.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) if (kept.size > maxKept) kept.delete(oldest);
    return value;
  };
}
