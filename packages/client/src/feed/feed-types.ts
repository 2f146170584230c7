import type { CloudEvent, EventType } from '@comanda/contracts/events';
import type { FeedChecksums, FeedStatus } from '@comanda/contracts/feed';
import type { FailureCode } from '../call-failure.ts';

/** One event of any type: `type` tells what `data` is. */
export type FeedEvent = { [T in EventType]: CloudEvent<T> }[EventType];
/**
 * The status of the feed: what the server says of it, or `connecting`. `signed_out`: nobody is signed in; the feed goes
 * on after a sign-in. `refused`, with the reason: it goes on when the
 * user has another token, as after a change of the password.
 */
export type FeedStanding = {
  status: FeedStatus | 'connecting' | 'signed_out' | 'refused';
  /** Since when the feed has not been live, by the server's clock; missing while it is. */
  since?: string;
  /** While `replaying`: how many events are still to come, at most. Counted down in `standing()`. */
  behind?: number;
  /** While `replaying` for that reason: since when the oldest event has waited that is still to be published. */
  waitingSince?: string;
  reason?: FailureCode;
};
/** What a screen says of its feed. Times are the server's, in milliseconds. */
export type FeedState =
  /** Also for a short time after the connection was lost: that is not worth a warning. */
  | { kind: 'connecting' }
  | { kind: 'live'; sinceMs: number }
  /**
   * `count`: how many events are still to come, at most. With `waitingSinceMs`, new events arrive, and older ones are still
   * to be published: the oldest has waited since then.
   */
  | { kind: 'catching_up'; count: number; waitingSinceMs?: number }
  /**
   * `stalled`: the server is there, and no event can arrive. `unread`, of a list only: events arrive, but the list has not been
   * read since `sinceMs`, so that it may lack some.
   */
  | { kind: 'not_live'; sinceMs: number; why: 'lost' | 'stalled' | 'unread' };
export type FeedHandlers = {
  /** Every event once, in the order of the stream. Ignore types that you do not know: new ones may be added. */
  onEvent?: (event: FeedEvent, cursor: string) => void;
  /** Called at first, and when the status changes. After `gap`, forget what you built from events, and read it again. */
  onStanding?: ((standing: FeedStanding) => void) | undefined;
  /** What to say of the feed on a screen: called at first, and when it changes. */
  onState?: ((state: FeedState) => void) | undefined;
  /** This device may have slept, so that what is shown may be old. The feed connects again. */
  onAwake?: (() => void) | undefined;
  /** For how long `onState` says nothing of a lost connection, in milliseconds; 3,000 by default. */
  quietMs?: number | undefined;
  /** Where to continue: a cursor that came with an earlier event. */
  after?: string;
};
export type Feed = {
  standing: () => FeedStanding;
  cursor: () => string | null;
  /** What the server has told of this connection with its last status; null if it has told none. */
  checksums: () => FeedChecksums | null;
  /** The server's time, in milliseconds since the epoch. The clock of a device may be wrong. */
  now: () => number;
  close: () => void;
};
