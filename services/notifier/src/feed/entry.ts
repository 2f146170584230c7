import type { CloudEvent } from '@comanda/contracts/events';
import type { FeedMessage } from '@comanda/shared/messaging/stream-reader';
import type { Logger } from '@comanda/shared/runtime/logger';
import { hearersOf } from './audience.ts';
import { encodeCursor } from './cursor.ts';

/** One event of the stream, ready to be sent to those who hear it. */
export type Entry = {
  offset: number;
  id: string;
  cursor: string;
  rooms: readonly string[];
  /** The Socket.IO packet of `event(cloudEvent, cursor)`: the CloudEvent stands in it as it was published. */
  packet: string;
};
export type ReadEntry = { entry: Entry; event: CloudEvent | null };

/**
 * Finds out who hears a message. One that is no event, or of a type that this version does not know, keeps its place and
 * is heard by nobody; `onUnreadable` is told, so that nothing is dropped in silence.
 */
export function readEntry(message: FeedMessage, onUnreadable: (why: unknown) => void): ReadEntry {
  const { offset, id, type, content } = message;
  const cursor = encodeCursor({ at: 'event', offset, id });
  try {
    const body = content.toString();
    const event = JSON.parse(body) as CloudEvent;
    const rooms = hearersOf(type, event.data);
    if (rooms) return { entry: { offset, id, cursor, rooms, packet: eventPacket(body, cursor) }, event };
    onUnreadable(new Error('unknown type'));
  } catch (error) {
    onUnreadable(error);
  }
  return { entry: { offset, id, cursor, rooms: [], packet: '' }, event: null };
}

/** [Socket.IO protocol 5] An EVENT packet of the default namespace, made without reading the event again. */
const eventPacket = (body: string, cursor: string): string => `2["event",${body},"${cursor}"]`;

export const unreadable =
  (logger: Logger, count: { inc: () => void }) =>
  ({ offset, id, type }: FeedMessage) =>
  (error: unknown): void => {
    count.inc();
    logger.error({ err: error, offset, id, type }, 'an event that nobody can be sent');
  };
