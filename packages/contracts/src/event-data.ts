import type Joi from 'joi';
import { bill, billChanges } from './bills.ts';
import { tableCall } from './calls.ts';
import { events, type EventType } from './events.ts';
import { menuItem } from './menu.ts';
import { optionGroup } from './option-groups.ts';
import { actor } from './actor.ts';
import { orderInEvent, orderInEventExample, orderStatus, stationExample } from './order.ts';
import { ordering } from './ordering.ts';
import { pixReceiptInEvent } from './pix.ts';
import { restaurant } from './restaurant.ts';
import {
  date,
  id,
  list,
  component,
  nullable,
  object,
  onceEach,
  oneOf,
  optional,
  sha256,
  tableName,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { stops } from './stops.ts';
import { tableChange, tableInEvent } from './tables.ts';
import { transfer } from './transfers.ts';

/** A dish after a change. `deleted` is true if the change removed it from the menu. */
const menuItemInEvent = component('MenuItemInEvent', menuItem.append({ deleted: yesOrNo().example(false) }));

/** An option group after a change. `deleted` is true if the change removed it. */
const optionGroupInEvent = component('OptionGroupInEvent', optionGroup.append({ deleted: yesOrNo().example(false) }));

/** Identifies a user and the current version of their PIN. Never contains the PIN, its hash or a token. */
const pinShape = { user_id: id().example(5), version: id() };
const pinVersion = object(pinShape);

/** A status change for one item in an order. */
const itemStatusChangeShape = {
  item_id: id().example(2201),
  from: orderStatus.example('received'),
  to: orderStatus.example('preparing'),
};
const itemStatusChange = component('ItemStatusChange', object(itemStatusChangeShape));

const preparingItems = orderInEventExample.items.map((item) => ({ ...item, status: 'preparing' }));
const preparing = { status: 'preparing', items: preparingItems };
/** Creates the example of an order that was placed earlier and has just changed. */
const changedOrder = (change: Record<string, unknown>) =>
  orderInEvent.example({ ...orderInEventExample, version: 2, created_at: '2026-11-20T20:58:00.000Z', ...change });

const seenExample = { seen_at: '2026-11-20T21:00:00.000Z', seen_on: 'kitchen-1' };
const readExample = { allergies_read_at: '2026-11-20T21:01:00.000Z' };
/**
 * The stations that showed the order, or acknowledged its allergies, for the first time. Absent in events from earlier releases,
 * which are about all of the order's stations.
 */
const newStations = optional(list(text(32).example('kitchen')));

/** The schema for the data in each type of event. */
export const eventData = {
  'order.created': object({ order: orderInEvent }),
  'order.status_changed': object({
    order: changedOrder(preparing),
    from: orderStatus.example('received'),
    to: orderStatus.example('preparing'),
    /** The items that changed with the order. Absent in events from earlier releases, which may still be in the stream. */
    changed_items: optional(list(itemStatusChange)),
    actor,
    reason: optional(text(200).example('Confirmed at the table')),
  }),
  'order.item_status_changed': object({
    order: changedOrder(preparing),
    ...itemStatusChangeShape,
    actor,
  }),
  'order.seen': object({
    order: changedOrder({ ...seenExample, stations: [{ ...stationExample, ...seenExample }] }),
    device: text(64).example('kitchen-1'),
    stations: newStations,
  }),
  'order.allergies_read': object({
    order: changedOrder({
      allergies: 'peanuts',
      ...readExample,
      stations: [{ ...stationExample, ...readExample }],
    }),
    actor,
    stations: newStations,
  }),
  'order.table_changed': object({
    order: changedOrder({ table: '14' }),
    from: nullable(tableName().example('12')),
    /** The new table; null if the order has no table and only its seating changes. */
    to: nullable(tableName().example('14')),
    /** The seating from which the order was moved, which receives this event too; null if the order had none. */
    from_seating: nullable(id().example(88)),
    actor,
  }),
  'bill.changed': object({
    bill,
    change: object({
      kind: oneOf(...billChanges).example('payment_recorded'),
      payment_id: optional(id()),
      line_id: optional(id()),
    }),
    /** The seating from which the bill was moved, which receives this event too. */
    from_seating: optional(id()),
    /** The users whose last order on this bill was moved to another bill. They receive this event too. */
    from_user_ids: optional(list(id())),
    actor,
  }),
  'call.changed': object({ call: tableCall, actor }),
  'seating.closed': object({ seating: id().example(88), table: tableName().example('12'), closed_at: time() }),
  'table.changed': object({
    table: tableInEvent,
    reason: tableChange.example('opened'),
    /** The table's previous seating, if the table now has another seating or none. */
    previous_seating: nullable(id()).example(null),
  }),
  'day.closed': object({ number: id().example(214), business_date: date(), hash: sha256() }),
  'menu.item_changed': object({ item: menuItemInEvent }),
  'option_group.changed': object({ group: optionGroupInEvent }),
  'security.transaction_password_created': pinVersion,
  'security.transaction_password_changed': pinVersion,
  'security.transaction_password_blocked': object({
    ...pinShape,
    blocked_until: nullable(time().example('2026-11-20T21:30:00.000Z')),
  }),
  'security.transaction_password_reset': pinVersion,
  'stops.changed': stops,
  'ordering.changed': ordering,
  'ordering.settings_changed': object({ restaurant }),
  'transfer.posted': object({ transfer, party_ids: list(id().example(5)).example([5, 6]) }),
  'pix.receipt_changed': object({ receipt: pixReceiptInEvent }),
} as const satisfies Record<EventType, Joi.AnySchema>;

export type EventData<T extends EventType> = Infer<(typeof eventData)[T]>;

/** An event in CloudEvents 1.0, structured JSON. `subject` is the resource's id; `time` is RFC 3339 in UTC with milliseconds. */
export type CloudEvent<T extends EventType = EventType> = {
  specversion: '1.0';
  id: string;
  source: `/${string}`;
  type: T;
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  traceparent?: string;
  /**
   * The rooms that the event is sent to, separated by spaces. With them, a notifier can even send events of a type that it
   * doesn't know yet. Absent in events from earlier releases.
   */
  audience?: string;
  data: EventData<T>;
};

const audienceExamples = {
  staff: 'staff',
  order: 'staff user:5 seating:88',
  bill: 'staff seating:88 user:5',
  call: 'staff seating:88',
  table: 'staff seating:88',
  seating: 'staff seating:88',
  everyone: 'everyone',
  user: 'user:5',
  parties: 'user:5 user:6',
} as const;

/** Returns the schema for the envelope of an event of `type`, with its data [CloudEvents 1.0, structured JSON]. */
export const cloudEvent = onceEach((type: EventType) =>
  object({
    specversion: oneOf('1.0'),
    id: text(128).example('0197f3a0-5f0e-7c3a-9d6e-3f6a1c2b4d5e'),
    source: text(128).example(events[type].source),
    type: oneOf(type),
    subject: text(128).example(events[type].subject),
    time: time(),
    datacontenttype: oneOf('application/json'),
    traceparent: optional(text(55).example('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')),
    audience: optional(text(8192).example(audienceExamples[events[type].audience])),
    data: eventData[type],
  }),
);
