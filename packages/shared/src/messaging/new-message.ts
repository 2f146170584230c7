import { randomUUID } from 'node:crypto';
import { roomsOfEvent } from '@comanda/contracts/audience';
import type { CloudEvent, EventData } from '@comanda/contracts/event-data';
import type { EventType } from '@comanda/contracts/events';
import { toMessage, type Message } from './publisher.ts';

/**
 * The facts about an event. `subject` is the resource's id. `traceparent` is from the call that caused the event. By default, the
 * event's `id` is random. With an id derived from the resource, a repeated call creates the same event again.
 */
type Facts<T extends EventType> = { id?: string; subject: string; at: Date; traceparent: string; data: EventData<T> };

/** Returns a function that creates events of the service `source`, ready to be stored in an outbox. */
export const messagesOf =
  (source: `/${string}`) =>
  <T extends EventType>(type: T, { id = randomUUID(), subject, at, traceparent, data }: Facts<T>): Message => {
    const event: CloudEvent<T> = {
      specversion: '1.0',
      id,
      source,
      type,
      subject,
      time: at.toISOString(),
      datacontenttype: 'application/json',
      traceparent,
      audience: roomsOfEvent(type, data)?.join(' ') ?? '',
      data,
    };
    return toMessage(event);
  };
