import type { CloudEvent } from '@comanda/contracts/events';
import type { FeedMessage } from '@comanda/shared/messaging/stream-reader';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { NotifierMetrics } from '../metrics.ts';
import { roomsOfEvent } from './audience.ts';
import { encodeCursor } from './cursor.ts';

/** One event of the stream, ready to be sent. */
export type Entry = {
  offset: number;
  id: string;
  cursor: string;
  rooms: readonly string[];
  /** The Socket.IO packet of `event(cloudEvent, cursor)`, with the CloudEvent exactly as it was published. */
  packet: string;
};
export type ReadEntry = { entry: Entry; event: CloudEvent | null };

/**
 * Finds the rooms of a message. A message that is not an event, or of a type that this version does not know, keeps its
 * position and is sent to nobody; `onUnreadable` reports it, so that nothing is dropped silently.
 */
export function readEntry(message: FeedMessage, onUnreadable: (error: unknown) => void): ReadEntry {
  const { offset, id, type, content } = message;
  const cursor = encodeCursor({ kind: 'event', offset, id });
  try {
    const body = content.toString();
    const event = JSON.parse(body) as CloudEvent;
    const rooms = roomsOfEvent(type, event.data);
    if (rooms) return { entry: { offset, id, cursor, rooms, packet: eventPacket(body, cursor) }, event };
    onUnreadable(new Error('unknown type'));
  } catch (error) {
    onUnreadable(error);
  }
  return { entry: { offset, id, cursor, rooms: [], packet: '' }, event: null };
}

/** [Socket.IO protocol 5] An EVENT packet of the default namespace. The event is not serialized again. */
const eventPacket = (body: string, cursor: string): string => `2["event",${body},"${cursor}"]`;

export function reportUnreadable(
  { logger, metrics }: { logger: Logger; metrics: NotifierMetrics },
  { offset, id, type }: FeedMessage,
  error: unknown,
): void {
  metrics.unreadable.inc();
  logger.error({ err: error, offset, id, type }, 'an event cannot be sent to anybody');
}
