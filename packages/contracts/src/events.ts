import type Joi from 'joi';
import { bill, billChange } from './bills.ts';
import { tableCall } from './calls.ts';
import { menuItem, ordering } from './menu.ts';
import { actor, orderInEvent, orderInEventExample, orderStatus, stationExample } from './orders.ts';
import {
  id,
  list,
  component,
  nullable,
  object,
  optional,
  tableName,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { stops } from './stops.ts';
import { tableChange } from './tables.ts';
import { transfer } from './transfers.ts';
import { tableInEvent } from './users.ts';

/**
 * The users who receive an event. `order`: staff, the customer who placed the order, and the guests in its seating. `bill`:
 * staff, the guests in its seating, and users who have ordered or paid. `call`, `seating`: staff and the guests in the seating.
 * `table`: staff, and guests who sit there or have just left. `everyone`: all users. `user` and `parties`: only the users whose
 * ids are in the data.
 */
type Audience = 'order' | 'bill' | 'call' | 'table' | 'seating' | 'everyone' | 'user' | 'parties';
type EventContract<S extends Joi.AnySchema> = {
  /** Completes the sentence "Published when …". */
  when: string;
  audience: Audience;
  /** The service that publishes the event. */
  source: '/orders' | '/auth-stepup' | '/transfers';
  /** An example of the resource's id that matches the example data. */
  subject: string;
  data: S;
};
const event = <S extends Joi.AnySchema>(contract: EventContract<S>): EventContract<S> => contract;

/** A dish, including if this change removed it from the menu. */
const menuItemInEvent = component('MenuItemInEvent', menuItem.append({ deleted: yesOrNo().example(false) }));

/** The user and the current version of the PIN, but never the PIN, its hash or a token. */
const pinShape = { user_id: id().example(5), version: id() };
const pinVersion = object(pinShape);

/** A status change for one item in an order. */
const itemStatusChangeShape = {
  item_id: id().example(2201),
  from: orderStatus.example('received'),
  to: orderStatus.example('preparing'),
};
const itemStatusChange = component('ItemStatusChange', object(itemStatusChangeShape));

const ofOrder = { audience: 'order', source: '/orders', subject: '1042' } as const;
const ofPin = { audience: 'user', source: '/auth-stepup', subject: '5' } as const;

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

/** All events with their data, keyed by CloudEvents type. */
export const events = {
  'order.created': event({
    ...ofOrder,
    when: 'an order is placed',
    data: object({ order: orderInEvent }),
  }),
  'order.status_changed': event({
    ...ofOrder,
    when: 'the status of an order changes; `changed_items` are the items that changed with it',
    data: object({
      order: changedOrder(preparing),
      from: orderStatus.example('received'),
      to: orderStatus.example('preparing'),
      /** The items that changed with the order. Absent in events from earlier releases, which may still be in the stream. */
      changed_items: optional(list(itemStatusChange)),
      actor,
      reason: optional(text(200).example('Confirmed at the table')),
    }),
  }),
  'order.item_status_changed': event({
    ...ofOrder,
    when: 'the status of a single item changes',
    data: object({
      order: changedOrder(preparing),
      ...itemStatusChangeShape,
      actor,
    }),
  }),
  'order.seen': event({
    ...ofOrder,
    when: 'a screen shows an order for the first time at one or more of its stations',
    data: object({
      order: changedOrder({ ...seenExample, stations: [{ ...stationExample, ...seenExample }] }),
      device: text(64).example('kitchen-1'),
      stations: newStations,
    }),
  }),
  'order.allergies_read': event({
    ...ofOrder,
    when: 'staff confirm for the first time, at one or more stations, that they have read the allergies of an order',
    data: object({
      order: changedOrder({
        allergies: 'peanuts',
        ...readExample,
        stations: [{ ...stationExample, ...readExample }],
      }),
      actor,
      stations: newStations,
    }),
  }),
  'order.table_changed': event({
    ...ofOrder,
    when: 'an order moves to another table or seating; for another seating, `from` may equal `to`',
    data: object({
      order: changedOrder({ table: '14' }),
      from: nullable(tableName().example('12')),
      /** The new table; null if the order has no table and only its seating changes. */
      to: nullable(tableName().example('14')),
      /** The seating that the order leaves, which receives this event too; null if there was none. */
      from_seating: nullable(id().example(88)),
      actor,
    }),
  }),
  'bill.changed': event({
    when: 'a bill changes: a cancelled or moved dish, a discount, a payment, its end. A new order only publishes `order.created` with `bill_id`: then load the bill',
    audience: 'bill',
    source: '/orders',
    subject: '312',
    data: object({
      bill,
      change: object({
        kind: billChange.example('payment_recorded'),
        payment_id: optional(id()),
        line_id: optional(id()),
      }),
      /** The seating that the bill leaves, which receives this event too. */
      from_seating: optional(id()),
      /** The users whose last order leaves the bill. They receive this event too. */
      from_user_ids: optional(list(id())),
      actor,
    }),
  }),
  'call.changed': event({
    when: 'a table calls, and when staff take, release or finish the call, or it is cancelled',
    audience: 'call',
    source: '/orders',
    subject: '51',
    data: object({ call: tableCall, actor }),
  }),
  'seating.closed': event({
    when: 'a table is closed; from then on, orders for its seating are rejected',
    audience: 'seating',
    source: '/orders',
    subject: '88',
    data: object({ seating: id().example(88), table: tableName().example('12'), closed_at: time() }),
  }),
  'table.changed': event({
    when: 'a table is opened, closed, cleaned, moved, joined with another one, or gets a new code. Guests whose seating is `previous_seating` refresh their tokens after a move or join; `seating.closed` ends a stay',
    audience: 'table',
    source: '/auth-stepup',
    subject: '12',
    data: object({
      table: tableInEvent,
      reason: tableChange.example('opened'),
      /** The table's previous seating, if the table now has another seating or none. */
      previous_seating: nullable(id()).example(null),
    }),
  }),
  'menu.item_changed': event({
    when: 'a dish changes, including its removal and its portions, which orders reduce',
    audience: 'everyone',
    source: '/orders',
    subject: '7',
    data: object({ item: menuItemInEvent }),
  }),
  'security.transaction_password_created': event({
    ...ofPin,
    when: 'a user creates their PIN',
    data: pinVersion,
  }),
  'security.transaction_password_changed': event({
    ...ofPin,
    when: 'a user changes their PIN',
    data: pinVersion,
  }),
  'security.transaction_password_blocked': event({
    ...ofPin,
    when: 'a PIN is blocked after wrong attempts; if `blocked_until` is null, only a reset unblocks it',
    data: object({ ...pinShape, blocked_until: nullable(time().example('2026-11-20T21:30:00.000Z')) }),
  }),
  'security.transaction_password_reset': event({
    ...ofPin,
    when: 'a user sets a new PIN after a manager has approved the reset',
    data: pinVersion,
  }),
  'stops.changed': event({
    when: 'a manager stops or resumes transfers or sign-ups; `version` grows with each change',
    audience: 'everyone',
    source: '/auth-stepup',
    subject: 'stops',
    data: stops,
  }),
  'ordering.changed': event({
    when: 'ordering is paused or resumed; `version` grows with each change',
    audience: 'everyone',
    source: '/orders',
    subject: 'ordering',
    data: ordering,
  }),
  'transfer.posted': event({
    when: 'a transfer or deposit is posted',
    audience: 'parties',
    source: '/transfers',
    subject: '310',
    data: object({ transfer, party_ids: list(id().example(5)).example([5, 6]) }),
  }),
} as const;

export type EventType = keyof typeof events;
/** Returns the event types that the service `source` publishes. */
export const eventTypesOf = (source: EventContract<Joi.AnySchema>['source']): EventType[] =>
  (Object.keys(events) as EventType[]).filter((type) => events[type].source === source);
export type EventData<T extends EventType> = Infer<(typeof events)[T]['data']>;

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
   * The rooms that the event is sent to, separated by spaces. They let a notifier send events whose type is newer than the
   * notifier. Absent in events from earlier releases.
   */
  audience?: string;
  data: EventData<T>;
};
