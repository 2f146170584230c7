import { computed, signal, type ReadonlySignal } from '@preact/signals-core';
import type { OrderStatus } from '@comanda/contracts/order';
import type { CallFailure } from '../call-failure.ts';
import type { FeedState } from '../feed/feed-types.ts';
import { follow, type Followed } from './follow.ts';
import type { Change, ChangeSource, LiveListDeps } from './list.ts';
import type { ResourceName, Resources, Source } from './resources.ts';

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
  /** Loads the rows again now. Resolves after the load, even if it failed: see `failure`. */
  load: () => Promise<void>;
  close: () => void;
};
export type CollectionOptions<N extends ResourceName> = {
  /** The rows stored on the device from an earlier visit. They are shown until the server's have been loaded. */
  known?: readonly Resources[N][] | undefined;
  /** How long `feedState` does not report a lost connection, in milliseconds; by default 3,000. */
  quietMs?: number;
} & (N extends 'orders'
  ? {
      /** Only orders with one of these statuses; by default all, and of finished ones the newest 200 of the last 12 hours. */
      statuses?: readonly OrderStatus[];
    }
  : unknown);

/** Opens a collection over a source. `followed` also takes the responses to calls. */
export function openCollection<T>(
  deps: LiveListDeps,
  source: Source<T>,
  { known, quietMs }: { known?: readonly T[] | undefined; quietMs?: number | undefined },
): { collection: Collection<T>; followed: Followed<T> } {
  const rows = signal<readonly T[]>([]);
  const state = signal<CollectionState>('loading');
  const feedState = signal<FeedState>({ kind: 'connecting' });
  const failure = signal<CallFailure | null>(null);
  const loadedAtMs = signal(0);
  const listeners = new Set<(changed: Changes<T>) => void>();
  const stateNow = (): CollectionState => {
    if (followed.isComplete()) return 'complete';
    if (followed.isRead()) return 'loaded';
    return rows.peek().length > 0 && (state.peek() !== 'loading' || known !== undefined) ? 'stale' : 'loading';
  };
  const followed = follow(deps, source, {
    known,
    quietMs,
    onState: (next) => (feedState.value = next),
    onRead: (next, startedAtMs) => {
      failure.value = next;
      if (next === null) loadedAtMs.value = startedAtMs;
    },
    onChange: (next, changes, from) => {
      rows.value = next;
      state.value = stateNow();
      for (const listener of listeners) listener({ changes, source: from });
    },
  });
  const collection: Collection<T> = {
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
    load: followed.load,
    close: followed.close,
  };
  return { collection, followed };
}
