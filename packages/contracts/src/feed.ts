import type { CloudEvent } from './event-data.ts';
import { component, count, nullable, object, oneOf, optional, text, time, type Infer } from './schema.ts';

/**
 * The error message for clients that connect without WebSocket. Such connections are rejected, but Socket.IO's clients start with
 * HTTP polling by default.
 */
export const feedIsWebSocketOnly =
  "The feed is WebSocket only: set `transports: ['websocket']` in Socket.IO 3 or newer.";

const databaseEpoch = () => text(64).example('9b2f6c1e-3d54-4a0b-8f17-5e2c7d90a1b3');
const cursor = () => text(256).example('MTA0MjphN2Yz');

/**
 * Checksums of the server's data, which a client compares with the checksums of its own lists (see `checksum.ts`). The server
 * leaves out a checksum that it doesn't know yet.
 */
const checksums = component(
  'FeedChecksums',
  object({
    /** A checksum over all orders that are received, preparing or ready. */
    open_orders: optional(text(32).example('12-9f1c20ab')),
    /** A checksum over all dishes. */
    menu: optional(text(32).example('31-41b7e0d2')),
    /** A checksum over all option groups. */
    option_groups: optional(text(32).example('9-0c7ad1f4')),
  }),
);
export type FeedChecksums = Infer<typeof checksums>;

/** The state of one client's live feed, sent as `feed` after every change and every 15 seconds. */
export const feedState = component(
  'FeedState',
  object({
    status: oneOf('live', 'replaying', 'stalled', 'gap'),
    /** Cursor of the last event sent to this client; null before the first. */
    cursor: nullable(cursor()),
    /** The server's time. */
    time: time(),
    /** While stalled: the time since which the server may not have received new events. */
    since: optional(time()),
    /**
     * While replaying: the number of events that the stream still has to deliver, at most. Some of them are not for this client.
     */
    behind: optional(count().example(12)),
    /** While replaying: how long the oldest event that is not yet published has been waiting, in milliseconds. */
    oldest_waiting_ms: optional(count().example(60_000)),
    /** Changes when the orders database is restored. Clients must then discard all cached orders. */
    database_epoch: optional(databaseEpoch()),
    /**
     * Checksums of the server's data, as it was a few seconds ago. A client whose checksums are the same need not fetch the
     * lists.
     */
    checksums: optional(checksums),
  }),
);
export type FeedState = Infer<typeof feedState>;
export type FeedStatus = FeedState['status'];

/** Messages that the server sends over Socket.IO. */
export type ServerToClientEvents = {
  event: (event: CloudEvent, cursor: string) => void;
  feed: (state: FeedState) => void;
};
/** Messages that a client sends over Socket.IO. */
export type ClientToServerEvents = {
  /**
   * Sends a new token for the same user before the old one expires. The server calls `response` with null, or with a problem if
   * it rejects the token.
   */
  token: (token: unknown, response?: (problem: Record<string, unknown> | null) => void) => void;
};
