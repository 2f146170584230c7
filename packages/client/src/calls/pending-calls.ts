import type { CallName, Input } from './call-types.ts';
import { routes } from './calls.ts';
import { readItem, type Storage } from '../session/storage.ts';

/** A call with an idempotency key that the server has not yet responded to. */
export type PendingCall = {
  [N in CallName]: {
    key: string;
    call: N;
    input: Input<N>;
    /** The time of the first attempt, in milliseconds by this device's clock. */ at: number;
  };
}[CallName];
type StoredCall = PendingCall & { userId: number | null };

export type PendingCalls = {
  /** Stores this user's call before it is sent. If a call with the same key is already stored, that call stays unchanged. */
  begin: (call: PendingCall, userId: number | null) => void;
  end: (key: string, outcome: 'answered' | 'unanswered') => void;
  /** Returns all of this user's calls without a response, oldest first. Leaves out calls that this release does not have. */
  all: (userId: number | null) => PendingCall[];
  /** Returns this user's pending calls, without those that this page is making at the moment. */
  list: (userId: number | null) => PendingCall[];
  removeAllOf: (userId: number | null) => void;
};

/** How long to store a call, in milliseconds. It is less than the 24 hours for which the server stores idempotency keys. */
const lifetimeMs = 23 * 3600 * 1000;
const maxStored = 50;

/** Creates the store for calls without a response, indexed by idempotency key. The stored calls survive a reload. */
export function createPendingCalls(storage: Storage, storageKey: string, now: () => number = Date.now): PendingCalls {
  const inFlight = new Set<string>();
  const isStored = (value: unknown): value is StoredCall =>
    typeof value === 'object' &&
    value !== null &&
    ['key', 'call', 'input', 'userId', 'at'].every((name) => name in value);
  const isAlive = ({ at }: StoredCall): boolean => now() - at < lifetimeMs;
  const read = (): StoredCall[] => {
    const stored = readItem(storage, storageKey);
    return Array.isArray(stored) ? stored.filter(isStored).filter(isAlive) : [];
  };
  const write = (calls: readonly StoredCall[]): void => {
    if (calls.length === 0) storage.removeItem(storageKey);
    else storage.setItem(storageKey, JSON.stringify(calls.slice(-maxStored)));
  };
  const all = (ownerId: number | null): PendingCall[] =>
    read()
      .filter(({ userId, call }) => userId === ownerId && call in routes)
      .map(({ userId: _userId, ...call }) => call);
  return {
    begin: (call, userId) => {
      inFlight.add(call.key);
      const stored = read();
      if (!stored.some((each) => each.key === call.key && each.userId === userId))
        write([...stored, { ...call, userId }]);
    },
    end: (key, outcome) => {
      inFlight.delete(key);
      if (outcome === 'answered') write(read().filter((each) => each.key !== key));
    },
    all,
    list: (ownerId) => all(ownerId).filter(({ key }) => !inFlight.has(key)),
    removeAllOf: (ownerId) => write(read().filter(({ userId }) => userId !== ownerId)),
  };
}
