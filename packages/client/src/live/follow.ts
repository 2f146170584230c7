import { CallFailure } from '../call-failure.ts';
import type { Feed } from '../feed/feed-types.ts';
import {
  createChangeDetector,
  createLiveList,
  type Change,
  type ChangeSource,
  type LiveList,
  type LiveListDeps,
  type LiveListHandlers,
} from './list.ts';
import type { Source } from './resources.ts';

export type FollowHandlers<T> = LiveListHandlers & {
  /** Called with all rows after every change, and with the differences from the previous call. */
  onChange: (rows: readonly T[], changes: readonly Change<T>[], source: ChangeSource) => void;
  /** Called after each load, with its failure or null, and the server's time when it started. */
  onRead?: (failure: CallFailure | null, startedAtMs: number) => void;
  /** The rows stored on the device from an earlier visit. They are shown until the server's have been loaded. */
  known?: readonly T[] | undefined;
};
/** Rows that are followed. Apart from the handlers, they are what `Live` describes. */
export type Followed<T> = {
  rows: () => T[];
  feed: Feed;
  isRead: () => boolean;
  isComplete: () => boolean;
  /** Applies the response to a call, unless a newer version is known. */
  apply: (row: T) => void;
  remove: (id: number | string) => void;
  /** Loads one row again; a failure is left to the next comparison. */
  loadOne: (id: number) => Promise<void>;
  /** Loads all rows again now. Resolves after the load, even if it failed. */
  load: () => Promise<void>;
  close: () => void;
};
type Entry<T> = { id: number | string; version: number; row: T };

/** Follows the rows of a source: loads them, applies the feed's events, and compares them with the server's. */
export function follow<T>(deps: LiveListDeps, source: Source<T>, handlers: FollowHandlers<T>): Followed<T> {
  const { load, loadOne, idOf, versionOf, rowIn, changedBy, show = (row) => row } = source;
  const { select = (rows) => [...rows], checksum, compareEveryMs } = source;
  const changesOf = createChangeDetector<Entry<T>>();
  /** The last version given to a row without one. */
  let arrivals = 1;
  const toEntry = (row: T, arrival: number): Entry<T> => {
    const id = idOf(row);
    if (versionOf) return { id, version: versionOf(row), row };
    const before = list.find(id);
    const isSame = before !== undefined && JSON.stringify(before.row) === JSON.stringify(row);
    return isSame ? before : { id, version: arrival, row };
  };
  const withoutEntry = (change: Change<Entry<T>>): Change<T> => {
    if (change.kind === 'added') return { kind: 'added', after: show(change.after.row) };
    if (change.kind === 'removed') return { kind: 'removed', before: show(change.before.row) };
    return { kind: 'changed', before: show(change.before.row), after: show(change.after.row) };
  };
  const rows = (): T[] => list.shown().map(({ row }) => show(row));
  const list: LiveList<Entry<T>> = createLiveList<Entry<T>>(deps, {
    handlers: {
      ...(compareEveryMs !== undefined && { compareEveryMs }),
      ...handlers,
      onEvent: (event) => {
        handlers.onEvent?.(event);
        const changed = changedBy?.(event) ?? null;
        if (changed !== null) void loadAgain(changed);
      },
    },
    readList: async function* readEntries(options) {
      // What is put while the rows are loading is newer than they are.
      const arrival = ++arrivals;
      for await (const page of load(options)) yield page.map((row) => toEntry(row, arrival));
    },
    ...(loadOne && {
      readOne: async (id: number | string, options) => {
        const row = await loadOne(Number(id), options).catch(nullIfNotFound);
        return row && toEntry(row, ++arrivals);
      },
    }),
    fromEvent: (event) => {
      const row = rowIn?.(event, (id) => list.find(id)?.row) ?? null;
      return row && toEntry(row, ++arrivals);
    },
    known: handlers.known?.map((row) => ({ id: idOf(row), version: versionOf?.(row) ?? 1, row })),
    select: (entries) => {
      const byRow = new Map(entries.map((entry) => [entry.row, entry]));
      return select(entries.map(({ row }) => row)).flatMap((row) => byRow.get(row) ?? []);
    },
    ...(checksum && { checksum: checksum.name, isCounted: ({ row }) => checksum.includes(row) }),
    isPublic: source.isPublic,
    pollEveryMs: compareEveryMs,
    onChange: (from) => handlers.onChange(rows(), changesOf(list.shown()).map(withoutEntry), from),
    ...(handlers.onRead && { onRead: handlers.onRead }),
  });
  async function loadAgain(id: number): Promise<void> {
    try {
      const row = await loadOne?.(id, {});
      if (row) list.apply(toEntry(row, ++arrivals));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // the next comparison loads it
    }
  }
  const { feed, isRead, isComplete, remove, close } = list;
  return {
    rows,
    feed,
    isRead,
    isComplete,
    apply: (row) => list.apply(toEntry(row, ++arrivals)),
    remove,
    loadOne: loadAgain,
    load: list.load,
    close,
  };
}

/** Turns `not_found` into null, for rows that may no longer exist. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof CallFailure && error.code === 'not_found') return null;
  throw error;
}
