import type { Attributes, Span, Tracer } from '../tracing/tracer.ts';
import type { Message } from './publisher.ts';
import { exchange } from './topology.ts';

/** The fields of an event that are recorded in its spans. */
type TracedEvent = { id: string; type: string; subject: string };
type Operation = { name: 'publish' | 'push'; type: 'send' | 'process' };

const describe = (event: TracedEvent, operation: Operation): Attributes => ({
  'messaging.system': 'rabbitmq',
  'messaging.destination.name': exchange,
  'messaging.rabbitmq.destination.routing_key': event.type,
  'messaging.operation.name': operation.name,
  'messaging.operation.type': operation.type,
  'messaging.message.id': event.id,
  // Recorded only if the subject is a number. Other subjects, such as a table's name, are texts that a user typed.
  'cloudevents.event_subject': /^\d+$/.test(event.subject) ? event.subject : undefined,
});

// Finds the first `traceparent` without parsing the JSON. This can't be a text in the event's data: the field comes before the
// data, and quotation marks inside a text are escaped.
const traceForm = /"traceparent":"([0-9a-f-]{55})"/;
const subjectForm = /"subject":"([^"\\]*)"/;

/**
 * Records a span for each message, in the trace of the request that caused it: how long the broker took to confirm all of
 * `messages`.
 */
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

/** How an event was sent to clients: the start time, from `performance.now()`, and the number of clients. */
export type Push = { startedAt: number; sockets: number };

/** Records a span for sending an event to the feed's clients. */
export function tracePush(
  tracer: Tracer,
  event: TracedEvent & { traceparent?: string },
  { startedAt, sockets }: Push,
): void {
  const span = tracer.startSpan(event.traceparent ?? '', { kind: 'consumer', startedAt });
  span?.end({
    name: `push ${event.type}`,
    attributes: { ...describe(event, { name: 'push', type: 'process' }), 'comanda.feed.sockets': sockets },
  });
}
