import { endpoint, staff } from './endpoint.ts';
import { order, orderInEventExample } from './order.ts';
import { refusedByBill } from './orders.ts';
import { maxQuantity } from './rules.ts';
import { id, line, list, object, optional, tableName } from './schema.ts';

const orderId = { id: id().example(1042) };
const [itemExample] = orderInEventExample.items;
const newOrderExample = { ...orderInEventExample, id: 1043, allowed_transitions: ['preparing', 'cancelled'] };

export const moveItems = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/orders/{id}/move-items',
  name: 'moveItems',
  who: staff,
  idempotencyKey: 'accepted',
  summary: 'Move items of an order, or a part of their quantity, to another table with their lines of the bill',
  details:
    'The items leave the order for a new one at `table` and `seating`, which is a copy in everything else. `split_from` is the id of the first order. Items keep their ids and discounts. A part of an item gets a new id and `split_from`, and its discounts stay with the rest. If only cancelled items would stay, the order itself moves, and the response is 200. If the order is there already, nothing changes (200). A repetition with the same `Idempotency-Key` returns the order as it is now. The key belongs to the user and to orders.',
  params: orderId,
  body: object({
    items: list(object({ id: id().example(2201), quantity: optional(id().max(maxQuantity).example(1)) }))
      .unique('id')
      .min(1)
      .max(50),
    table: tableName(),
    seating: optional(id()),
  }).example({ items: [{ id: 2201, quantity: 1 }], table: '11' }),
  exampleNeeds: 'an order',
  responses: {
    200: {
      about: 'The order itself, if it moved as a whole or is there already',
      body: order,
      headers: ['ETag', 'Idempotent-Replayed'],
    },
    201: {
      about: 'The new order with the moved items',
      body: order.example({
        ...newOrderExample,
        table: '11',
        seating: null,
        bill_id: 313,
        split_from: 1042,
        version: 2,
        items: [{ ...itemExample, id: 2202, quantity: 1, split_from: 2201 }],
        total: '32.50',
      }),
      headers: ['Location', 'ETag', 'Idempotent-Replayed'],
    },
  },
  problems: ['not_found', 'unprocessable_content', 'version_mismatch', 'seating_closed', ...refusedByBill],
});
export const remakeItem = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/orders/{id}/items/{item_id}/remake',
  name: 'remakeItem',
  who: staff,
  idempotencyKey: 'accepted',
  summary: 'Have the kitchen prepare an item again, free of charge',
  details:
    'Places a new order for the same customer with one item at `0.00`, on no bill. It goes to the table of the order or, if the guests have changed table since it was served, to theirs. Its `remake` names the first item and the reason. Pauses and availability do not matter. Portions are taken if there are enough for all units. The key belongs to the user and to orders.',
  params: { ...orderId, item_id: id().example(2201) },
  body: object({
    quantity: optional(id().max(maxQuantity).example(1)),
    reason: line(200).example('Burnt'),
  }).example({ quantity: 1, reason: 'Burnt' }),
  exampleNeeds: 'an order',
  responses: {
    201: {
      about: 'The new order',
      body: order.example({
        ...newOrderExample,
        bill_id: null,
        items: [{ ...itemExample, id: 2203, quantity: 1, unit_price: '0.00', remake: { of: 2201, reason: 'Burnt' } }],
        total: '0.00',
      }),
      headers: ['Location', 'ETag', 'Idempotent-Replayed'],
    },
  },
  problems: ['not_found', 'unprocessable_content', 'illegal_transition', 'seating_closed'],
});

export const orderItems = [moveItems, remakeItem];
