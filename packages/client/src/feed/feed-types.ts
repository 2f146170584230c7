import type { CloudEvent } from '@comanda/contracts/event-data';
import type { EventType } from '@comanda/contracts/events';
import type { FeedChecksums, FeedStatus } from '@comanda/contracts/feed';
import type { FailureCode } from '../call-failure.ts';

/** An event of any type. Its `type` determines the type of `data`. */
export type FeedEvent = { [T in EventType]: CloudEvent<T> }[EventType];
/**
 * The feed's status as the server reports it, or a status of the client. `signed_out`: no user is signed in, and the feed
 * continues after a sign-in. `refused` (with a `reason`): the feed continues when the user has another token, for example after a
 * password change.
 */
export type FeedStanding = {
  status: FeedStatus | 'connecting' | 'signed_out' | 'refused';
  /** When the feed stopped being live, by the server's clock. Absent while the feed is live. */
  since?: string;
  /** While `replaying`, the maximum number of events still to come. `standing()` counts it down. */
  behind?: number;
  /** While `replaying` because of late publication, the time since which the oldest unpublished event has been waiting. */
  waitingSince?: string;
  reason?: FailureCode;
};
/** The feed's state for display. Times are the server's, in milliseconds since the epoch. */
export type FeedState =
  /** Also used for a short time after a lost connection, before a warning is needed. */
  | { kind: 'connecting' }
  | { kind: 'live'; sinceMs: number }
  /**
   * `count` is the maximum number of events still to come. With `waitingSinceMs`, new events arrive while older ones are still
   * unpublished, the oldest since this time.
   */
  | { kind: 'catching_up'; count: number; waitingSinceMs?: number }
  /**
   * `stalled`: the server is there, but no events can arrive. `unread` (lists only): events arrive, but the list has not been
   * fetched since `sinceMs` and may be incomplete.
   */
  | { kind: 'not_live'; sinceMs: number; why: 'lost' | 'stalled' | 'unread' };
export type FeedHandlers = {
  /** Called once for each event, in the stream's order. Ignore unknown types, because new ones may be added. */
  onEvent?: (event: FeedEvent, cursor: string) => void;
  /**
   * Called with the initial status and after each change. After a `gap`, discard everything that you built from events, and fetch
   * it again.
   */
  onStanding?: ((standing: FeedStanding) => void) | undefined;
  /** Called with the state for the screen, initially and after each change. */
  onState?: ((state: FeedState) => void) | undefined;
  /** Called when this device may have slept and the screen may be out of date. The feed reconnects by itself. */
  onAwake?: (() => void) | undefined;
  /** How long to wait before `onState` reports a lost connection, in milliseconds. The default is 3,000. */
  quietMs?: number | undefined;
  /** The position to continue from, as received with an earlier event. */
  after?: string;
};
export type Feed = {
  standing: () => FeedStanding;
  cursor: () => string | null;
  /** Returns the checksums from the server's last status on this connection, or null if it sent none. */
  checksums: () => FeedChecksums | null;
  /** Returns the server's time in milliseconds since the epoch, because the device's clock may be wrong. */
  now: () => number;
  close: () => void;
};
