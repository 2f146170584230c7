import Joi from 'joi';
import { roles, endpoint, staff } from './endpoint.ts';
import { maxQuantity, undoDeliveryMinutes } from './rules.ts';
import { instant } from './instant.ts';
import {
  currencyCode,
  exactlyOneOf,
  id,
  line,
  list,
  money,
  component,
  nullable,
  object,
  oneOf,
  optional,
  pagesByTime,
  tableName,
  text,
  time,
  type FromShape,
  type Infer,
} from './schema.ts';
import { nameTranslations } from './translations.ts';
import { role } from './users.ts';

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
    station: text(32).example('kitchen'),
    status: orderStatus,
    /**
     * The time of the item's first delivery, even if the item has gone back since; only a manager may then cancel it. Null if the
     * item was never delivered; absent in items from earlier releases.
     */
    first_delivered_at: optional(nullable(time())),
  }),
);
/** An order's state at one station: shown by its screens, and acknowledged by its staff. */
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
  /** The order's bill. Null in orders from the first release; absent in their events. */
  bill_id: optional(nullable(id())),
  status: orderStatus,
  version: id(),
  allergies: nullable(text(200).example('peanuts')),
  /** The time by which all stations with a dish that is not cancelled have shown the order; null until then. */
  seen_at: nullable(time()),
  /** The screen at the last of these stations to show the order. Null in orders from earlier releases; absent in their events. */
  seen_on: optional(nullable(text(64).example('kitchen-1'))),
  /** The time by which all these stations have acknowledged the allergies. Absent in events from earlier releases. */
  allergies_read_at: optional(nullable(time())),
  /** The same facts for each of the items' distinct stations. Absent in earlier releases, which have only the fields above. */
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
      station: 'kitchen',
      status: 'received',
      first_delivered_at: null,
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
const preparingExample = {
  ...orderInEventExample,
  status: 'preparing',
  version: 2,
  items: orderInEventExample.items.map((item) => ({ ...item, status: 'preparing' })),
  updated_at: '2026-11-20T21:04:00.000Z',
  allowed_transitions: ['ready', 'received', 'cancelled'],
};
export type OrderInEvent = FromShape<typeof orderShape>;

const actorShape = { id: id().example(3), role: role.example('waiter') };
/** The author of a change, without the name: events go to guests too, who must not learn the names of staff. */
export const actor = component('Actor', object(actorShape));
export const historyEntry = component(
  'HistoryEntry',
  object({
    at: time(),
    actor: object({ ...actorShape, name: optional(text(255).example('Marta')) }),
    what: oneOf('status', 'table'),
    from: nullable(text(64).example('received')),
    to: text(64).example('preparing'),
    item_id: optional(id()),
    reason: optional(text(200).example('Confirmed at the table')),
    version: id(),
  }),
);

/** Paid items can't be cancelled or moved until they are refunded. */
const refusedByBill = ['bill_not_open', 'bill_item_settled', 'bill_overpaid'] as const;
const orderId = { id: id().example(1042) };
const change = object({
  status: orderStatus.example('preparing'),
  reason: optional(line(200).example('Confirmed at the table')),
});

const orderLine = component(
  'OrderLine',
  exactlyOneOf(
    object({
      item_id: optional(id()),
      name: optional(line(255)),
      quantity: id().max(maxQuantity),
      remarks: optional(text(500)),
    }),
    'item_id',
    'name',
  ),
);
export const placeOrder = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/orders',
  name: 'placeOrder',
  who: roles,
  idempotencyKey: 'accepted',
  summary: 'Place an order',
  details:
    'Names, their translations and prices come from the current menu. Either all items are ordered or none. A guest orders for the table whose QR code they scanned; other users may name a table. If you get no response, repeat the same request with the same `Idempotency-Key`: the order is placed once. The key belongs to the user and to this service. With another body it is rejected, and other services do not know it. A repetition waits up to 2 seconds for the first request to finish, then returns 409 `request_in_progress`.',
  body: object({
    items: list(orderLine).min(1).max(50),
    table: optional(tableName()),
    seating: optional(id()),
    allergies: optional(line(200)),
  }).example({ items: [{ name: 'Feijoada', quantity: 2, remarks: 'sem pimenta' }], table: '12' }),
  responses: {
    201: {
      about: 'The new order',
      body: order,
      headers: ['Location', 'ETag', 'Idempotent-Replayed'],
    },
  },
  problems: [
    'forbidden',
    'menu_item_unknown',
    'menu_item_unavailable',
    'ordering_paused',
    'table_code_required',
    'table_mismatch',
    'seating_closed',
    'seating_full',
    'too_many_open_items',
  ],
});
export const getOrder = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/orders/{id}',
  name: 'getOrder',
  who: roles,
  summary: 'Get one order',
  params: orderId,
  responses: {
    200: { about: 'The order', body: order, headers: ['ETag'] },
    304: { about: 'Not changed since the version in `If-None-Match`', body: null, headers: ['ETag'] },
  },
  problems: ['not_found'],
});
/** One status, or several separated by commas. */
const statusList = Joi.string()
  .pattern(/^(received|preparing|ready|delivered|cancelled)(,(received|preparing|ready|delivered|cancelled)){0,4}$/)
  .messages({ 'string.pattern.base': `{{#label}} must be one or more of ${statuses.join(', ')}, separated by commas` })
  .example('received,preparing');
export const listOrders = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/orders',
  name: 'listOrders',
  who: roles,
  summary: 'List orders: customers see their own, guests those of their seating, staff all',
  details:
    'Follow `Link` until there is none. Each page shows its orders as they were at one moment. An order that keeps to the statuses in `status` while you read all pages is listed once, even if it changes from one of them to another. An order that enters or leaves these statuses in the meantime, or is placed then, may be missing: the feed reports it. Orders closed long ago (90 days, unless the restaurant sets another number) are in no list; `GET /orders/{id}` finds them.',
  query: {
    status: optional(statusList),
    table: optional(tableName()),
    from: optional(instant()),
    to: optional(instant()),
    sort: optional(oneOf('created_at', '-created_at')),
    ...pagesByTime,
  },
  responses: { 200: { about: 'One page', body: list(order), headers: ['Link', 'Database-Epoch'] } },
  problems: [],
});
export const updateOrder = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/orders/{id}',
  name: 'updateOrder',
  who: roles,
  summary: 'Change the status of an order; customers may only cancel their own while it is `received`',
  details: `Staff move an order through \`received → preparing → ready → delivered\`, and one step back; back from \`delivered\` only for ${undoDeliveryMinutes} minutes. \`cancelled\` is final. Once an item was delivered, only a manager cancels it, even if it went back (403 \`forbidden\`). \`allowed_transitions\` of an order lists what you may do next. Setting the current status again returns 200 and changes nothing.`,
  params: orderId,
  body: change,
  responses: { 200: { about: 'The order', body: order.example(preparingExample), headers: ['ETag'] } },
  problems: ['forbidden', 'not_found', 'illegal_transition', 'version_mismatch', ...refusedByBill],
});

export const updateOrderItem = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/orders/{id}/items/{item_id}',
  name: 'updateOrderItem',
  who: staff,
  summary: 'Change the status of one item; the status of the order follows its items',
  details:
    '`item_id` is `items[].id` of the order, not the id of the dish. Once an item was delivered, only a manager cancels it, even if it went back (403 `forbidden`).',
  params: { id: id().example(1042), item_id: id().example(2201) },
  body: change,
  responses: { 200: { about: 'The order', body: order.example(preparingExample), headers: ['ETag'] } },
  problems: ['not_found', 'illegal_transition', 'version_mismatch', ...refusedByBill],
});
const movedOrder = order.example({
  ...orderInEventExample,
  table: '11',
  seating: null,
  version: 2,
  updated_at: '2026-11-20T21:04:00.000Z',
  allowed_transitions: ['preparing', 'cancelled'],
});
export const moveOrder = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/orders/{id}/table',
  name: 'moveOrder',
  who: staff,
  summary: 'Move an order to another table',
  details:
    'Without `seating`, no guests see the order at the new table. The customer who placed it still does. Moving an order to a seating that has ended returns 409 `seating_closed`.',
  params: orderId,
  body: object({ table: tableName(), seating: optional(id()) }).example({ table: '11' }),
  responses: { 200: { about: 'The order', body: movedOrder, headers: ['ETag'] } },
  problems: ['not_found', 'version_mismatch', 'seating_closed', ...refusedByBill],
});
/** The stations that a screen reports for. An order has at most 50 stations, one per item. */
const reportingStations = list(text(32).example('kitchen')).min(1).max(50);
export const markSeen = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/orders/seen',
  name: 'markSeen',
  who: staff,
  summary: 'Report that a screen has shown these orders; only the first report of each station counts',
  details:
    '`stations` are those whose dishes the screen shows; by default, all stations of the orders. A station without a dish of the order is ignored.',
  body: object({
    order_ids: list(id()).min(1).max(200),
    device: line(64).example('kitchen-1'),
    stations: optional(reportingStations),
  }).example({ order_ids: [1042], device: 'kitchen-1', stations: ['kitchen'] }),
  responses: { 204: { about: 'Recorded; unknown orders are ignored', body: null } },
  problems: [],
});
export const markAllergiesRead = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/orders/{id}/allergies-read',
  name: 'markAllergiesRead',
  who: staff,
  summary: 'Acknowledge the allergies of an order; only the first time of each station counts',
  details:
    '`stations` are those where staff have read them; by default, or without a body, all stations of the order. A station without a dish of the order is ignored. All screens show it. An order without allergies stays as it is.',
  params: orderId,
  body: object({ stations: optional(reportingStations) }).example({ stations: ['kitchen'] }),
  mayOmitBody: true,
  responses: {
    200: {
      about: 'The order',
      body: order.example({
        ...orderInEventExample,
        version: 2,
        allergies: 'peanuts',
        allergies_read_at: '2026-11-20T21:01:00.000Z',
        stations: [{ ...stationExample, allergies_read_at: '2026-11-20T21:01:00.000Z' }],
        allowed_transitions: ['preparing', 'cancelled'],
      }),
      headers: ['ETag'],
    },
  },
  problems: ['not_found'],
});
const historyExample = [
  {
    at: '2026-11-20T21:04:00.000Z',
    actor: { id: 3, role: 'waiter', name: 'Marta' },
    what: 'status',
    from: 'received',
    to: 'preparing',
    version: 2,
  },
  {
    at: '2026-11-20T21:16:00.000Z',
    actor: { id: 3, role: 'waiter', name: 'Marta' },
    what: 'status',
    from: 'preparing',
    to: 'ready',
    version: 3,
  },
];
export const getOrderHistory = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/orders/{id}/history',
  name: 'getOrderHistory',
  who: roles,
  summary: 'List the changes of an order, oldest first',
  details: 'Staff see who made each change. Customers see only the role, and the name where it is their own.',
  params: orderId,
  responses: {
    200: { about: 'All changes, with time, user and reason', body: list(historyEntry).example(historyExample) },
  },
  problems: ['not_found'],
});

const endedSeating = { seating: id().example(88), table: tableName().example('12') };
/**
 * The auth-stepup service calls this before it confirms that a table is closed, removed, or joined with another one. Safe to
 * retry.
 */
export const endSeating = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/internal/ended-seatings',
  name: 'endSeating',
  who: staff,
  callers: ['auth-stepup'],
  summary: 'End a seating: it accepts no more orders, or they go to the seating `into`',
  /** `into`: the seating that the guests now belong to. Their new orders belong to it too. */
  body: object({ ...endedSeating, into: optional(id()) }).unknown(),
  responses: {
    200: { about: 'Ended; a seating that had already ended gets the same response', body: object(endedSeating) },
  },
  problems: [],
});

export const orders = [
  placeOrder,
  getOrder,
  listOrders,
  updateOrder,
  updateOrderItem,
  moveOrder,
  markSeen,
  markAllergiesRead,
  getOrderHistory,
];
