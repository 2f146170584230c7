import { isAscii } from 'node:buffer';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { heartbeatType } from '@comanda/shared/messaging/heartbeat';
import type { FeedMessage } from '@comanda/shared/messaging/stream-reader';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { FeedMetrics } from './feed-metrics.ts';
import { roomsOf } from './audience.ts';
import { encodeCursor } from './cursor.ts';

/** An event from the stream, ready to be sent. */
export type Entry = {
  offset: number;
  id: string;
  cursor: string;
  rooms: readonly string[];
  /** The Socket.IO packet for `event(cloudEvent, cursor)`, with the CloudEvent exactly as it was published. */
  packet: string;
  /** The entry's approximate size in memory, in bytes. */
  weight: number;
};
const overheadBytes = 500;
export type ReadEntry = { entry: Entry; event: CloudEvent | null };

/**
 * Creates the entry for a message, with its rooms. Heartbeats keep their position but are sent to no client. The same goes for
 * messages that aren't events, events whose source doesn't match their type, and events of an unknown type without an audience.
 * These are reported to `onUnreadable`, so that nothing is dropped silently.
 */
export function readEntry(message: FeedMessage, onUnreadable: (error: unknown) => void): ReadEntry {
  const { offset, id, type, content } = message;
  const cursor = encodeCursor({ kind: 'event', offset, id });
  const unsent: Entry = { offset, id, cursor, rooms: [], packet: '', weight: overheadBytes };
  if (type === heartbeatType) return { entry: unsent, event: null };
  try {
    const body = content.toString();
    const event = JSON.parse(body) as CloudEvent;
    const rooms = roomsOf(event);
    const packet = eventPacket(body, cursor);
    if (rooms) return { entry: { ...unsent, rooms, packet, weight: overheadBytes + weightOf(packet, message) }, event };
    onUnreadable(new Error('unknown type, or one of another service'));
  } catch (error) {
    onUnreadable(error);
  }
  return { entry: unsent, event: null };
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
