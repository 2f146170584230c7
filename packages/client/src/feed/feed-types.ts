import type { CloudEvent } from '@comanda/contracts/event-data';
import type { EventType } from '@comanda/contracts/events';
import type { FeedChecksums, FeedStatus } from '@comanda/contracts/feed';
import type { FailureCode } from '../call-failure.ts';

/** An event of any type. The event's `type` determines the type of its `data`. */
export type FeedEvent = { [T in EventType]: CloudEvent<T> }[EventType];
/**
 * The feed's status, reported by the server or set by the client. `signed_out`: no user is signed in, and the feed continues
 * after a sign-in. `refused` (with a `reason`): the server rejects this user, and the feed continues when the user gets another
 * token, for example after a password change.
 */
export type FeedStanding = {
  status: FeedStatus | 'connecting' | 'signed_out' | 'refused';
  /** When the feed stopped being live, by the server's clock (ISO 8601). Absent while the feed is live. */
  since?: string;
  /** The maximum number of events still missing while the status is `replaying`. `standing()` returns the current number. */
  behind?: number;
  /**
   * The time since which the oldest unpublished event has been waiting. Set only while the status is `replaying` because events
   * are published late.
   */
  waitingSince?: string;
  reason?: FailureCode;
};
/** The feed's state for the screen. Times are in milliseconds since the epoch, by the server's clock. */
export type FeedState =
  /** Also used for the first 3 s after a lost connection (`quietMs`), before a warning is needed. */
  | { kind: 'connecting' }
  | { kind: 'live'; sinceMs: number }
  /**
   * `count` is the maximum number of events that are still missing. If `waitingSinceMs` is set, new events arrive although
   * older ones are still unpublished. The oldest of them has been waiting since then.
   */
  | { kind: 'catching_up'; count: number; waitingSinceMs?: number }
  /**
   * Why the feed is not live. `lost`: there is no connection. `stalled`: there is a connection, but no events can arrive.
   * `unread` (lists only): events arrive, but the list has not been fetched since `sinceMs` and may be incomplete.
   */
  | { kind: 'not_live'; sinceMs: number; why: 'lost' | 'stalled' | 'unread' };
export type FeedHandlers = {
  /** Called once for each event, in the feed's order. Ignore events of unknown types, because later releases may add types. */
  onEvent?: (event: FeedEvent, cursor: string) => void;
  /** Called with the initial status and after each change. After a `gap`, discard all data from events, and fetch it again. */
  onStanding?: ((standing: FeedStanding) => void) | undefined;
  /** Called with the initial state for the screen, and with each new state. */
  onState?: ((state: FeedState) => void) | undefined;
  /** Called when this device may have slept, so the screen may be out of date. The feed reconnects automatically. */
  onAwake?: (() => void) | undefined;
  /** How long to wait before `onState` reports a lost connection, in milliseconds. The default is 3,000. */
  quietMs?: number | undefined;
  /** The cursor to continue from, which you received with an earlier event. */
  after?: string;
};
export type Feed = {
  standing: () => FeedStanding;
  cursor: () => string | null;
  /** Returns the checksums that the server last sent on this connection, or null if it sent none. */
  checksums: () => FeedChecksums | null;
  /** Returns the server's time in milliseconds since the epoch. The device's clock may be wrong. */
  now: () => number;
  close: () => void;
};
