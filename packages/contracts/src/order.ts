import { itemOptions } from './item-options.ts';
import { measure } from './measure.ts';
import { maxQuantity } from './rules.ts';
import {
  component,
  currencyCode,
  id,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  text,
  time,
  type FromShape,
  type Infer,
} from './schema.ts';
import { nameTranslations } from './translations.ts';

export const statuses = ['received', 'preparing', 'ready', 'delivered', 'cancelled'] as const;
export const orderStatus = component('OrderStatus', oneOf(...statuses));
export type OrderStatus = (typeof statuses)[number];

export const orderItem = component(
  'OrderItem',
  object({
    id: id(),
    item_id: id(),
    name: text(255).example('Feijoada'),
    /** The dish's name in other languages; absent if it had no translations. */
    name_translations: optional(nameTranslations),
    quantity: id().max(maxQuantity).example(2),
    remarks: text(500).example('sem pimenta'),
    unit_price: money(),
    /** The weight of a dish that is priced by the kilogram. Null for others; absent in items from earlier releases. */
    measure: optional(nullable(measure)),
    station: text(32).example('kitchen'),
    status: orderStatus,
    /**
     * The time when the item was first delivered, even if its status has changed back since; only a manager may then cancel it.
     * Null if the item was never delivered; absent in items from earlier releases.
     */
    first_delivered_at: optional(nullable(time())),
    /** The options that were chosen. This field and the next two are absent in items from earlier releases. */
    options: optional(itemOptions),
    /** The dish's name for the kitchen; null if the kitchen reads `name`. */
    kitchen_name: optional(nullable(text(24))).example(null),
    /** The id of the combo's item that this item belongs to; null if the item is no component. */
    part_of: optional(nullable(id())).example(null),
    /**
     * The item to which these units belonged until staff cancelled or moved them as a part of it. Null if there is none; absent in
     * items from earlier releases.
     */
    split_from: optional(nullable(id())),
    /** The item that this one replaces free of charge, and why. Null if there is none; absent in items from earlier releases. */
    remake: optional(nullable(object({ of: id().example(2201), reason: text(200).example('Burnt') }))),
  }),
);
/** An order's state at one station: when a screen there first showed it, and when staff there acknowledged its allergies. */
export const stationOfOrder = component(
  'StationOfOrder',
  object({
    station: text(32).example('kitchen'),
    /** The time when one of the station's screens first showed the order; null until then. */
    seen_at: nullable(time()),
    /** The screen that first showed the order; null until then, and in orders from earlier releases. */
    seen_on: nullable(text(64).example('kitchen-1')),
    /** The time when staff at the station first acknowledged the allergies; null until then. */
    allergies_read_at: nullable(time()),
  }),
);
const orderShape = {
  id: id(),
  ticket: id(),
  table: nullable(text(16).example('12')),
  seating: nullable(id()),
  /** The id of the order's bill. Null in orders from the first release; absent in the events of that release. */
  bill_id: optional(nullable(id())),
  /** The order from which these items were moved. Null if there is none; absent in orders from earlier releases. */
  split_from: optional(nullable(id())),
  status: orderStatus,
  version: id(),
  allergies: nullable(text(200).example('peanuts')),
  /** The time at which every station with a dish that is not cancelled had shown the order; null until then. */
  seen_at: nullable(time()),
  /** The screen at the last station to show the order. Null in orders from earlier releases; absent in their events. */
  seen_on: optional(nullable(text(64).example('kitchen-1'))),
  /**
   * The time at which every station with a dish that is not cancelled had acknowledged the allergies; null until then. Absent in
   * events from earlier releases.
   */
  allergies_read_at: optional(nullable(time())),
  /** The order's state at each of its items' distinct stations. Absent in earlier releases, which have only the fields above. */
  stations: optional(list(stationOfOrder)),
  /** The time when the order became `delivered`; null in any other status. */
  delivered_at: nullable(time()),
  items: list(orderItem),
  total: money().example('65.00'),
  currency: currencyCode(),
  placed_by: object({ id: id(), name: text(255).example('Ana') }),
  created_at: time(),
  updated_at: time(),
};
export const stationExample = { station: 'kitchen', seen_at: null, seen_on: null, allergies_read_at: null };
/** The example order in the API documents. */
export const orderInEventExample = {
  id: 1042,
  ticket: 37,
  table: '12',
  seating: 88,
  bill_id: 312,
  split_from: null,
  status: 'received',
  version: 1,
  allergies: null,
  seen_at: null,
  seen_on: null,
  allergies_read_at: null,
  stations: [stationExample],
  delivered_at: null,
  items: [
    {
      id: 2201,
      item_id: 7,
      name: 'Feijoada',
      name_translations: { en: 'Black bean stew' },
      quantity: 2,
      remarks: 'sem pimenta',
      unit_price: '32.50',
      measure: null,
      station: 'kitchen',
      status: 'received',
      first_delivered_at: null,
      options: [],
      kitchen_name: null,
      part_of: null,
      split_from: null,
      remake: null,
    },
  ],
  total: '65.00',
  currency: 'BRL',
  placed_by: { id: 5, name: 'Ana' },
  created_at: '2026-11-20T21:00:00.000Z',
  updated_at: '2026-11-20T21:00:00.000Z',
};
/** An order in an event: without `allowed_transitions`, which depend on the recipient. */
export const orderInEvent = component('OrderInEvent', object(orderShape).example(orderInEventExample));
export const order = component(
  'Order',
  object({ ...orderShape, allowed_transitions: list(orderStatus) }).example({
    ...orderInEventExample,
    allowed_transitions: ['preparing', 'cancelled'],
  }),
);
export type Order = Infer<typeof order>;
export type OrderInEvent = FromShape<typeof orderShape>;
