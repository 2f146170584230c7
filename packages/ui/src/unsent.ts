import { CallFailure, createOutbox } from '@comanda/client';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { followStored, isListOf, readSetting, stored, writeSetting, type Stored } from './stored-setting.ts';

/** Work that the server has not accepted. The device stores it until then, or until the user has dealt with it. */
export type Unsent<I = unknown> = {
  /** The idempotency key, the same for all attempts. */
  key: string;
  /** What it is, for example `order`. Each kind has its own way to be sent. */
  kind: string;
  input: I;
  /**
   * `sending` becomes `late` when an attempt fails or takes 2.5 s. The server has rejected what is `refused`. Nothing sends
   * what is `held`, because a person has stopped it or it is too old.
   */
  state: 'sending' | 'late' | 'refused' | 'held';
  /** The number of attempts that have started, in all tabs. */
  attempts: number;
  /** Why the server has rejected it. */
  failure?: CallFailure;
};
/** What came of an attempt. Another person was faster if it was `overtaken`; it is too old or for another place if `held`. */
export type Outcome = { kind: 'made' | 'overtaken' | 'held' };
export type Refused = { kind: 'refused'; failure: CallFailure };

export type SenderOptions<I, R extends Outcome> = {
  /**
   * Makes the call without retries: pass it `{ repeat: 'never', signal }`. `change` replaces the input for the next attempts.
   * @throws CallFailure
   */
  send: (entry: Unsent<I>, attempt: { signal: AbortSignal; change: (input: I) => void }) => Promise<R>;
  /** Called with the result before the entry leaves the list, or once it is refused or held. */
  onResult: (entry: Unsent<I>, result: R | Refused) => void;
  /** Checks whether a failure is final. By default all failures are, except undecided ones and an ended session. */
  isDecided?: (failure: CallFailure) => boolean;
};
export type Sender<I> = {
  /** All entries of this kind, oldest first. */
  entries: ReadonlySignal<readonly Unsent<I>[]>;
  /** Returns the entries as the device has them now, even if another tab has changed them just before. */
  read: () => readonly Unsent<I>[];
  /** Sends the input. With the key of an entry that is refused or held, the input replaces that entry. */
  add: (key: string, input: I) => void;
  change: (key: string, input: I) => void;
  /** Ends the attempts, one of which may have reached the server. The entry stays until it is removed or added again. */
  hold: (key: string, input?: I) => void;
  remove: (key: string) => void;
  /** Ends a pause and tries again. */
  tryNow: () => void;
  /** Ends the attempts. The entries stay on the device. */
  close: () => void;
};

/** A list that an earlier release has stored as `comanda.<name>`, or a single value. Returns null for what is no entry. */
export type Earlier = { name: string; entryOf: (value: Record<string, unknown>) => Omit<Unsent, 'state'> | null };

/** Another tab's entry is sent here too once that tab has done nothing for this time, because it may be closed or asleep. */
const otherTabMs = 5000;

export const isWaiting = ({ state }: Unsent): boolean => state === 'sending' || state === 'late';
const isList = isListOf<Unsent>('key', 'kind', 'input', 'state', 'attempts');
/** Reads what the device has stored under this name, without opening it. */
export const readUnsent = (name: string): readonly Unsent[] => stored<readonly Unsent[]>(name, isList, []).get();

/**
 * Opens the list of unsent work that this device stores as `comanda.<name>`. All tabs show and change the same list. Each tab
 * sends its own entries, one after the other within a kind. The idempotency key makes a second attempt harmless.
 */
export function openUnsent(name: string, earlier: readonly Earlier[] = []) {
  const device = stored<readonly Unsent[]>(name, isList, []);
  const list = openList(device);
  const taken = earlier.flatMap(takeOver);
  // What was on its way when the last page closed has had no response.
  list.set((all) => [...all, ...taken].map((entry) => (isWaiting(entry) ? { ...entry, state: 'late' } : entry)));
  for (const each of earlier) writeSetting(each.name, null);
  const followers = new Set<() => void>();
  const stopFollowing = followStored(device, () => {
    list.read();
    for (const follow of followers) follow();
  });
  return {
    all: list.all,
    /** Sends the entries of a kind. */
    open: <I, R extends Outcome>(kind: string, options: SenderOptions<I, R>): Sender<I> =>
      openSender({ list, followers, kind }, options),
    close: stopFollowing,
  };
}
export type UnsentList = ReturnType<typeof openUnsent>;

type List = ReturnType<typeof openList>;
function openList(device: Stored<readonly Unsent[]>) {
  const all = signal<readonly Unsent[]>([]);
  /** Whether the device stores the list. Without storage, this page's memory has it. */
  let isStored = true;
  /** Reads the stored list. Entries that have not changed stay the same objects. */
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
  /** Sends other tabs' entries too. */
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

/** Makes the attempts, and notes in the list what comes of them. */
function attempts<I, R extends Outcome>({ read, put }: List, { send, onResult, isDecided }: SenderOptions<I, R>) {
  const find = (key: string): Unsent<I> | undefined => read().find((entry): entry is Unsent<I> => entry.key === key);
  /** Reports a result, unless another tab has stopped or settled the entry before. What was made is reported all the same. */
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
  };
}

/** Rebuilds the error, which JSON stores without its methods. */
const withFailure = (entry: Unsent): Unsent =>
  entry.failure ? { ...entry, failure: new CallFailure(entry.failure.code, entry.failure) } : entry;

/** Reads what an earlier release has stored. An attempt may have reached the server. */
function takeOver({ name, entryOf }: Earlier): Unsent[] {
  const text = readSetting(name);
  if (text === null) return [];
  return [parsed(text)].flat().flatMap((value) => {
    const entry = isRecord(value) ? entryOf(value) : null;
    return entry ? [{ ...entry, state: 'late' }] : [];
  });
}
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
