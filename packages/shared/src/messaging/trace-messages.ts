import type { Attributes, Span, Tracer } from '../tracing/tracer.ts';
import type { Message } from './publisher.ts';
import { exchange } from './topology.ts';

/** The event of a message, as far as a span tells of it. */
type TracedEvent = { id: string; type: string; subject: string };
type Operation = { name: 'publish' | 'push'; type: 'send' | 'process' };

const describe = (event: TracedEvent, operation: Operation): Attributes => ({
  'messaging.system': 'rabbitmq',
  'messaging.destination.name': exchange,
  'messaging.rabbitmq.destination.routing_key': event.type,
  'messaging.operation.name': operation.name,
  'messaging.operation.type': operation.type,
  'messaging.message.id': event.id,
  // Not the name of a table, which somebody has written.
  'cloudevents.event_subject': /^\d+$/.test(event.subject) ? event.subject : undefined,
});

// Both members come before the data of an event, and a quotation mark inside a text is escaped.
const traceForm = /"traceparent":"([0-9a-f-]{55})"/;
const subjectForm = /"subject":"([^"\\]*)"/;

/** Records, for each message, how long the broker took to confirm them all, below the request that has caused its event. */
export function tracePublishing(tracer: Tracer, messages: readonly Message[], confirmed: Promise<void>): Promise<void> {
  if (!tracer.isOn) return confirmed;
  const spans = messages.flatMap((message): [Message, Span][] => {
    const span = tracer.startSpan(traceForm.exec(message.body)?.[1] ?? '', { kind: 'producer' });
    return span ? [[message, span]] : [];
  });
  const end = (error: string | null): void => {
    for (const [{ id, type, body }, span] of spans) {
      const event = { id, type, subject: subjectForm.exec(body)?.[1] ?? '' };
      span.end({ name: `publish ${type}`, attributes: describe(event, { name: 'publish', type: 'send' }), error });
    }
  };
  return confirmed.then(
    () => end(null),
    (error: Error) => {
      end(error.name);
      throw error;
    },
  );
}

/** Begins to record how an event goes to the clients of the feed. Returns a function that ends it, and says to how many it went. */
export function tracePush(tracer: Tracer, event: TracedEvent & { traceparent?: string }): (sockets: number) => void {
  const span = tracer.startSpan(event.traceparent ?? '', { kind: 'consumer' });
  return (sockets) =>
    span?.end({
      name: `push ${event.type}`,
      attributes: { ...describe(event, { name: 'push', type: 'process' }), 'comanda.feed.sockets': sockets },
    });
}
