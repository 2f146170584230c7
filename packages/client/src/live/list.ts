import type { FeedChecksums } from '@comanda/contracts/feed';
import { CallFailure } from '../call-failure.ts';
import type { CallOptions } from '../calls/call-types.ts';
import type { Feed, FeedEvent, FeedHandlers, FeedStanding } from '../feed/feed-types.ts';
import { createAgreement } from './agreement.ts';
import { createComparison } from './comparison.ts';
import type { Drift } from './drift.ts';
import { createLatestVersions, type Versioned } from './latest-versions.ts';
import { createListState } from './list-state.ts';
import { createReadLoop, pauseBetweenComparisons } from './read-loop.ts';
import type { Who } from '../session/session.ts';

export type LiveListDeps = {
  feed: (handlers: FeedHandlers) => Feed;
  who: () => Who | null;
  onWho: (listener: (who: Who | null) => void) => () => void;
};
export type LiveListHandlers = Pick<FeedHandlers, 'onStanding' | 'quietMs'> & {
  /**
   * Called with the list's initial state for the screen, and with each new state. This is the feed's state, except that it is
   * `live` only while the list is complete. While the list is incomplete, orders may be missing that no event will deliver.
   */
  onState?: FeedHandlers['onState'];
  /**
   * Called with every event in the feed. To alert a person, use the changes from `onChange` instead, because events may arrive
   * twice or late.
   */
  onEvent?: (event: FeedEvent) => void;
  /** Tracks the resources that a comparison with the server found before the feed delivered them. */
  drift?: Drift | undefined;
  /**
   * How often to compare the list with the server's by fetching it, in milliseconds. The default is 30,000. If the server's
   * checksum matches, the list is not fetched. After a slow fetch, the next one starts after at least nine times the fetch's
   * duration. While the feed is not live, the interval is at most 10,000, unless the list's source sets a longer one. While no
   * user is signed in, a public list is fetched every 60,000 ms.
   */
  compareEveryMs?: number;
};
/** The difference between a resource now and at the previous call of `onChange`. */
export type Change<T> =
  | { kind: 'added'; after: T }
  | { kind: 'changed'; before: T; after: T }
  | { kind: 'removed'; before: T };
/**
 * The source of a change. `server`: the feed or the server's list. `answer`: a call of `apply` or `remove`, after the user's
 * own action. `known`: the list that was stored on the device.
 */
export type ChangeSource = 'server' | 'answer' | 'known';
type Options<T extends Versioned> = {
  handlers: LiveListHandlers;
  readList: (options: CallOptions) => AsyncIterable<readonly T[]>;
  /** Fetches one resource. Returns null if the resource no longer exists. Absent if only the whole list can be fetched. */
  readOne?: ((id: T['id'], options: CallOptions) => Promise<T | null>) | undefined;
  /** Returns the resource in an event, or null if the event contains none for this list. */
  fromEvent: (event: FeedEvent) => T | null;
  /**
   * The name of the server's checksum for this list. `isCounted` selects the resources that the checksum covers. Without a
   * checksum, each comparison fetches the list.
   */
  checksum?: keyof FeedChecksums;
  isCounted?: (resource: T) => boolean;
  /** The list as it was last stored on this device. It is shown until the list has been fetched. */
  known?: readonly T[] | undefined;
  /** Returns the resources that belong in the list. All others are removed before the next comparison. */
  select: (resources: T[]) => T[];
  onChange: (source: ChangeSource) => void;
  /** True if the server returns the list even when no user is signed in. */
  isPublic?: boolean | undefined;
  /** The maximum time between fetches while the feed is not live, in milliseconds. The default is 10,000. */
  pollEveryMs?: number | undefined;
  /** Called after each fetch with its failure, or null if it succeeded, and with the server's time when the fetch started. */
  onRead?: (failure: CallFailure | null, startedAtMs: number) => void;
};
export type LiveList<T extends Versioned> = {
  shown: () => T[];
  feed: Feed;
  isRead: () => boolean;
  isComplete: () => boolean;
  find: (id: T['id']) => T | undefined;
  apply: (resource: T) => void;
  remove: (id: T['id']) => void;
  /** Fetches the list again now. Resolves after the fetch, even if it fails, or immediately if this user may not fetch it. */
  load: () => Promise<void>;
  close: () => void;
};

const defaultCompareEveryMs = 30_000;
/** The interval between comparisons of checksums, in milliseconds. It is short because such a comparison needs no request. */
const compareChecksumsEveryMs = 5000;
/** The default for `pollEveryMs`, in milliseconds. It is short because the screen depends on fetches without a live feed. */
const defaultPollEveryMs = 10_000;
/** The interval between fetches while no user is signed in, in milliseconds. Visitors can wait a minute for changes. */
const signedOutPollEveryMs = 60_000;

/**
 * Creates a list that the feed keeps up to date.
 *
 * The list is fetched immediately, so there is something to show before the feed is live. It is complete after a fetch during
 * which the feed was live from start to end, because any later change arrives as an event. The list is fetched again after the
 * device has slept, and for each comparison unless the server's checksum matches. A gap, a new connection or a change of user
 * aborts a running fetch. After a gap, the old content stays visible until the list has been fetched again.
 *
 * No listener is called before this function has returned.
 */
export function createLiveList<T extends Versioned>(deps: LiveListDeps, options: Options<T>): LiveList<T> {
  const { handlers, fromEvent, select, checksum, isCounted = () => false } = options;
  const { drift } = handlers;
  const agreement = createAgreement(() => (checksum && feed.checksums()?.[checksum]) ?? null);
  const resources = createLatestVersions<T>({ isCounted, onChecksum: agreement.note });
  const state = { isRead: false, isComplete: false, isLive: false, isInGap: false, isToRead: true, isClosed: false };
  const shown = (): T[] => select(resources.all());
  const report = (source: ChangeSource): void => {
    if (!state.isClosed) options.onChange(source);
  };
  const { schedule: onChange, flush } = oncePerTurn(() => report('server'));
  const { onState, quietMs } = handlers;
  const listState = createListState({ onState, quietMs, now: () => feed.now() });

  const comparison = createComparison<T>({
    ...options,
    resources,
    shown,
    onListed: (resource) => {
      if (!resources.apply(resource)) return;
      if (state.isComplete && state.isLive) drift?.expect(resource);
      onChange();
    },
    onChange,
  });
  /** Functions that resolve the promises of `load` calls. They are called when the next fetch ends. */
  const loading: (() => void)[] = [];
  function onRead(failure: CallFailure | null, startedAtMs: number): void {
    options.onRead?.(failure, startedAtMs);
    for (const resolve of loading.splice(0)) resolve();
  }
  function stopReading(): void {
    reads.stop();
    for (const resolve of loading.splice(0)) resolve();
  }
  const reads = createReadLoop(async (signal) => {
    const { compareEveryMs = defaultCompareEveryMs } = handlers;
    if (!state.isToRead && state.isComplete && state.isLive && agreement.holds()) {
      listState.complete();
      return Math.min(compareEveryMs, compareChecksumsEveryMs);
    }
    const isLiveFromTheBeginning = state.isLive;
    const endRead = agreement.beginRead();
    const startedAt = performance.now();
    const startedAtMs = feed.now();
    const findUnlisted = await comparison.readAll(signal).catch((error: unknown) => {
      if (!signal.aborted) listState.fail();
      if (!signal.aborted && error instanceof CallFailure) onRead(error, startedAtMs);
      throw error;
    });
    if (!state.isRead) onChange();
    state.isRead = true;
    // Without a signed-in user, there is no feed, so the list never becomes complete. The fetched list still replaces older
    // data.
    if (!deps.who() && resources.removeDistrusted()) onChange();
    if (isLiveFromTheBeginning && state.isLive) {
      if (resources.removeDistrusted() || !state.isComplete) onChange();
      state.isComplete = true;
      state.isToRead = false;
      endRead();
    }
    flush();
    if (state.isComplete) listState.complete();
    onRead(null, startedAtMs);
    await findUnlisted();
    drift?.schedule();
    if (!deps.who()) return signedOutPollEveryMs;
    if (!state.isLive) return Math.min(compareEveryMs, options.pollEveryMs ?? defaultPollEveryMs);
    return state.isComplete ? pauseBetweenComparisons(compareEveryMs, performance.now() - startedAt) : 0;
  });
  const mayRead = (): boolean => options.isPublic === true || deps.who() !== null;
  const startRead = (): void => {
    state.isToRead = true;
    if (!state.isClosed && mayRead()) reads.restart();
    else stopReading();
  };
  const load = (): Promise<void> =>
    new Promise((resolve) => {
      loading.push(resolve);
      startRead();
    });

  function applyEvent(event: FeedEvent): void {
    handlers.onEvent?.(event);
    const resource = fromEvent(event);
    if (!resource) return;
    drift?.arrived(resource);
    if (resources.apply(resource)) onChange();
  }
  function applyStanding(standing: FeedStanding): void {
    const { status } = standing;
    const isAfterGap = state.isInGap;
    state.isLive = status === 'live';
    state.isInGap = status === 'gap';
    if (status === 'gap') {
      forgetComparison();
      resources.distrust();
    }
    handlers.onStanding?.(standing);
    if (status === 'connecting' && reads.isReading()) startRead();
    const isToRead = isAfterGap || (status === 'live' && !state.isComplete);
    if (isToRead && status !== 'gap' && !reads.isReading()) startRead();
  }
  /** Handles a change of user. Removes the previous user's data, unless the list is public. */
  function applyWho(): void {
    forgetComparison();
    if (options.isPublic) resources.distrust();
    else resources.clear();
    if (mayRead()) startRead();
  }
  /** Shows the list that was stored on the device. Everything that the server sends replaces it, as after a gap. */
  function showCached(): void {
    if (!options.known || options.known.length === 0 || !mayRead()) return;
    for (const resource of options.known) resources.apply(resource);
    resources.distrust();
    report('known');
  }
  function forgetComparison(): void {
    reads.stop();
    state.isRead = false;
    state.isComplete = false;
    listState.lose();
    drift?.clear();
    comparison.forget();
    agreement.forget();
    onChange();
  }

  const feed: Feed = deps.feed({
    onEvent: applyEvent,
    onStanding: applyStanding,
    onAwake: startRead,
    onState: onState && listState.takeFeed,
    quietMs,
  });
  const stopListening = deps.onWho(applyWho);
  queueMicrotask(() => {
    showCached();
    if (!reads.isReading()) startRead();
  });
  return {
    shown,
    feed,
    isRead: () => state.isRead,
    isComplete: () => state.isComplete,
    find: resources.find,
    load,
    apply: (resource) => {
      flush();
      if (resources.apply(resource)) report('answer');
    },
    remove: (id) => {
      flush();
      resources.retire(resources.all().filter((resource) => resource.id === id));
      report('answer');
    },
    close: () => {
      state.isClosed = true;
      drift?.close();
      listState.close();
      stopReading();
      stopListening();
      feed.close();
    },
  };
}

/**
 * Returns two functions. `schedule` makes sure that `listener` is called once after the current code has run, even if `schedule`
 * is called several times. `flush` makes a scheduled call immediately.
 */
function oncePerTurn(listener: () => void): { schedule: () => void; flush: () => void } {
  let isScheduled = false;
  function flush(): void {
    if (!isScheduled) return;
    isScheduled = false;
    listener();
  }
  return {
    schedule: () => {
      if (!isScheduled) queueMicrotask(flush);
      isScheduled = true;
    },
    flush,
  };
}

/**
 * Creates a function that compares the resources by version with those from its previous call, and returns the differences.
 * `shown` converts each resource in the differences.
 */
export function createChangeDetector<T extends Versioned, R>(
  shown: (resource: T) => R,
): (all: readonly T[]) => Change<R>[] {
  let last = new Map<T['id'], T>();
  return (all) => {
    const now = new Map<T['id'], T>(all.map((resource) => [resource.id, resource]));
    const changes: Change<R>[] = [];
    for (const [id, after] of now) {
      const before = last.get(id);
      if (!before) changes.push({ kind: 'added', after: shown(after) });
      else if (before.version !== after.version)
        changes.push({ kind: 'changed', before: shown(before), after: shown(after) });
    }
    for (const [id, before] of last) if (!now.has(id)) changes.push({ kind: 'removed', before: shown(before) });
    last = now;
    return changes;
  };
}
