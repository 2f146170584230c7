import { randomName } from './random.ts';
import { readItem } from './storage.ts';
import type { Storage } from './storage.ts';

/** A call's idempotency key, until the call is answered. */
type Keeping = { key: string; release: (outcome: 'answered' | 'unanswered') => void };
export type Unanswered = { keep: (call: string) => Keeping };

/** The house forgets a key after 24 hours at the earliest. */
const lifetimeMs = 23 * 3600 * 1000;
const most = 50;
type Kept = { call: string; key: string; at: number };

/**
 * Idempotency keys of calls that have no answer yet, kept over reloads: the same call made again goes on with its key,
 * and is done once. Two calls at the same time are two calls, however alike.
 */
export function createUnanswered(storage: Storage, name: string, now: () => number = Date.now): Unanswered {
  const inFlight = new Set<string>();
  const isKept = (value: unknown): value is Kept =>
    typeof value === 'object' && value !== null && 'key' in value && 'call' in value && 'at' in value;
  const read = (): Kept[] => {
    const kept = readItem(storage, name);
    return Array.isArray(kept) ? kept.filter(isKept).filter(({ at }) => now() - at < lifetimeMs) : [];
  };
  const write = (kept: readonly Kept[]): void => {
    if (kept.length === 0) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(kept.slice(-most)));
  };
  return {
    keep: (call) => {
      const before = read();
      const found = before.find((each) => each.call === call && !inFlight.has(each.key));
      const key = found?.key ?? randomName();
      if (!found) write([...before, { call, key, at: now() }]);
      inFlight.add(key);
      return {
        key,
        release: (outcome) => {
          inFlight.delete(key);
          if (outcome === 'answered') write(read().filter((each) => each.key !== key));
        },
      };
    },
  };
}
