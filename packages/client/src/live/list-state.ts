import type { FeedState } from '../feed/feed-types.ts';

/** How long fetching a list may take before a warning, in milliseconds, at the start and after a gap. */
const defaultQuietMs = 3000;
/** How long comparisons may fail before a warning, in milliseconds. During this time, the feed still delivers changes. */
const comparedWithinMs = 30_000;
const checkEveryMs = 1000;

/**
 * `before` is the previous state. `missing` is null if the list counts as complete. Otherwise, the list may be incomplete since
 * `sinceMs`, by the server's clock, and `isLong` is true once this has lasted long enough for a warning.
 */
type Rule = { before: FeedState; missing: { sinceMs: number; isLong: boolean } | null };

/** Returns the list's state for the screen. This is the feed's state, except that it is `live` only if the list is complete. */
export function listStateOf(feed: FeedState, { before, missing }: Rule): FeedState {
  if (feed.kind !== 'live' || !missing) return feed;
  if (missing.isLong) return { kind: 'not_live', sinceMs: missing.sinceMs, why: 'unread' };
  return before.kind === 'connecting' ? before : { kind: 'catching_up', count: 0 };
}

type Options = {
  onState: ((state: FeedState) => void) | undefined;
  quietMs: number | undefined;
  /** Returns the server's time, in milliseconds since the epoch. */
  now: () => number;
};
/** Creates the reporter that calls `onState` with the list's state after each change. A new list is incomplete at first. */
export function createListState({ onState, quietMs = defaultQuietMs, now }: Options) {
  let feed: FeedState = { kind: 'connecting' };
  let reported: FeedState | null = null;
  let unreadSince: number | null = performance.now();
  let failingSince: number | null = null;
  let liveSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function missing(): Rule['missing'] {
    const since = unreadSince ?? failingSince;
    if (since === null) return null;
    const at = performance.now();
    const sinceMs = now() - (at - since);
    const liveWithoutMs = at - Math.max(since, liveSince);
    if (unreadSince !== null) return { sinceMs, isLong: liveWithoutMs >= quietMs };
    return liveWithoutMs < comparedWithinMs ? null : { sinceMs, isLong: true };
  }
  function tell(): void {
    if (!onState) return;
    clearTimeout(timer);
    const next = listStateOf(feed, { before: reported ?? { kind: 'connecting' }, missing: missing() });
    if (feed.kind === 'live' && (unreadSince ?? failingSince) !== null) timer = setTimeout(tell, checkEveryMs);
    if (reported && isSame(reported, next)) return;
    reported = next;
    onState(next);
  }
  return {
    takeFeed: (state: FeedState): void => {
      if (state.kind === 'live' && feed.kind !== 'live') liveSince = performance.now();
      feed = state;
      tell();
    },
    /** Records that the list may be incomplete from now on. */
    lose: (): void => {
      unreadSince = performance.now();
      failingSince = null;
      tell();
    },
    /** Records that the list could not be fetched. */
    fail: (): void => {
      failingSince ??= performance.now();
      tell();
    },
    /** Records that the list matches the server. */
    complete: (): void => {
      unreadSince = null;
      failingSince = null;
      tell();
    },
    close: (): void => clearTimeout(timer),
  };
}

/**
 * Checks whether two states are the same for the screen. For unread lists, the start times are ignored: they may differ
 * slightly, because each one is computed again and the clock may have been corrected.
 */
const isSame = (one: FeedState, other: FeedState): boolean =>
  one === other ||
  (one.kind === 'not_live' && other.kind === 'not_live' && one.why === 'unread' && other.why === 'unread') ||
  JSON.stringify(one) === JSON.stringify(other);
