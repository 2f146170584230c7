import { CallFailure } from '@comanda/client/core';
import { createOutbox } from '@comanda/client/outbox';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { isObject, type Entry } from './device-entry.ts';
import { isWaiting, type Unsent, type UnsentEntry } from './unsent-entry.ts';

/**
 * The result of an attempt. `made`: the server has accepted the entry. `overtaken`: another person was faster. `held`: the entry
 * is too old or for another place, and must not be sent.
 */
export type Outcome = { kind: 'made' | 'overtaken' | 'held' };
export type Refused = { kind: 'refused'; failure: CallFailure };

export type SenderOptions<I, R extends Outcome> = {
  /**
   * Makes the call once. Pass `{ repeat: 'never', signal }` to the call. `change` replaces the input for the next attempts.
   * @throws CallFailure
   */
  send: (entry: Unsent<I>, attempt: { signal: AbortSignal; change: (input: I) => void }) => Promise<R>;
  /** Called with the result, before the entry is removed from the list or after it was marked as refused or held. */
  onResult: (entry: Unsent<I>, result: R | Refused) => void;
  /** Checks whether a failure is final. By default, all failures are final except undecided calls and ended sessions. */
  isDecided?: (failure: CallFailure) => boolean;
  /** Checks whether an entry must wait while an earlier one fails with a server error. By default, it must. */
  mustFollow?: (input: I, earlier: I) => boolean;
};
export type Sender<I> = {
  /** All entries of this kind, oldest first. */
  entries: ReadonlySignal<readonly Unsent<I>[]>;
  /** Returns the entries that are stored on the device now, including changes that another tab has just made. */
  read: () => readonly Unsent<I>[];
  /** Sends the input. If an entry with this key was refused or held, the input replaces that entry's input. */
  add: (key: string, input: I) => void;
  change: (key: string, input: I) => void;
  /**
   * Stops sending the entry, although an attempt may already have reached the server. The entry stays in the list until it is
   * removed or sent with `add`.
   */
  hold: (key: string, input?: I) => void;
  remove: (key: string) => void;
  /** Sends the entries now, instead of after the pause. */
  tryNow: () => void;
  /** Stops sending. The entries stay on the device. */
  close: () => void;
};

/** A list or a single value that an earlier release has stored. `entryOf` converts a value; it returns null if it can't. */
export type Earlier = {
  stored: Entry<object | null>;
  entryOf: (value: Record<string, unknown>) => Omit<Unsent, 'state'> | null;
};

/**
 * How long another tab may do nothing before this tab sends that tab's entries too, in milliseconds. The other tab may be closed
 * or asleep.
 */
const otherTabMs = 5000;

/**
 * Opens the list of unsent work that this device stores. All tabs show and change the same list. Each tab
 * sends its own entries, one at a time for each kind. If two tabs send the same entry, the idempotency key makes the second
 * attempt harmless.
 */
export function openUnsent(device: UnsentEntry, earlier: readonly Earlier[] = []) {
  const list = openList(device);
  const taken = earlier.flatMap(takeOver);
  // Entries that were being sent when the last page was closed have had no response, so they are late.
  list.set((all) => [...all, ...taken].map((entry) => (isWaiting(entry) ? { ...entry, state: 'late' } : entry)));
  for (const { stored } of earlier) stored.write(null);
  const followers = new Set<() => void>();
  const stopFollowing = device.onOtherTab(() => {
    list.read();
    for (const follow of followers) follow();
  });
  return {
    all: list.all,
    /** Starts to send the entries of this kind. */
    open: <I, R extends Outcome>(kind: string, options: SenderOptions<I, R>): Sender<I> =>
      openSender({ list, followers, kind }, options),
    close: stopFollowing,
  };
}
export type UnsentList = ReturnType<typeof openUnsent>;

type List = ReturnType<typeof openList>;
function openList(device: UnsentEntry) {
  const all = signal<readonly Unsent[]>([]);
  /** True if the device stores the list. Without storage, the list exists only in this page's memory. */
  let isStored = true;
  /** Returns the stored list. An entry that has not changed is the same object as before. */
  function read(): readonly Unsent[] {
    if (!isStored) return all.peek();
    const before = all.peek();
    const known = new Map(before.map((entry) => [JSON.stringify(entry), entry]));
    const now = device.get().map((entry) => known.get(JSON.stringify(entry)) ?? withFailure(entry));
    if (now.length !== before.length || now.some((entry, index) => entry !== before[index])) all.value = now;
    return all.peek();
  }
  function set(next: (before: readonly Unsent[]) => readonly Unsent[]): void {
    const changed = next(read());
    all.value = changed;
    device.write(changed);
    isStored = JSON.stringify(device.get()) === JSON.stringify(changed);
  }
  const put = (key: string, part: Partial<Unsent>): void =>
    set((before) => before.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)));
  return { all, read, set, put };
}

type Opened = { list: List; /** Called after another tab's change. */ followers: Set<() => void>; kind: string };

function openSender<I, R extends Outcome>({ list, followers, kind }: Opened, options: SenderOptions<I, R>): Sender<I> {
  const isMine = (entry: Unsent): entry is Unsent<I> => entry.kind === kind;
  const read = (): readonly Unsent<I>[] => list.read().filter(isMine);
  const outbox = createOutbox<Unsent<I>, R>({
    storage: {
      get: () => read().filter(isWaiting),
      write: (waiting) => {
        const byKey = new Map(waiting.map((entry) => [entry.key, entry]));
        const isReplaced = (entry: Unsent): boolean => isMine(entry) && (isWaiting(entry) || byKey.has(entry.key));
        list.set((all) => [...all.filter((entry) => !isReplaced(entry)), ...byKey.values()]);
      },
    },
    keyOf: ({ key }) => key,
    ...attempts(list, options),
  });
  /** Adds other tabs' entries to the entries that this tab sends. */
  function join(): void {
    const own = new Set(outbox.entries().map(({ key }) => key));
    for (const entry of read().filter(isWaiting)) if (!own.has(entry.key)) outbox.add(entry);
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  function follow(): void {
    const waiting = new Set(
      read()
        .filter(isWaiting)
        .map(({ key }) => key),
    );
    for (const { key } of outbox.entries()) if (!waiting.has(key)) outbox.remove(key);
    clearTimeout(timer);
    timer = setTimeout(join, otherTabMs);
  }
  followers.add(follow);
  return {
    entries: computed(() => list.all.value.filter(isMine)),
    read,
    add: (key, input) => {
      const tried = read().find((entry) => entry.key === key)?.attempts ?? 0;
      outbox.add({ key, kind, input, state: 'sending', attempts: tried });
    },
    change: (key, input) => list.put(key, { input }),
    hold: (key, input) => {
      list.put(key, { state: 'held', ...(input !== undefined && { input }) });
      outbox.remove(key);
    },
    remove: (key) => {
      list.set((all) => all.filter((entry) => entry.key !== key));
      outbox.remove(key);
    },
    tryNow: () => {
      join();
      outbox.tryNow();
    },
    close: () => {
      clearTimeout(timer);
      followers.delete(follow);
      outbox.close();
    },
  };
}

/** Returns the outbox's functions for making attempts, which record each result in the list. */
function attempts<I, R extends Outcome>(
  { read, put }: List,
  { send, onResult, isDecided, mustFollow }: SenderOptions<I, R>,
) {
  const find = (key: string): Unsent<I> | undefined => read().find((entry): entry is Unsent<I> => entry.key === key);
  /** Reports an attempt's result. If another tab has stopped or settled the entry before, only the result `made` is reported. */
  function settle(entry: Unsent<I>, result: R | Refused): void {
    const before = find(entry.key);
    if (result.kind !== 'made' && !(before && isWaiting(before))) return;
    if (result.kind === 'held') put(entry.key, { state: 'held' });
    if (result.kind === 'refused') put(entry.key, { state: 'refused', failure: result.failure });
    onResult(find(entry.key) ?? entry, result);
  }
  return {
    send: async (entry: Unsent<I>, { signal: aborted }: { signal: AbortSignal }): Promise<R> => {
      const tried = { ...entry, attempts: entry.attempts + 1 };
      put(entry.key, { attempts: tried.attempts });
      try {
        return await send(tried, { signal: aborted, change: (input) => put(entry.key, { input }) });
      } catch (error) {
        const isOpen = error instanceof CallFailure && (error.isUndecided || error.needsSignIn);
        if (isOpen && !aborted.aborted) put(entry.key, { state: 'late' });
        throw error;
      }
    },
    onLate: ({ key }: Unsent<I>) => put(key, { state: 'late' }),
    onSent: settle,
    onRefused: (entry: Unsent<I>, failure: CallFailure) => settle(entry, { kind: 'refused', failure }),
    ...(isDecided && { isDecided }),
    ...(mustFollow && {
      mustFollow: (entry: Unsent<I>, earlier: Unsent<I>) => mustFollow(entry.input, earlier.input),
    }),
  };
}

/** Turns a stored failure into a CallFailure again, because JSON loses its methods. */
const withFailure = (entry: Unsent): Unsent =>
  entry.failure ? { ...entry, failure: new CallFailure(entry.failure.code, entry.failure) } : entry;

/** Returns entries that an earlier release has stored. They are late, because an attempt may already have reached the server. */
const takeOver = ({ stored, entryOf }: Earlier): Unsent[] =>
  [stored.get()].flat().flatMap((value) => {
    const entry = isObject<Record<string, unknown>>(value) ? entryOf(value) : null;
    return entry ? [{ ...entry, state: 'late' }] : [];
  });
