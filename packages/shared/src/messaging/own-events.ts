import { events, type EventType } from '@comanda/contracts/events';
import type { CloudEvent } from '@comanda/contracts/event-data';
import type { Message } from './publisher.ts';

/**
 * Returns true if `message` is an event of one of these `types`. The type inside the body must be the same, because the body is
 * what is published.
 */
export const isOwnEvent = (message: Message, types: readonly EventType[]): boolean =>
  types.some((type) => type === message.type && isOfType(message, type));

function isOfType({ id, body }: Message, type: EventType): boolean {
  try {
    const event = JSON.parse(body) as CloudEvent;
    return event.type === type && event.source === events[type].source && event.id === id;
  } catch {
    return false; // the body is not JSON
  }
}
