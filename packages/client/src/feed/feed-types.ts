import type { CloudEvent } from '@comanda/contracts/event-data';
import type { EventType } from '@comanda/contracts/events';
import type { FeedChecksums, FeedStatus } from '@comanda/contracts/feed';
import type { FailureCode } from '../call-failure.ts';

/** An event of any type: `type` determines the type of `data`. */
export type FeedEvent = { [T in EventType]: CloudEvent<T> }[EventType];
/**
 * The feed's status, as the server reports it, or `connecting`. `signed_out`: no user is signed in; the feed continues after a
 * sign-in. `refused` (with a `reason`): the feed continues when the user has another token, for example after changing the
 * password.
 */
export type FeedStanding = {
  status: FeedStatus | 'connecting' | 'signed_out' | 'refused';
  /** The time when the feed stopped being live, by the server's clock; absent while it is live. */
  since?: string;
  /** While `replaying`: the maximum number of events still to come. `standing()` counts it down. */
  behind?: number;
  /** While `replaying` because events are published late: the time since which the oldest unpublished event has waited. */
  waitingSince?: string;
  reason?: FailureCode;
};
/** The feed's state for display. Times are the server's, in milliseconds since the epoch. */
export type FeedState =
  /** Also used for a short time after the connection was lost, because that needs no warning yet. */
  | { kind: 'connecting' }
  | { kind: 'live'; sinceMs: number }
  /**
   * `count`: the maximum number of events still to come. With `waitingSinceMs`, new events arrive although older ones are not
   * published yet; the oldest has waited since this time.
   */
  | { kind: 'catching_up'; count: number; waitingSinceMs?: number }
  /**
   * `stalled`: the server is there, but no events can arrive. `unread` (lists only): events arrive, but the list has not been
   * fetched since `sinceMs`, so it may be incomplete.
   */
  | { kind: 'not_live'; sinceMs: number; why: 'lost' | 'stalled' | 'unread' };
export type FeedHandlers = {
  /**
   * Called once for every event, in the order of the stream. Ignore types that you do not know, because new ones may be added.
   */
  onEvent?: (event: FeedEvent, cursor: string) => void;
  /** Called initially and whenever the status changes. After `gap`, discard what you built from events, and fetch it again. */
  onStanding?: ((standing: FeedStanding) => void) | undefined;
  /** Called with the state to show on a screen, initially and whenever the state changes. */
  onState?: ((state: FeedState) => void) | undefined;
  /** Called when this device may have slept and the screen may be out of date. The feed reconnects. */
  onAwake?: (() => void) | undefined;
  /** How long `onState` does not report a lost connection, in milliseconds; by default 3,000. */
  quietMs?: number | undefined;
  /** The position to continue from: a cursor that came with an earlier event. */
  after?: string;
};
export type Feed = {
  standing: () => FeedStanding;
  cursor: () => string | null;
  /** Returns the server's checksums from its last status on this connection; null if there are none. */
  checksums: () => FeedChecksums | null;
  /** Returns the server's time, in milliseconds since the epoch, because a device's clock may be wrong. */
  now: () => number;
  close: () => void;
};
