import type { CloudEvent, EventType } from '@comanda/contracts/events';
import type { FeedChecksums, FeedStatus } from '@comanda/contracts/feed';
import type { FailureCode } from '../call-failure.ts';

/** One event of any type: `type` determines the type of `data`. */
export type FeedEvent = { [T in EventType]: CloudEvent<T> }[EventType];
/**
 * The status of the feed: what the server reports, or `connecting`. `signed_out`: no user is signed in; the feed
 * continues after a sign-in. `refused`, with the reason: it continues when the user has another token, for example
 * after changing the password.
 */
export type FeedStanding = {
  status: FeedStatus | 'connecting' | 'signed_out' | 'refused';
  /** The time when the feed stopped being live, by the server's clock; absent while it is live. */
  since?: string;
  /** While `replaying`: how many events are still to come, at most. Counted down in `standing()`. */
  behind?: number;
  /** While `replaying` because events are published late: since when the oldest unpublished event has waited. */
  waitingSince?: string;
  reason?: FailureCode;
};
/** The state of the feed for display. Times are the server's, in milliseconds. */
export type FeedState =
  /** Also used for a short time after the connection was lost, which needs no warning. */
  | { kind: 'connecting' }
  | { kind: 'live'; sinceMs: number }
  /**
   * `count`: how many events are still to come, at most. With `waitingSinceMs`, new events arrive while older ones are
   * not published yet: the oldest has waited since then.
   */
  | { kind: 'catching_up'; count: number; waitingSinceMs?: number }
  /**
   * `stalled`: the server is there, but no event can arrive. `unread`, only for a list: events arrive, but the list has
   * not been read since `sinceMs`, so it may be incomplete.
   */
  | { kind: 'not_live'; sinceMs: number; why: 'lost' | 'stalled' | 'unread' };
export type FeedHandlers = {
  /**
   * Called with every event once, in the order of the stream. Ignore types that you do not know: new ones may be added.
   */
  onEvent?: (event: FeedEvent, cursor: string) => void;
  /**
   * Called at first, and when the status changes. After `gap`, discard what you built from events, and read it again.
   */
  onStanding?: ((standing: FeedStanding) => void) | undefined;
  /** The state to show on a screen: called at first, and when it changes. */
  onState?: ((state: FeedState) => void) | undefined;
  /** Called when this device may have slept, so that the screen may be out of date. The feed reconnects. */
  onAwake?: (() => void) | undefined;
  /** How long `onState` does not report a lost connection, in milliseconds; by default 3,000. */
  quietMs?: number | undefined;
  /** The position to continue from: a cursor that came with an earlier event. */
  after?: string;
};
export type Feed = {
  standing: () => FeedStanding;
  cursor: () => string | null;
  /** The server's checksums in its last status on this connection; null if there are none. */
  checksums: () => FeedChecksums | null;
  /** The server's time, in milliseconds since the epoch. A device's clock may be wrong. */
  now: () => number;
  close: () => void;
};
