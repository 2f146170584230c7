import { connect } from 'amqplib';
import type { CloudEvent } from '@comanda/shared/contracts/events';
import { until } from '../../../../test/support/until.ts';

export type Heard = {
  /** Every event in the order of its first appearance; one that came twice stands once. */
  all: CloudEvent[];
  /** How often anything came, and ids under which two different events came. */
  copies: () => number;
  contradictions: string[];
  of: (type: string, subject?: number | string) => CloudEvent[];
  /** Waits until `count` events of `type` about `subject` have come. */
  waitFor: (type: string, subject: number | string, count?: number) => Promise<CloudEvent[]>;
  close: () => Promise<void>;
};

/** Hears all events on the exchange, in the order of the broker, from now on. */
export async function hearEvents(rabbitmqUrl: string): Promise<Heard> {
  const connection = await connect(rabbitmqUrl);
  const channel = await connection.createChannel();
  await channel.assertExchange('comanda.events', 'topic', { durable: true });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, 'comanda.events', '#');
  const all: CloudEvent[] = [];
  const bodies = new Map<string, string>();
  const contradictions: string[] = [];
  let copies = 0;
  await channel.consume(
    queue,
    (message) => {
      if (!message) return;
      const body = message.content.toString();
      const event = JSON.parse(body) as CloudEvent;
      const known = bodies.get(event.id);
      copies++;
      if (known === undefined) {
        bodies.set(event.id, body);
        all.push(event);
      } else if (known !== body) contradictions.push(event.id);
    },
    { noAck: true },
  );
  const of: Heard['of'] = (type, subject) =>
    all.filter((event) => event.type === type && (subject === undefined || event.subject === String(subject)));
  return {
    all,
    contradictions,
    copies: () => copies,
    of,
    waitFor: (type, subject, count = 1) =>
      until(() => (of(type, subject).length >= count ? of(type, subject) : null), {
        timeoutMs: 10_000,
        what: `${count} × ${type} of ${subject}`,
      }),
    close: () => connection.close(),
  };
}
