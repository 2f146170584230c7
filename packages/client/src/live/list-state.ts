import type { FeedState } from '../feed/feed-types.ts';

/** For so long a list that is being read for the first time, or after a gap, is not worth a warning. */
const defaultQuietMs = 3000;
/** For so long reads that only compare the list may fail: the feed has brought all of it until then. */
const comparedWithinMs = 30_000;
const checkEveryMs = 1000;

/** `missing`: since when the list may lack something, by the server's clock; `isLong`: that is worth a warning. */
type Rule = { before: FeedState; missing: { sinceMs: number; isLong: boolean } | null };

/** What a screen says of its list: what it says of the feed, but `live` only with the whole list. */
export function listStateOf(feed: FeedState, { before, missing }: Rule): FeedState {
  if (feed.kind !== 'live' || !missing) return feed;
  if (missing.isLong) return { kind: 'not_live', sinceMs: missing.sinceMs, why: 'unread' };
  return before.kind === 'connecting' ? before : { kind: 'catching_up', count: 0 };
}

type Options = {
  onState: ((state: FeedState) => void) | undefined;
  quietMs: number | undefined;
  /** The server's time in milliseconds. */
  now: () => number;
};
/** Tells `onState` the state of the list, whenever it changes. At the beginning the list may lack everything. */
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
    /** From now on the list may lack something, until it is whole again. */
    lose: (): void => {
      unreadSince = performance.now();
      failingSince = null;
      tell();
    },
    /** The list could not be read. */
    fail: (): void => {
      failingSince ??= performance.now();
      tell();
    },
    /** The list has all that the server has. */
    complete: (): void => {
      unreadSince = null;
      failingSince = null;
      tell();
    },
    close: (): void => clearTimeout(timer),
  };
}

/** When it began is computed again and again, and differs by the corrections of the clock. */
const isSame = (one: FeedState, other: FeedState): boolean =>
  one === other ||
  (one.kind === 'not_live' && other.kind === 'not_live' && one.why === 'unread' && other.why === 'unread') ||
  JSON.stringify(one) === JSON.stringify(other);
