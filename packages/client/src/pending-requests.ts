import { randomId } from './random.ts';
import { readItem } from './storage.ts';
import type { Storage } from './storage.ts';

/** A request that has an idempotency key and no answer yet. */
type PendingRequest = { key: string; end: (outcome: 'answered' | 'unanswered') => void };
export type PendingRequests = {
  /** Returns the key of the same unanswered request, or a new one. */
  begin: (request: string) => PendingRequest;
};
type StoredRequest = { call: string; key: string; at: number };

/** The server keeps a key for at least 24 hours. */
const lifetimeMs = 23 * 3600 * 1000;
const maxStored = 50;

/**
 * The idempotency keys of requests without an answer. They survive a reload: the same request made again has the same
 * key, and is executed once. Two requests at the same time are two requests, even if they are equal.
 */
export function createPendingRequests(
  storage: Storage,
  storageKey: string,
  now: () => number = Date.now,
): PendingRequests {
  const inFlight = new Set<string>();
  const isStored = (value: unknown): value is StoredRequest =>
    typeof value === 'object' && value !== null && 'key' in value && 'call' in value && 'at' in value;
  const read = (): StoredRequest[] => {
    const stored = readItem(storage, storageKey);
    return Array.isArray(stored) ? stored.filter(isStored).filter(({ at }) => now() - at < lifetimeMs) : [];
  };
  const write = (requests: readonly StoredRequest[]): void => {
    if (requests.length === 0) storage.removeItem(storageKey);
    else storage.setItem(storageKey, JSON.stringify(requests.slice(-maxStored)));
  };
  return {
    begin: (request) => {
      const stored = read();
      const unanswered = stored.find(({ call, key }) => call === request && !inFlight.has(key));
      const key = unanswered?.key ?? randomId();
      if (!unanswered) write([...stored, { call: request, key, at: now() }]);
      inFlight.add(key);
      return {
        key,
        end: (outcome) => {
          inFlight.delete(key);
          if (outcome === 'answered') write(read().filter((each) => each.key !== key));
        },
      };
    },
  };
}
