import { events } from './events.ts';
import type { EventType } from './events.ts';
import { named, nullable, object, oneOf, optional, text, time } from './schema.ts';
import type { Infer } from './schema.ts';

const cursor = () => text(256).example('MTA0MjphN2Yz');

/** How the live feed stands, emitted as `feed` at every change and every 15 s. */
export const feedState = named(
  'FeedState',
  object({
    status: oneOf('live', 'replaying', 'stalled', 'gap'),
    cursor: nullable(cursor()),
    time: time(),
    since: optional(time()),
  }),
);
export type FeedState = Infer<typeof feedState>;
export type FeedStatus = FeedState['status'];

/** Which service emits events of a subject other than orders. */
const sources: Readonly<Record<string, string>> = { transfer: '/transfers', security: '/auth-stepup' };

/** The envelope of an event of `type`, with its data [CloudEvents 1.0, structured JSON]. */
export const cloudEvent = (type: EventType) =>
  object({
    specversion: oneOf('1.0'),
    id: text(128).example('0197f3a0-5f0e-7c3a-9d6e-3f6a1c2b4d5e'),
    source: text(128).example(sources[type.split('.')[0] ?? ''] ?? '/orders'),
    type: oneOf(type),
    subject: text(128).example('1042'),
    time: time(),
    datacontenttype: oneOf('application/json'),
    traceparent: optional(text(55).example('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')),
    data: events[type].data,
  });
