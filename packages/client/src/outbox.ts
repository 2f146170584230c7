import { isFinal, CallFailure } from './call-failure.ts';
import { retryDelayMs } from './retry-delay.ts';

export type OutboxOptions<E, A> = {
  /** Where to store unsent entries, so that they survive a reload. Other tabs may store their entries in the same place. */
  storage: { get: () => readonly E[]; write: (entries: readonly E[]) => void };
  /** Returns the entry's unique key, which must be the same for all attempts. */
  keyOf: (entry: E) => string;
  /**
   * Makes the call once. Pass `{ repeat: 'never', signal }` to the call, because the outbox retries it. `change` replaces the
   * entry for the next attempts.
   * @throws CallFailure
   */
  send: (entry: E, attempt: { signal: AbortSignal; change: (entry: E) => void }) => Promise<A>;
  /** Called with all entries after each change to them. */
  onChange?: (entries: readonly E[]) => void;
  /** Called with the server's response before the entry is removed from the outbox. */
  onSent: (entry: E, response: A) => void;
  /** Called when the server has rejected an entry, before the entry is removed from the outbox. */
  onRefused: (entry: E, failure: CallFailure) => void;
  /** Called once for an entry that is still in the outbox after 2.5 s, so that the app can inform the user. */
  onLate?: (entry: E) => void;
  /** Checks whether a failure is final. By default, all failures are final except undecided calls and ended sessions. */
  isDecided?: (failure: CallFailure) => boolean;
  /**
   * Checks whether an entry must wait while an earlier one can't be carried out, although the server responds. By default,
   * it must.
   */
  mustFollow?: (entry: E, earlier: E) => boolean;
};
export type Outbox<E> = {
  /** Returns all entries, oldest first. */
  entries: () => readonly E[];
  add: (entry: E) => void;
  /** Removes an entry and aborts its attempt. The request may still have reached the server. */
  remove: (key: string) => E | undefined;
  /** Checks whether the entry is being sent at the moment. */
  isSending: (key: string) => boolean;
  /** Retries immediately instead of after the pause. First aborts an attempt that has been waiting for a response for 2.5 s. */
  tryNow: () => void;
  /** Aborts the running attempt. Unsent entries stay in the storage. */
  close: () => void;
};

const lateAfterMs = 2500;

/** Failures of one call. After any other undecided failure, such as a lost connection, the next entry would fail too. */
const ownFailures: ReadonlySet<string> = new Set(['internal_error', 'request_in_progress']);

/**
 * Creates an outbox that sends a user's entries one at a time, in their order. Each entry is retried after increasing pauses until the
 * server has accepted or rejected it, even across reloads, lost connections and server failures. No listener is called before
 * this function has returned.
 */
export function createOutbox<E, A>(options: OutboxOptions<E, A>): Outbox<E> {
  const { storage, keyOf, send, onSent, onRefused, isDecided = isFinal, mustFollow = () => true } = options;
  let entries = storage.get();
  /** The keys of this outbox's stored entries. If a key disappears there, another tab has sent or removed the entry. */
  const kept = new Set(entries.map(keyOf));
  let attempt: { key: string; controller: AbortController; startedAtMs: number } | null = null;
  let repeats = 0;
  /** Entries that failed by themselves: until when each is not retried, and how often it has failed. */
  const failing = new Map<string, { untilMs: number; repeats: number }>();
  let isClosed = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const lateTimers = new Map<string, ReturnType<typeof setTimeout>>();

  const find = (key: string): E | undefined => entries.find((entry) => keyOf(entry) === key);
  /** Changes the entries in this outbox and in the storage. Entries that other tabs have stored stay unchanged. */
  function set(next: (all: readonly E[]) => readonly E[]): void {
    entries = next(entries);
    storage.write(next(storage.get()));
    for (const entry of storage.get()) kept.add(keyOf(entry));
    options.onChange?.(entries);
  }
  /** Applies the changes that other tabs have made to this outbox's stored entries. */
  function readStorage(): void {
    const stored = new Map(storage.get().map((entry) => [keyOf(entry), entry]));
    const before = entries;
    entries = before
      .map((entry) => stored.get(keyOf(entry)) ?? entry)
      .filter((entry) => stored.has(keyOf(entry)) || !kept.has(keyOf(entry)));
    if (entries.length < before.length) options.onChange?.(entries);
  }
  function change(changed: E): void {
    set((all) => all.map((entry) => (keyOf(entry) === keyOf(changed) ? changed : entry)));
  }
  function remove(key: string): void {
    repeats = 0;
    failing.delete(key);
    clearTimeout(lateTimers.get(key));
    lateTimers.delete(key);
    set((all) => all.filter((entry) => keyOf(entry) !== key));
    kept.delete(key);
  }
  function watch(key: string): void {
    const tell = (): void => {
      const entry = find(key);
      if (entry !== undefined) options.onLate?.(entry);
    };
    lateTimers.set(key, setTimeout(tell, lateAfterMs));
  }

  const waitMs = (entry: E, nowMs: number): number => (failing.get(keyOf(entry))?.untilMs ?? 0) - nowMs;
  /** Returns the first entry that may be sent at this time. Entries that must follow a failing one wait with it. */
  const nextEntry = (nowMs: number): E | undefined =>
    entries.find((entry, index) => {
      const waits = (each: E): boolean => waitMs(each, nowMs) > 0;
      return !waits(entry) && !entries.slice(0, index).some((earlier) => waits(earlier) && mustFollow(entry, earlier));
    });

  async function sendFirst(): Promise<void> {
    clearTimeout(retryTimer);
    if (attempt || isClosed) return;
    readStorage();
    // The same time for all entries. Otherwise, one could overtake an entry whose pause ends in between.
    const nowMs = performance.now();
    const first = nextEntry(nowMs);
    if (first === undefined) {
      const pauses = entries.map((entry) => waitMs(entry, nowMs)).filter((ms) => ms > 0);
      if (entries.length > 0) sendAfter(Math.min(lateAfterMs, ...pauses));
      return;
    }
    const key = keyOf(first);
    const controller = new AbortController();
    attempt = { key, controller, startedAtMs: Date.now() };
    try {
      const response = await send(first, { signal: controller.signal, change });
      leave(key, (entry) => onSent(entry, response));
    } catch (error) {
      if (!controller.signal.aborted) {
        if (!(error instanceof CallFailure)) throw error;
        if (isDecided(error)) leave(key, (entry) => onRefused(entry, error));
        else if (ownFailures.has(error.code)) pause(key, error);
        else return sendAfter(retryDelayMs(error, repeats++));
      }
    } finally {
      attempt = null;
    }
    return sendFirst();
  }
  function pause(key: string, failure: CallFailure): void {
    const times = failing.get(key)?.repeats ?? 0;
    failing.set(key, { untilMs: performance.now() + retryDelayMs(failure, times), repeats: times + 1 });
  }
  /** Reports an entry's result and removes the entry, unless it was already removed or the outbox is closed. */
  function leave(key: string, tell: (entry: E) => void): void {
    const entry = find(key);
    if (entry === undefined || isClosed) return;
    tell(entry);
    remove(key);
  }
  function sendAfter(delayMs: number): void {
    if (!isClosed) retryTimer = setTimeout(() => void sendFirst(), delayMs);
  }

  function tryNow(): void {
    repeats = 0;
    failing.clear();
    // An attempt that has just started may continue, because a second one would only compete with it on the server.
    if (attempt && Date.now() - attempt.startedAtMs >= lateAfterMs) attempt.controller.abort();
    void sendFirst();
  }
  const page = 'document' in globalThis ? (globalThis as unknown as EventTarget) : null;
  page?.addEventListener('online', tryNow);
  for (const entry of entries) watch(keyOf(entry));
  queueMicrotask(() => void sendFirst());
  return {
    entries: () => entries,
    add: (entry) => {
      set((all) => [...all, entry]);
      watch(keyOf(entry));
      void sendFirst();
    },
    remove: (key) => {
      const entry = find(key);
      remove(key);
      if (attempt?.key === key) attempt.controller.abort();
      return entry;
    },
    isSending: (key) => attempt?.key === key,
    tryNow,
    close: () => {
      isClosed = true;
      clearTimeout(retryTimer);
      for (const timer of lateTimers.values()) clearTimeout(timer);
      attempt?.controller.abort();
      page?.removeEventListener('online', tryNow);
    },
  };
}
