import type Joi from 'joi';
import { menuItem, ordering } from './menu.ts';
import { actor, orderInEvent, orderStatus } from './orders.ts';
import { id, list, named, nullable, object, optional, tableName, text, time, yesOrNo } from './schema.ts';
import type { Infer } from './schema.ts';
import { transfer } from './transfers.ts';

/**
 * Who hears an event: `order` = staff, the order's owner and its seating; `everyone`; `parties` and `user` = the users
 * that the data names, nobody else.
 */
type Audience = 'order' | 'everyone' | 'user' | 'parties';
const event = <S extends Joi.AnySchema>(contract: { when: string; audience: Audience; data: S }) => contract;

/** A dish, and whether it was just taken off the menu. */
const menuItemInEvent = named('MenuItemInEvent', menuItem.append({ deleted: yesOrNo() }));

/** Whose PIN, and the version that it has now; never the PIN, its hash or a token. */
const ofPinShape = { user_id: id(), version: id() };
const ofPin = object(ofPinShape);

/** Every event by its CloudEvents type, with its data. */
export const events = {
  'order.created': event({
    when: 'an order was placed',
    audience: 'order',
    data: object({ order: orderInEvent }),
  }),
  'order.status_changed': event({
    when: "an order's status moved",
    audience: 'order',
    data: object({
      order: orderInEvent,
      from: orderStatus,
      to: orderStatus,
      actor,
      reason: optional(text(200).example('Sold out')),
    }),
  }),
  'order.item_status_changed': event({
    when: "one item's status moved",
    audience: 'order',
    data: object({ order: orderInEvent, item_id: id(), from: orderStatus, to: orderStatus, actor }),
  }),
  'order.seen': event({
    when: "an order was first painted on staff's screen",
    audience: 'order',
    data: object({ order: orderInEvent, device: text(64).example('kitchen-1') }),
  }),
  'order.table_changed': event({
    when: 'an order was moved to another table',
    audience: 'order',
    data: object({ order: orderInEvent, from: nullable(tableName()), to: tableName(), actor }),
  }),
  'menu.item_changed': event({
    when: 'a dish was written, its portions by orders and its deletion included',
    audience: 'everyone',
    data: object({ item: menuItemInEvent }),
  }),
  'security.transaction_password_created': event({
    when: 'a user created their PIN',
    audience: 'user',
    data: ofPin,
  }),
  'security.transaction_password_changed': event({
    when: 'a user changed their PIN',
    audience: 'user',
    data: ofPin,
  }),
  'security.transaction_password_blocked': event({
    when: 'a PIN was blocked after wrong tries; without `blocked_until` only a reset helps',
    audience: 'user',
    data: object({ ...ofPinShape, blocked_until: nullable(time()) }),
  }),
  'security.transaction_password_reset': event({
    when: 'a user set a new PIN after a manager had approved it',
    audience: 'user',
    data: ofPin,
  }),
  'ordering.changed': event({
    when: 'ordering was paused or resumed',
    audience: 'everyone',
    data: ordering,
  }),
  'transfer.posted': event({
    when: 'a transfer or deposit was posted',
    audience: 'parties',
    data: object({ transfer, party_ids: list(id()) }),
  }),
} as const;

export type EventType = keyof typeof events;
export type EventData<T extends EventType> = Infer<(typeof events)[T]['data']>;

/** CloudEvents 1.0, structured JSON. `subject` is the resource's id; `time` is RFC 3339 UTC with milliseconds. */
export type CloudEvent<T extends EventType = EventType> = {
  specversion: '1.0';
  id: string;
  source: `/${string}`;
  type: T;
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  traceparent?: string;
  data: EventData<T>;
};
