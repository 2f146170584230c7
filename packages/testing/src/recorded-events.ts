import { connect } from 'amqplib';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { heartbeatType } from '@comanda/shared/messaging/heartbeat';
import { declareTopology } from '@comanda/shared/messaging/topology';
import { silentLogger } from './silent-logger.ts';
import { until } from './until.ts';

export type RecordedMessage = { id: string; type: string; body: string };
export type RecordedEvents = {
  /** All messages, in the order of the stream, including duplicates and heartbeats. */
  messages: RecordedMessage[];
  /** All events without duplicates, in the order in which they first arrived. */
  all: CloudEvent[];
  /** The ids that two different events have in common, which is a defect. */
  conflictingIds: string[];
  of: (type: string, subject?: number | string) => CloudEvent[];
  /** Waits until `count` events of this type about this subject have arrived, for up to 20 seconds. */
  waitFor: (type: string, subject: number | string, count?: number) => Promise<CloudEvent[]>;
  close: () => Promise<void>;
};

/** Records all events in the stream, starting with the first one. */
export async function recordEvents(rabbitmqUrl: string): Promise<RecordedEvents> {
  const connection = await connect(rabbitmqUrl);
  connection.on('error', () => undefined); // Ignored, because a test that kills its broker causes such errors.
  await declareTopology(connection, silentLogger);
  const channel = await connection.createChannel();
  await channel.prefetch(500);
  const messages: RecordedMessage[] = [];
  const all: CloudEvent[] = [];
  const bodies = new Map<string, string>();
  const conflictingIds: string[] = [];
  await channel.consume(
    'comanda.feed',
    (message) => {
      if (!message) return;
      channel.ack(message);
      const type = message.fields.routingKey;
      const body = message.content.toString();
      messages.push({ id: String(message.properties.messageId), type, body });
      if (type === heartbeatType) return;
      const event = JSON.parse(body) as CloudEvent;
      const earlier = bodies.get(event.id);
      if (earlier === undefined) {
        bodies.set(event.id, body);
        all.push(event);
      } else if (earlier !== body) conflictingIds.push(event.id);
    },
    { arguments: { 'x-stream-offset': 'first' } },
  );
  const of: RecordedEvents['of'] = (type, subject) =>
    all.filter((event) => event.type === type && (subject === undefined || event.subject === String(subject)));
  return {
    messages,
    all,
    conflictingIds,
    of,
    waitFor: (type, subject, count = 1) =>
      until(() => (of(type, subject).length >= count ? of(type, subject) : null), {
        what: `${count} × ${type} of ${subject}`,
      }),
    close: () => connection.close(),
  };
}
