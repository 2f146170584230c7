import type { Feed, FeedHandlers, FeedStanding, FeedState } from './feed-types.ts';

type Rule = {
  /** The server's time, in milliseconds since the epoch. */
  now: number;
  before: FeedState;
  /** How long the state stays `connecting` after the connection was lost, in milliseconds. The default is 3,000. */
  quietMs?: number | undefined;
};

/** Converts the feed's `standing` to the state for the screen. Returns the object `before` if nothing has changed. */
export function feedStateOf(standing: FeedStanding, { now, before, quietMs = 3000 }: Rule): FeedState {
  const { status, since, behind = 0, waitingSince } = standing;
  const sinceMs = since === undefined ? now : Date.parse(since);
  const isQuiet = before.kind !== 'not_live' && now - sinceMs < quietMs;
  if (status === 'live') return before.kind === 'live' ? before : { kind: 'live', sinceMs: now };
  if (status === 'replaying' || status === 'gap') {
    const waiting = waitingSince !== undefined && { waitingSinceMs: Date.parse(waitingSince) };
    return unlessSame(before, { kind: 'catching_up', count: behind, ...waiting });
  }
  if (status === 'stalled') return unlessSame(before, { kind: 'not_live', sinceMs, why: 'stalled' });
  if (status === 'signed_out' || isQuiet) return unlessSame(before, { kind: 'connecting' });
  return unlessSame(before, { kind: 'not_live', sinceMs, why: 'lost' });
}
const unlessSame = (before: FeedState, next: FeedState): FeedState =>
  JSON.stringify(before) === JSON.stringify(next) ? before : next;

/**
 * How often to update the state while it is `connecting` or `catching_up`, in milliseconds. Without these updates, a warning
 * would be late, and the count of missing events out of date.
 */
const checkEveryMs = 1000;

type Options = { open: (handlers: FeedHandlers) => Feed; now: () => number; handlers: FeedHandlers };
/** Opens a feed that calls `handlers.onState` with the initial state and after each change. */
export function reportFeedState({ open, now, handlers }: Options): Feed {
  const { onState, quietMs, onStanding } = handlers;
  if (!onState) return open(handlers);
  let state: FeedState | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function apply(standing: FeedStanding): void {
    clearTimeout(timer);
    const next = feedStateOf(standing, { now: now(), before: state ?? { kind: 'connecting' }, quietMs });
    if (next.kind === 'connecting' || next.kind === 'catching_up')
      timer = setTimeout(() => apply(feed.standing()), checkEveryMs);
    if (next === state) return;
    state = next;
    onState?.(next);
  }
  const feed = open({
    ...handlers,
    onStanding: (standing) => {
      onStanding?.(standing);
      apply(standing);
    },
  });
  return {
    ...feed,
    close: () => {
      clearTimeout(timer);
      feed.close();
    },
  };
}
