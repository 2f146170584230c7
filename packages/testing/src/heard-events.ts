import { connect } from 'amqplib';
import type { CloudEvent } from '@comanda/contracts/events';
import { declareTopology } from '@comanda/shared/messaging/topology';
import { createLogger } from '@comanda/shared/runtime/logger';
import { until } from '@comanda/testing/until';

export type Heard = {
  /** Every event in the order of its first appearance; one that came twice stands once. */
  all: CloudEvent[];
  /** Ids under which two different events came. */
  contradictions: string[];
  of: (type: string, subject?: number | string) => CloudEvent[];
  /** Waits until `count` events of `type` about `subject` have come. */
  waitFor: (type: string, subject: number | string, count?: number) => Promise<CloudEvent[]>;
  close: () => Promise<void>;
};

/** Hears the stream of all events, from its beginning, in its order. */
export async function hearEvents(rabbitmqUrl: string): Promise<Heard> {
  const connection = await connect(rabbitmqUrl);
  connection.on('error', () => undefined); // a test that kills its broker knows
  await declareTopology(connection, createLogger({ service: 'test', level: 'silent' }));
  const channel = await connection.createChannel();
  await channel.prefetch(500);
  const all: CloudEvent[] = [];
  const bodies = new Map<string, string>();
  const contradictions: string[] = [];
  await channel.consume(
    'comanda.feed',
    (message) => {
      if (!message) return;
      channel.ack(message);
      const body = message.content.toString();
      const event = JSON.parse(body) as CloudEvent;
      const known = bodies.get(event.id);
      if (known === undefined) {
        bodies.set(event.id, body);
        all.push(event);
      } else if (known !== body) contradictions.push(event.id);
    },
    { arguments: { 'x-stream-offset': 'first' } },
  );
  const of: Heard['of'] = (type, subject) =>
    all.filter((event) => event.type === type && (subject === undefined || event.subject === String(subject)));
  return {
    all,
    contradictions,
    of,
    waitFor: (type, subject, count = 1) =>
      until(() => (of(type, subject).length >= count ? of(type, subject) : null), {
        timeoutMs: 10_000,
        what: `${count} × ${type} of ${subject}`,
      }),
    close: () => connection.close(),
  };
}
