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
 * `loading`: there may be other rows: don't show a count or an empty list. `stale`: the same, and the rows are those from before a
 * gap in the feed or from an earlier visit. `loaded`: all rows were loaded, but changes may not have arrived yet. `complete`: all
 * rows were loaded while the feed was live, and its events have been applied since.
 */
export type CollectionState = 'loading' | 'stale' | 'loaded' | 'complete';
export type Changes<T> = { changes: readonly Change<T>[]; source: ChangeSource };

/** Rows that stay up to date while the collection is open. The responses to this client's own calls are in it immediately. */
export type Collection<T> = {
  rows: ReadonlySignal<readonly T[]>;
  state: ReadonlySignal<CollectionState>;
  /** True if the whole list is known: the state is `loaded` or `complete`. */
  isLoaded: ReadonlySignal<boolean>;
  /** The state to show on a screen: that of the feed, but `live` only while the collection is complete. */
  feedState: ReadonlySignal<FeedState>;
  /** Why the rows could not be loaded last time; null after a load that succeeded. Loading is retried. */
  failure: ReadonlySignal<CallFailure | null>;
  /**
   * Calls `listener` after each change to the rows, with the differences. To alert a person, use these and not events, which may
   * arrive twice or late. Do not alert before the collection is complete, or about a change whose source is `answer`.
   */
  onChange: (listener: (changed: Changes<T>) => void) => () => void;
  /** When the last load that succeeded was started, in milliseconds of the server's time; 0 before. The rows are not older. */
  loadedAtMs: ReadonlySignal<number>;
  /** Loads the rows again now, or one of them. Resolves after the load, even if it failed: see `failure`. */
  load: (id?: number) => Promise<void>;
  /** Applies a row if it is newer than the collection's. The client does so with the rows in the responses to its own calls. */
  apply: (row: T) => void;
  remove: (id: number | string) => void;
  feed: Feed;
  close: () => void;
};
export type CollectionOptions<T> = LiveListHandlers & {
  /** The rows stored on the device from an earlier visit. They are shown until the server's have been loaded. */
  known?: readonly T[] | undefined;
};
type Entry<T> = { id: number | string; version: number; row: T };
export type CollectionDeps = LiveListDeps & Server;

/** Follows the rows of a source: loads them, applies the feed's events, and compares them with the server's. */
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
  /** Some rows are from an earlier visit, or from before a gap. */
  let hasEarlierRows = false;
  /** The last version given to a row without one. */
  let arrivals = 1;
  let gaps = 0;
  const toEntry = (row: T, arrival = ++arrivals): Entry<T> => {
    const id = idOf(row);
    if (versionOf) return { id, version: versionOf(row), row };
    const before = list.find(id);
    const isSame = before !== undefined && JSON.stringify(before.row) === JSON.stringify(row);
    return isSame ? before : { id, version: arrival, row };
  };
  const shown = ({ row }: Entry<T>): T => show(row, deps);
  const changesOf = createChangeDetector(shown);
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
      // What is applied while the rows are loading is newer than they are.
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
      const entries = list.shown();
      hasEarlierRows = entries.length > 0 && (hasEarlierRows || from === 'known' || list.isRead());
      batch(() => {
        rows.value = entries.map(shown);
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
  async function loadAgain(id: number): Promise<void> {
    const gapsBefore = gaps;
    try {
      const row = await loadOne?.(deps, id, {});
      // After a gap, the whole list is loaded. A row from before it may have a version that no longer exists.
      if (row && gaps === gapsBefore) list.apply(toEntry(row));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // the next comparison loads it
    }
  }
  const { feed, remove, close } = list;
  return {
    rows,
    state,
    isLoaded: computed(() => state.value === 'loaded' || state.value === 'complete'),
    feedState,
    failure,
    loadedAtMs,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: (id) => (id === undefined ? list.load() : loadAgain(id)),
    apply: (row) => list.apply(toEntry(row)),
    remove,
    feed,
    close,
  };
}

/** Turns `not_found` into null, for rows that may no longer exist. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof CallFailure && error.code === 'not_found') return null;
  throw error;
}
