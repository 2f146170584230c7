import { CallFailure } from './call-failure.ts';
import type { CallOptions, CallsByName } from './call-types.ts';
import type { Feed, FeedEvent, FeedHandlers, FeedStanding } from './feed.ts';
import { createLatestVersions } from './latest-versions.ts';
import { jittered } from './random.ts';
import type { Pages } from './read-pages.ts';
import type { Who } from './session.ts';

export type LiveListDeps = {
  feed: (handlers: FeedHandlers) => Feed;
  calls: CallsByName;
  pages: Pages;
  who: () => Who | null;
  onWho: (listener: (who: Who | null) => void) => () => void;
};
export type LiveListHandlers = {
  onStanding?: (standing: FeedStanding) => void;
  /** Every event of the feed. To alert a person, use the changes of `onChange`: events may come twice or late. */
  onEvent?: (event: FeedEvent) => void;
  /** A comparison with the list found what the feed did not bring. It is applied, and reported here. */
  onDrift?: (ids: readonly number[]) => void;
  /** How often the list is read to compare, in milliseconds; 30,000 by default. While the feed is not live, every 10,000 at the latest. */
  compareEveryMs?: number;
};
/** How one resource of the list differs from what `onChange` was told before. */
export type Change<T> =
  | { kind: 'added'; after: T }
  | { kind: 'changed'; before: T; after: T }
  | { kind: 'removed'; before: T };
type Versioned = { id: number; version: number };
type Options<T extends Versioned> = {
  handlers: LiveListHandlers;
  readList: (options: CallOptions) => AsyncIterable<readonly T[]>;
  /** Returns null if the resource does not exist any more. */
  readOne: (id: number, options: CallOptions) => Promise<T | null>;
  /** The resource that an event brings, if it is of this list. */
  fromEvent: (event: FeedEvent) => T | null;
  /** The resources that belong to the list. The others are forgotten before the next comparison. */
  select: (resources: T[]) => T[];
  onChange: () => void;
};
export type LiveList<T extends Versioned> = {
  shown: () => T[];
  feed: Feed;
  isComplete: () => boolean;
  close: () => void;
};

/** The longest that the feed may be behind the list without that being drift, in milliseconds. */
const maxFeedLagMs = 3000;
const defaultCompareEveryMs = 30_000;
/** The list is all that a screen has while the feed is not live. */
const maxCompareEveryMsWithoutFeed = 10_000;
const retryAfterMs = 2000;

/**
 * A list that the feed keeps up to date.
 *
 * It is read at once, so that there is something to show before the feed is live. It is complete when it was read once
 * while the feed was live from the beginning to the end of that read: what changes after a page was asked for comes as an
 * event. It is read again to compare. A gap, a new connection or another user ends a read that is on its way, and that
 * read completes nothing. What was there before a gap is shown until the list has been read again.
 */
export function createLiveList<T extends Versioned>(deps: LiveListDeps, options: Options<T>): LiveList<T> {
  const { handlers, readList, readOne, fromEvent, select } = options;
  const resources = createLatestVersions<T>();
  /** Versions that the list had before the feed, by id. They are drift if the feed does not bring them soon. */
  const notYetInFeed = new Map<number, { version: number; at: number }>();
  /** Versions that the last comparison could not find on the server, by id. */
  let doubted = new Map<number, number>();
  let isComplete = false;
  let isLive = false;
  let isClosed = false;
  let reading: AbortController | null = null;
  let nextRead: ReturnType<typeof setTimeout> | undefined;
  let driftReport: ReturnType<typeof setTimeout> | undefined;
  const shown = (): T[] => select(resources.all());
  const onChange = oncePerTurn(() => {
    if (!isClosed) options.onChange();
  });

  function applyFromList(resource: T): void {
    if (!resources.apply(resource)) return;
    if (isComplete && isLive) notYetInFeed.set(resource.id, { version: resource.version, at: performance.now() });
    onChange();
  }
  function applyFromEvent(event: FeedEvent): void {
    handlers.onEvent?.(event);
    const resource = fromEvent(event);
    if (!resource) return;
    const listVersion = notYetInFeed.get(resource.id)?.version ?? Infinity;
    if (listVersion <= resource.version) notYetInFeed.delete(resource.id);
    if (resources.apply(resource)) onChange();
  }
  function applyStanding(standing: FeedStanding): void {
    const { status } = standing;
    isLive = status === 'live';
    if (status === 'gap') forgetComparison();
    if (status === 'gap') resources.distrust();
    handlers.onStanding?.(standing);
    if (status === 'connecting' && reading) startRead();
    if (status === 'live' && !isComplete && !reading) startRead();
  }
  /** Another user: nothing of the last one may be left. */
  function applyWho(who: Who | null): void {
    forgetComparison();
    resources.clear();
    if (who) startRead();
  }
  function forgetComparison(): void {
    stopReading();
    isComplete = false;
    notYetInFeed.clear();
    doubted.clear();
    onChange();
  }

  async function compare(signal: AbortSignal): Promise<void> {
    const isLiveFromTheBeginning = isLive;
    const kept = new Set(shown());
    resources.retire(resources.all().filter((resource) => !kept.has(resource)));
    const before = new Map(resources.all().map(({ id, version }) => [id, version]));
    const listed = new Map<number, number>();
    for await (const page of readList({ signal })) {
      // A page may arrive in the turn in which the read was ended.
      signal.throwIfAborted();
      for (const resource of page) {
        listed.set(resource.id, resource.version);
        applyFromList(resource);
      }
    }
    signal.throwIfAborted();
    if (isLiveFromTheBeginning && isLive) {
      if (resources.removeDistrusted() || !isComplete) onChange();
      isComplete = true;
    }
    const isUnlisted = ({ id, version }: T): boolean => before.get(id) === version && (listed.get(id) ?? 0) < version;
    await findUnlisted(shown().filter(isUnlisted), signal);
    scheduleDriftReport();
  }
  /**
   * Asks for each of these. What the server has in a lower version, or not at all, is believed at the second comparison: a
   * database that has just lost its primary may answer with an older state, and no order may leave a screen for that.
   */
  async function findUnlisted(unlisted: readonly T[], signal: AbortSignal): Promise<void> {
    const doubtedBefore = doubted;
    doubted = new Map();
    for (const { id, version } of unlisted) {
      const found = await readOne(id, { signal });
      signal.throwIfAborted();
      if (found && found.version >= version) applyFromList(found);
      else if (doubtedBefore.get(id) !== version) doubted.set(id, version);
      else {
        if (found) resources.replace(found);
        else resources.remove(id);
        onChange();
      }
    }
  }
  function scheduleDriftReport(): void {
    if (notYetInFeed.size > 0) driftReport ??= setTimeout(reportDrift, maxFeedLagMs);
  }
  function reportDrift(): void {
    driftReport = undefined;
    const isDue = ({ at }: { at: number }): boolean => performance.now() - at >= maxFeedLagMs;
    const ids = [...notYetInFeed].filter(([, version]) => isDue(version)).map(([id]) => id);
    for (const id of ids) notYetInFeed.delete(id);
    if (ids.length > 0) handlers.onDrift?.(ids);
    scheduleDriftReport();
  }

  function stopReading(): void {
    reading?.abort();
    reading = null;
    clearTimeout(nextRead);
  }
  function startRead(): void {
    stopReading();
    if (!isClosed && deps.who()) void read();
  }
  async function read(): Promise<void> {
    const own = new AbortController();
    reading = own;
    let pauseMs = handlers.compareEveryMs ?? defaultCompareEveryMs;
    try {
      await compare(own.signal);
      if (!isLive) pauseMs = Math.min(pauseMs, maxCompareEveryMsWithoutFeed);
      else if (!isComplete) pauseMs = 0;
    } catch (error) {
      if (own.signal.aborted) return;
      if (!(error instanceof CallFailure)) throw error;
      pauseMs = error.retryAfterMs ?? retryAfterMs;
    } finally {
      if (reading === own) {
        reading = null;
        nextRead = setTimeout(startRead, jittered(pauseMs));
      }
    }
  }

  const feed = deps.feed({ onEvent: applyFromEvent, onStanding: applyStanding });
  const stopListening = deps.onWho(applyWho);
  // The caller does not have the list yet, which its functions may need.
  queueMicrotask(() => {
    if (!reading) startRead();
  });
  return {
    shown,
    feed,
    isComplete: () => isComplete,
    close: () => {
      isClosed = true;
      clearTimeout(driftReport);
      stopReading();
      stopListening();
      feed.close();
    },
  };
}

/** Calls `listener` once, at the end of the turn of the event loop, however often it is asked for. */
function oncePerTurn(listener: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      listener();
    });
  };
}

/** Returns what differs from `all` of the last call. A resource differs by its version. */
export function createChangeDetector<T extends Versioned>(): (all: readonly T[]) => Change<T>[] {
  let last = new Map<number, T>();
  return (all) => {
    const now = new Map(all.map((resource) => [resource.id, resource]));
    const changes: Change<T>[] = [];
    for (const [id, after] of now) {
      const before = last.get(id);
      if (!before) changes.push({ kind: 'added', after });
      else if (before.version !== after.version) changes.push({ kind: 'changed', before, after });
    }
    for (const [id, before] of last) if (!now.has(id)) changes.push({ kind: 'removed', before });
    last = now;
    return changes;
  };
}

/** For reads of a resource that may not exist any more. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof CallFailure && error.code === 'not_found') return null;
  throw error;
}
