import { isAscii } from 'node:buffer';
import type { CloudEvent } from '@comanda/contracts/events';
import { heartbeatType } from '@comanda/shared/messaging/heartbeat';
import type { FeedMessage } from '@comanda/shared/messaging/stream-reader';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { FeedMetrics } from './feed-metrics.ts';
import { roomsOf } from './audience.ts';
import { encodeCursor } from './cursor.ts';

/** One event of the stream, ready to be sent. */
export type Entry = {
  offset: number;
  id: string;
  cursor: string;
  rooms: readonly string[];
  /** The Socket.IO packet of `event(cloudEvent, cursor)`, with the CloudEvent exactly as it was published. */
  packet: string;
  /** Its approximate size in memory, in bytes. */
  weight: number;
};
const overheadBytes = 500;
export type ReadEntry = { entry: Entry; event: CloudEvent | null };

/**
 * Finds the rooms of a message. Heartbeats keep their position but are sent to no client. The same goes for non-events,
 * events with another service than their type, and events of an unknown type without an audience. `onUnreadable` reports these,
 * so that nothing is dropped silently.
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

/** The size of a packet. V8 may take two bytes for each character unless the whole text is ASCII. */
const weightOf = (packet: string, { content }: FeedMessage): number =>
  isAscii(content) ? packet.length : 2 * packet.length;

/** An EVENT packet of the default namespace [Socket.IO protocol 5]. The event is not serialized again. */
const eventPacket = (body: string, cursor: string): string => `2["event",${body},"${cursor}"]`;

export function reportUnreadable(
  { logger, metrics }: { logger: Logger; metrics: FeedMetrics },
  { offset, id, type }: FeedMessage,
  error: unknown,
): void {
  metrics.unreadable.inc();
  logger.error({ err: error, offset, id, type }, 'an event cannot be sent to anybody');
}
