import { isAscii } from 'node:buffer';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { heartbeatType, readHeartbeat, type Heartbeat } from '@comanda/shared/messaging/heartbeat';
import type { FeedMessage } from '@comanda/shared/messaging/read-stream';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { FeedMetrics } from './feed-metrics.ts';
import { roomsOf } from './audience.ts';
import { encodeCursor } from './cursor.ts';

/** An event from the stream, ready to be sent. */
export type Entry = {
  offset: number;
  id: string;
  type: string;
  cursor: string;
  rooms: readonly string[];
  /** The Socket.IO packet for `event(cloudEvent, cursor)`, with the CloudEvent exactly as it was published. */
  packet: string;
  /** The entry's approximate size in memory, in bytes. */
  weight: number;
};
const overheadBytes = 500;
/** A message that was read from the stream, with its entry. */
export type ReadMessage =
  | { kind: 'event'; entry: Entry; event: CloudEvent }
  | { kind: 'heartbeat'; entry: Entry; heartbeat: Heartbeat }
  | { kind: 'unreadable'; entry: Entry; error: unknown };

/**
 * Reads a message and creates its entry, with its rooms. A heartbeat gets an entry too, because its position is needed, but is
 * sent to no client. The same is true for unreadable messages: those that aren't events, events whose source doesn't match their
 * type, and events of an unknown type without an audience. Report these with `reportUnreadable`, so that nothing is dropped
 * silently.
 */
export function readMessage(message: FeedMessage): ReadMessage {
  const { offset, id, type, content } = message;
  const cursor = encodeCursor({ kind: 'event', offset, id });
  const unsent: Entry = { offset, id, type, cursor, rooms: [], packet: '', weight: overheadBytes };
  try {
    if (type === heartbeatType) return { kind: 'heartbeat', entry: unsent, heartbeat: readHeartbeat(content) };
    const body = content.toString();
    const event = JSON.parse(body) as CloudEvent;
    const rooms = roomsOf(event);
    if (!rooms) throw new Error('unknown type, or one of another service');
    const packet = eventPacket(body, cursor);
    const weight = overheadBytes + weightOf(packet, message);
    return { kind: 'event', entry: { ...unsent, rooms, packet, weight }, event };
  } catch (error) {
    return { kind: 'unreadable', entry: unsent, error };
  }
}

/** Returns a packet's size in memory. If a text is not pure ASCII, V8 may need two bytes per character. */
const weightOf = (packet: string, { content }: FeedMessage): number =>
  isAscii(content) ? packet.length : 2 * packet.length;

/** Builds an EVENT packet for the default namespace [Socket.IO protocol 5] without serializing the event again. */
const eventPacket = (body: string, cursor: string): string => `2["event",${body},"${cursor}"]`;

export function reportUnreadable(
  { logger, metrics }: { logger: Logger; metrics: FeedMetrics },
  { offset, id, type }: FeedMessage,
  error: unknown,
): void {
  metrics.unreadable.inc();
  logger.error({ err: error, offset, id, type }, 'an event cannot be sent to anybody');
}
