import { randomUUID } from 'node:crypto';
import { roomsOfEvent } from '@comanda/contracts/audience';
import type { CloudEvent, EventData } from '@comanda/contracts/event-data';
import type { EventType } from '@comanda/contracts/events';
import { toMessage, type Message } from './publisher.ts';

/**
 * `subject` is the resource's id. `traceparent` belongs to the call that caused the event. By default `id` is random; an id
 * derived from the resource gives the same event each time.
 */
type Facts<T extends EventType> = { id?: string; subject: string; at: Date; traceparent: string; data: EventData<T> };

/** Returns a function that creates events from the service `source`, to be stored in an outbox. */
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
