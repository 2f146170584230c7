import { actorShape } from './actor.ts';
import { askedOptions } from './item-options.ts';
import { endpoint, roles, staff } from './endpoint.ts';
import { instant } from './instant.ts';
import { sentMeasure } from './measure.ts';
import { order, orderInEventExample, orderStatus, stationExample, statuses } from './order.ts';
import { maxItemsOfOrder, maxQuantity, optionLimits, undoDeliveryMinutes } from './rules.ts';
import {
  amount,
  component,
  exactlyOneOf,
  id,
  line,
  list,
  nullable,
  object,
  oneOf,
  optional,
  pagesByTime,
  someOf,
  tableName,
  text,
  time,
} from './schema.ts';

const preparingExample = {
  ...orderInEventExample,
  status: 'preparing',
  version: 2,
  items: orderInEventExample.items.map((item) => ({ ...item, status: 'preparing' })),
  updated_at: '2026-11-20T21:04:00.000Z',
  allowed_transitions: ['ready', 'received', 'cancelled'],
};
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

/** Problems of calls that cancel or move items. Paid items can't be cancelled or moved until their payments are refunded. */
export const refusedByBill = ['bill_not_open', 'bill_item_settled', 'bill_overpaid'] as const;
const orderId = { id: id().example(1042) };
const changeShape = {
  status: orderStatus.example('preparing'),
  reason: optional(line(200).example('Confirmed at the table')),
};

const orderLine = component(
  'OrderLine',
  exactlyOneOf(
    object({
      item_id: optional(id()),
      name: optional(line(255)),
      quantity: id().max(maxQuantity),
      remarks: optional(text(500)),
      options: askedOptions,
      unit_price: optional(amount()),
      measure: optional(sentMeasure()),
    }),
    'item_id',
    'name',
  ),
);
const sizeOfOrder = `An order has at most ${maxItemsOfOrder} items, and these at most ${optionLimits.maxOptionsOfItems} options.`;
export const placeOrder = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/orders',
  name: 'placeOrder',
  who: roles,
  idempotencyKey: 'accepted',
  summary: 'Place an order',
  details: `Names, their translations and prices come from the current menu. Staff send \`unit_price\` for dishes with \`pricing\` \`open\`, and \`measure\` in kg and \`quantity\` 1 for \`per_kg\`. Either all items are ordered or none. ${sizeOfOrder} A guest orders for the table whose QR code they scanned; other users may name a table. If you get no response, repeat the same request with the same \`Idempotency-Key\`: the order is placed once. The key belongs to the user and to orders: with another body it is rejected. Calls for bills and accounts do not know it. A repetition waits up to 2 seconds for the first request to finish, then returns 409 \`request_in_progress\`.`,
  body: object({
    items: list(orderLine).min(1).max(50),
    table: optional(tableName()),
    seating: optional(id()),
    allergies: optional(line(200)),
  }).example({ items: [{ name: 'Feijoada', quantity: 2, remarks: 'sem pimenta' }], table: '12' }),
  exampleNeeds: 'a dish on offer',
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
    'options_invalid',
    'unprocessable_content',
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
  exampleNeeds: 'an order',
  responses: {
    200: { about: 'The order', body: order, headers: ['ETag'] },
    304: { about: 'Not changed since the version in `If-None-Match`', body: null, headers: ['ETag'] },
  },
  problems: ['not_found'],
});
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
    status: optional(someOf(statuses).example('received,preparing')),
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
  body: object(changeShape),
  exampleNeeds: 'an order',
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
  details: `\`item_id\` is \`items[].id\` of the order, not the id of the dish. Once an item was delivered, only a manager cancels it, even if it went back (403 \`forbidden\`). With \`cancelled\`, \`quantity_left\` says how many units stay: the others become a cancelled item at the end of \`items\`, with \`split_from\`. The rest keeps its id and its discounts. If no more units are left, or the item is cancelled, nothing changes, so you may repeat the call. ${sizeOfOrder}`,
  params: { id: id().example(1042), item_id: id().example(2201) },
  body: object({ ...changeShape, quantity_left: optional(id().max(maxQuantity - 1)) }).example({
    status: 'preparing',
    reason: 'Confirmed at the table',
  }),
  exampleNeeds: 'an order',
  responses: { 200: { about: 'The order', body: order.example(preparingExample), headers: ['ETag'] } },
  problems: ['not_found', 'unprocessable_content', 'illegal_transition', 'version_mismatch', ...refusedByBill],
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
  exampleNeeds: 'an order',
  responses: { 200: { about: 'The order', body: movedOrder, headers: ['ETag'] } },
  problems: ['not_found', 'version_mismatch', 'seating_closed', ...refusedByBill],
});
/** The stations whose dishes a screen shows. An order has at most 50 stations, one per item. */
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
  exampleNeeds: 'an order',
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
  exampleNeeds: 'an order',
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
  exampleNeeds: 'an order',
  responses: {
    200: { about: 'All changes, with time, user and reason', body: list(historyEntry).example(historyExample) },
  },
  problems: ['not_found'],
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
