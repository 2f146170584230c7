import { CallFailure } from './call-failure.ts';
import type { CallsByName } from './call-types.ts';
import type { Feed, FeedEvent, FeedHandlers, FeedStanding } from './feed.ts';
import { createLatestVersions } from './latest-versions.ts';
import { jittered } from './random.ts';
import type { Pages } from './read-pages.ts';
import type { Who } from './session.ts';
import { wait } from './wait.ts';

export type LiveListDeps = {
  feed: (handlers: FeedHandlers) => Feed;
  calls: CallsByName;
  pages: Pages;
  who: () => Who | null;
};
export type LiveListHandlers = {
  onStanding?: (standing: FeedStanding) => void;
  /** Every event of the feed, for example to make a sound. */
  onEvent?: (event: FeedEvent) => void;
  /** A comparison with the list found what the feed did not bring. It is applied, and reported here. */
  onDrift?: (ids: readonly number[]) => void;
  /** How often the list is read to compare, in milliseconds; 30,000 by default. */
  compareEveryMs?: number;
};
type Versioned = { id: number; version: number };
type Options<T extends Versioned> = {
  handlers: LiveListHandlers;
  readList: () => AsyncIterable<readonly T[]>;
  /** Returns null if the resource does not exist any more. */
  readOne: (id: number) => Promise<T | null>;
  /** The resource that an event brings, if it is of this list. */
  fromEvent: (event: FeedEvent) => T | null;
  isShown: (resource: T) => boolean;
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
const retryAfterMs = 2000;

/**
 * A list that the feed keeps up to date. It connects first and reads the list then, so that nothing is missed in
 * between. After a gap, and to compare, it reads the list again.
 */
export function createLiveList<T extends Versioned>(
  { feed: openFeed }: LiveListDeps,
  options: Options<T>,
): LiveList<T> {
  const { handlers, readList, readOne, fromEvent, isShown } = options;
  const resources = createLatestVersions<T>();
  /** Versions that the list had before the feed, by id. They are drift if the feed does not bring them soon. */
  const notYetInFeed = new Map<number, number>();
  const state = { isComplete: false, isReading: false, mustReadAgain: false, isClosed: false };
  const onChange = oncePerTurn(() => {
    if (!state.isClosed) options.onChange();
  });
  let nextRead: ReturnType<typeof setTimeout> | undefined;

  function applyFromList(resource: T): void {
    if (!resources.apply(resource)) return;
    if (state.isComplete) notYetInFeed.set(resource.id, resource.version);
    onChange();
  }
  function applyFromEvent(event: FeedEvent): void {
    handlers.onEvent?.(event);
    const resource = fromEvent(event);
    if (!resource) return;
    const listVersion = notYetInFeed.get(resource.id);
    if (listVersion !== undefined && listVersion <= resource.version) notYetInFeed.delete(resource.id);
    if (resources.apply(resource)) onChange();
  }
  function applyStanding(standing: FeedStanding): void {
    if (standing.status === 'gap') {
      resources.clear();
      state.isComplete = false;
      onChange();
    }
    handlers.onStanding?.(standing);
    if (standing.status === 'live' && !state.isComplete) void read();
  }

  async function compare(): Promise<void> {
    const before = new Map(resources.all().map(({ id, version }) => [id, version]));
    const listedIds = new Set<number>();
    for await (const page of readList())
      for (const resource of page) {
        listedIds.add(resource.id);
        applyFromList(resource);
      }
    const missing = resources
      .all()
      .filter((each) => isShown(each) && !listedIds.has(each.id) && before.get(each.id) === each.version);
    for (const { id } of missing) {
      const resource = await readOne(id);
      if (resource) applyFromList(resource);
      else if (resources.remove(id)) onChange();
    }
    if (!state.isComplete) onChange();
    state.isComplete = true;
    await wait(maxFeedLagMs);
    if (notYetInFeed.size > 0) handlers.onDrift?.([...notYetInFeed.keys()]);
    notYetInFeed.clear();
  }
  async function read(): Promise<void> {
    if (state.isReading) {
      state.mustReadAgain = true;
      return;
    }
    clearTimeout(nextRead);
    state.isReading = true;
    state.mustReadAgain = false;
    let pauseMs = handlers.compareEveryMs ?? defaultCompareEveryMs;
    try {
      await compare();
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      pauseMs = error.retryAfterMs ?? retryAfterMs;
    } finally {
      state.isReading = false;
    }
    if (state.isClosed) return;
    if (state.mustReadAgain) return read();
    nextRead = setTimeout(() => void read(), jittered(pauseMs));
  }

  const feed = openFeed({ onEvent: applyFromEvent, onStanding: applyStanding });
  return {
    shown: () => resources.all().filter(isShown),
    feed,
    isComplete: () => state.isComplete,
    close: () => {
      state.isClosed = true;
      clearTimeout(nextRead);
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

/** For reads of a resource that may not exist any more. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof CallFailure && error.code === 'not_found') return null;
  throw error;
}
