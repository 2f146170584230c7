import { randomUUID } from 'node:crypto';
import type { CloudEvent, EventData, EventType } from '@comanda/shared/contracts/events';
import { toMessage } from '@comanda/shared/messaging/publisher';
import type { Message } from '@comanda/shared/messaging/publisher';

type Facts<T extends EventType> = { subject: string; at: Date; traceparent: string; data: EventData<T> };

/** An event of this service, ready to be stored with the write that it tells of. */
export const newMessage = <T extends EventType>(type: T, { subject, at, traceparent, data }: Facts<T>): Message => {
  const event: CloudEvent<T> = {
    specversion: '1.0',
    id: randomUUID(),
    source: '/orders',
    type,
    subject,
    time: at.toISOString(),
    datacontenttype: 'application/json',
    traceparent,
    data,
  };
  return toMessage(event);
};
