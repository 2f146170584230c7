import type { FeedStanding } from '@comanda/client';

/** What a screen says of its feed. */
export type FeedState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** How many events are still to come, at most. */
  | { kind: 'catching_up'; count: number }
  /** `stalled`: the server is there, but hears of no orders. */
  | { kind: 'not_live'; sinceMs: number; why: 'lost' | 'stalled' };

/** A connection that is back so soon is not worth a red bar. */
const notLiveAfterMs = 3_000;

/** `now` is the server's time, `before` what was said last. */
export function feedStateOf(
  { status, since, behind = 0 }: FeedStanding,
  { now, before }: { now: number; before: FeedState },
): FeedState {
  const sinceMs = since === undefined ? now : Date.parse(since);
  if (status === 'live') return same(before, { kind: 'live' });
  if (status === 'replaying' || status === 'gap') return same(before, { kind: 'catching_up', count: behind });
  if (status === 'stalled') return same(before, { kind: 'not_live', why: 'stalled', sinceMs });
  if (before.kind === 'not_live' || now - sinceMs >= notLiveAfterMs)
    return same(before, { kind: 'not_live', why: 'lost', sinceMs });
  return same(before, { kind: 'connecting' });
}

/** The same object if nothing has changed, so that nothing is painted again. */
const same = (before: FeedState, next: FeedState): FeedState =>
  JSON.stringify(before) === JSON.stringify(next) ? before : next;
