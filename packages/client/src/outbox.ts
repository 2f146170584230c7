import { isFinal, CallFailure } from './call-failure.ts';
import { retryDelayMs } from './retry-delay.ts';

export type OutboxOptions<E, A> = {
  /**
   * Where the entries are kept until they leave the outbox, so that it goes on with them after a reload. Other tabs may keep
   * theirs there too.
   */
  storage: { get: () => readonly E[]; write: (entries: readonly E[]) => void };
  /** The key of an entry: unique, and the same however often the entry is sent. */
  keyOf: (entry: E) => string;
  /**
   * Makes the call once: give it `{ repeat: 'never', signal }`. `change` replaces the entry, for what the next attempts must
   * know.
   * @throws CallFailure
   */
  send: (entry: E, attempt: { signal: AbortSignal; change: (entry: E) => void }) => Promise<A>;
  /** Called with all entries after every change of them. */
  onChange?: (entries: readonly E[]) => void;
  /** Called with the answer before the entry leaves the outbox. */
  onSent: (entry: E, response: A) => void;
  /** The server refuses the entry. Called before it leaves the outbox. */
  onRefused: (entry: E, failure: CallFailure) => void;
  /** Called once for an entry that has been here for 2.5 s, so that the user is told. */
  onLate?: (entry: E) => void;
  /** Whether a failure ends the attempts. By default all do but those that leave it open, and a session that has ended. */
  isDecided?: (failure: CallFailure) => boolean;
};
export type Outbox<E> = {
  /** Oldest first. */
  entries: () => readonly E[];
  add: (entry: E) => void;
  /** Takes an entry out and ends its attempt, which may have arrived all the same. */
  remove: (key: string) => E | undefined;
  /** Whether an attempt is on its way now. */
  isSending: (key: string) => boolean;
  /** Ends the pause, and an attempt that has had no answer for 2.5 s, and tries again at once. */
  tryNow: () => void;
  /** Ends the attempts. What is left is in the storage. */
  close: () => void;
};

const lateAfterMs = 2500;

/**
 * Sends what a person means, one entry after the other, each again and again after growing pauses until the server has
 * decided: over reloads, lost connections and failures of the server. Nobody is called before the caller has the outbox.
 */
export function createOutbox<E, A>(options: OutboxOptions<E, A>): Outbox<E> {
  const { storage, keyOf, send, onSent, onRefused, isDecided = isFinal } = options;
  let entries = storage.get();
  /** What the storage has had: if it has it no longer, another tab has sent it or taken it out. */
  const kept = new Set(entries.map(keyOf));
  let attempt: { key: string; controller: AbortController; startedAtMs: number } | null = null;
  let repeats = 0;
  let isClosed = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const lateTimers = new Map<string, ReturnType<typeof setTimeout>>();

  const find = (key: string): E | undefined => entries.find((entry) => keyOf(entry) === key);
  /** Changes what is here, and the same in the storage: what other tabs have there stays. */
  function set(next: (all: readonly E[]) => readonly E[]): void {
    entries = next(entries);
    storage.write(next(storage.get()));
    for (const entry of storage.get()) kept.add(keyOf(entry));
    options.onChange?.(entries);
  }
  /** Takes over what other tabs have done with these entries. */
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

  async function sendFirst(): Promise<void> {
    clearTimeout(retryTimer);
    if (attempt || isClosed) return;
    readStorage();
    const [first] = entries;
    if (first === undefined) return;
    const key = keyOf(first);
    const controller = new AbortController();
    attempt = { key, controller, startedAtMs: Date.now() };
    try {
      const response = await send(first, { signal: controller.signal, change });
      leave(key, (entry) => onSent(entry, response));
    } catch (error) {
      if (!controller.signal.aborted) {
        if (!(error instanceof CallFailure)) throw error;
        if (!isDecided(error)) return sendAfter(retryDelayMs(error, repeats++));
        leave(key, (entry) => onRefused(entry, error));
      }
    } finally {
      attempt = null;
    }
    return sendFirst();
  }
  /** Somebody may have taken it out in the meantime. */
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
    // A young attempt is left alone: sent again, it would meet itself at the server.
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
