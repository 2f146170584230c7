import { batch, computed, signal, type ReadonlySignal } from '@preact/signals-core';
import { CallFailure } from '../call-failure.ts';
import type { Feed, FeedState } from '../feed/feed-types.ts';
import {
  createChangeDetector,
  createLiveList,
  type Change,
  type ChangeSource,
  type LiveList,
  type LiveListDeps,
  type LiveListHandlers,
} from './list.ts';
import type { Server, Source } from './source.ts';

/**
 * How complete the rows are. `loading`: more rows may exist, so don't show a count or an empty list. `stale`: as `loading`, but
 * the rows are from an earlier visit or from before a gap in the feed. `loaded`: all rows were loaded, but later changes may
 * not have arrived. `complete`: all rows were loaded while the feed was live, and later events have been applied.
 */
export type CollectionState = 'loading' | 'stale' | 'loaded' | 'complete';
export type Changes<T> = { changes: readonly Change<T>[]; source: ChangeSource };

/** Rows that stay up to date while the collection is open. The responses to this client's own calls are applied immediately. */
export type Collection<T> = {
  rows: ReadonlySignal<readonly T[]>;
  state: ReadonlySignal<CollectionState>;
  /** The rows and their state at this moment. The signals change at the end of a turn of the event loop. */
  current: { rows: () => T[]; state: () => CollectionState };
  /** True if all rows have been loaded, which means that `state` is `loaded` or `complete`. */
  isLoaded: ReadonlySignal<boolean>;
  /** The feed's state to show on the screen. It is `live` only while the collection is complete. */
  feedState: ReadonlySignal<FeedState>;
  /** Why the last attempt to load the rows failed, or null if it succeeded. A failed load is retried automatically. */
  failure: ReadonlySignal<CallFailure | null>;
  /**
   * Calls `listener` with the differences after each change to the rows. To alert a person, use these differences and not
   * events, because events may arrive twice or late. Do not alert before the collection is complete, or about a change whose
   * source is `answer`. Returns a function that removes the listener.
   */
  onChange: (listener: (changed: Changes<T>) => void) => () => void;
  /**
   * When the last successful load started, in milliseconds since the epoch by the server's clock. 0 before the first one. The
   * rows are at least as new as this time.
   */
  loadedAtMs: ReadonlySignal<number>;
  /**
   * Loads all rows again now, or only the row with this id. Resolves after the load, even if it failed. `failure` contains the
   * reason if loading all rows failed. `loading`: the row, if it is already being loaded.
   */
  load: (id?: number, loading?: Promise<T | null>) => Promise<void>;
  /**
   * Applies a row if it is newer than the collection's version. You don't need this for the responses to this client's own
   * calls, which are applied automatically.
   */
  apply: (row: T) => void;
  remove: (id: number | string) => void;
  feed: Feed;
  close: () => void;
};
export type CollectionOptions<T> = LiveListHandlers & {
  /** The rows that the app stored on this device during an earlier visit. They are shown until the server's rows are loaded. */
  known?: readonly T[] | undefined;
};
type Entry<T> = { id: number | string; version: number; row: T };
const rowOf = <T>({ row }: Entry<T>): T => row;
export type CollectionDeps = LiveListDeps & Server;

/** Opens a collection: loads the source's rows, applies the feed's events to them, and compares them with the server's rows. */
export function openCollection<T>(
  deps: CollectionDeps,
  source: Source<T>,
  options: CollectionOptions<T>,
): Collection<T> {
  const {
    idOf,
    versionOf,
    loadOne,
    checksum,
    compareEveryMs,
    select = (all) => [...all],
    show = (row) => row,
  } = source;
  const rows = signal<readonly T[]>([]);
  const state = signal<CollectionState>('loading');
  const feedState = signal<FeedState>({ kind: 'connecting' });
  const failure = signal<CallFailure | null>(null);
  const loadedAtMs = signal(0);
  const listeners = new Set<(changed: Changes<T>) => void>();
  /** True if some rows are from an earlier visit, or from before a gap in the feed. */
  let hasEarlierRows = false;
  /** The last number that was given as a version to a row from a source without versions. */
  let arrivals = 1;
  let gaps = 0;
  const toEntry = (row: T, arrival = ++arrivals): Entry<T> => {
    const id = idOf(row);
    if (versionOf) return { id, version: versionOf(row), row };
    const before = list.find(id);
    const isSame = before !== undefined && JSON.stringify(before.row) === JSON.stringify(row);
    return isSame ? before : { id, version: arrival, row };
  };
  const changesOf = createChangeDetector(rowOf<T>);
  function stateNow(): CollectionState {
    if (list.isComplete()) return 'complete';
    if (list.isRead()) return 'loaded';
    return hasEarlierRows ? 'stale' : 'loading';
  }
  const list: LiveList<Entry<T>> = createLiveList<Entry<T>>(deps, {
    handlers: {
      ...(compareEveryMs !== undefined && { compareEveryMs }),
      ...options,
      onEvent: (event) => {
        options.onEvent?.(event);
        const changed = source.changedBy?.(event) ?? null;
        if (changed !== null) void loadAgain(changed);
      },
      onStanding: (standing) => {
        if (standing.status === 'gap') gaps++;
        options.onStanding?.(standing);
      },
      onState: (next) => {
        options.onState?.(next);
        feedState.value = next;
      },
    },
    readList: async function* readEntries(callOptions) {
      // All rows from one load get the same number, so a row that is applied during the load counts as newer.
      const arrival = ++arrivals;
      for await (const page of source.load(deps, callOptions)) yield page.map((row) => toEntry(row, arrival));
    },
    ...(loadOne && {
      readOne: async (id, callOptions) => {
        const row = await loadOne(deps, Number(id), callOptions).catch(nullIfNotFound);
        return row && toEntry(row);
      },
    }),
    fromEvent: (event) => {
      const row = source.rowIn?.(event, (id) => list.find(id)?.row) ?? null;
      return row && toEntry(row);
    },
    known: options.known?.map((row) => ({ id: idOf(row), version: versionOf?.(row) ?? 1, row })),
    select: (entries) => {
      const byRow = new Map(entries.map((entry) => [entry.row, entry]));
      return select([...byRow.keys()], deps).flatMap((row) => byRow.get(row) ?? []);
    },
    ...(checksum && { checksum: checksum.name, isCounted: ({ row }) => checksum.includes(row) }),
    isPublic: source.isPublic,
    pollEveryMs: compareEveryMs,
    onChange: (from) => {
      const entries = shownEntries();
      hasEarlierRows = entries.length > 0 && (hasEarlierRows || from === 'known' || list.isRead());
      batch(() => {
        rows.value = entries.map(rowOf);
        state.value = stateNow();
      });
      const changes = changesOf(entries);
      for (const listener of listeners) listener({ changes, source: from });
    },
    onRead: (next, startedAtMs) =>
      batch(() => {
        failure.value = next;
        if (next === null) loadedAtMs.value = startedAtMs;
      }),
  });
  async function loadAgain(id: number, loading = loadOne?.(deps, id, {})): Promise<void> {
    const gapsBefore = gaps;
    try {
      const row = await loading;
      // After a gap, the whole list is loaded. If this request started before the gap, its row may have a version that no
      // longer exists.
      if (row && gaps === gapsBefore) list.apply(toEntry(row));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // the next comparison with the server loads the row
    }
  }
  const shownEntries = (): Entry<T>[] => list.shown().map((entry) => ({ ...entry, row: show(entry.row, deps) }));
  const { feed, remove, close } = list;
  return {
    rows,
    state,
    current: { rows: () => shownEntries().map(rowOf), state: stateNow },
    isLoaded: computed(() => state.value === 'loaded' || state.value === 'complete'),
    feedState,
    failure,
    loadedAtMs,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: (id, loading) => (id === undefined ? list.load() : loadAgain(id, loading)),
    apply: (row) => list.apply(toEntry(row)),
    remove,
    feed,
    close,
  };
}

/** Returns null for the error `not_found`, because the row may no longer exist. Throws all other errors. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof CallFailure && error.code === 'not_found') return null;
  throw error;
}
