import { expect, test } from '@jest/globals';
import { maxItemsOfOrder, optionLimits } from '@comanda/contracts/rules';
import { Problem } from '@comanda/contracts/problem';
import { cancelUnits } from '../src/orders/order-rules.ts';
import type { Order, OrderItem } from '../src/orders/order.ts';
import { anItem, anOrder } from './support/orders.ts';

const now = new Date('2026-11-20T21:30:00Z');
/** An order with 3 beers and so many cancelled items that it has `count` items. */
const orderWith = (count: number, fields: Partial<OrderItem> = {}): Order =>
  anOrder([
    anItem({ quantity: 3, ...fields }),
    ...Array.from({ length: count - 1 }, (_, index) => anItem({ id: index + 2, status: 'cancelled' })),
  ]);
const leave = (order: Order, quantityLeft: number) =>
  cancelUnits(order, { itemId: 1, quantityLeft, newItemId: 500, to: 'cancelled', viewerRole: 'staff', now });
const codeOf = (changed: unknown) => (changed instanceof Problem ? changed.code : null);

test('an order never gets more than 300 items', () => {
  const full = orderWith(maxItemsOfOrder);
  const delivered = orderWith(maxItemsOfOrder, { status: 'delivered', deliveredAt: now, firstDeliveredAt: now });

  expect(leave(orderWith(maxItemsOfOrder - 1), 1)).toMatchObject({ items: { length: 300 } });
  expect(codeOf(leave(full, 1))).toBe('unprocessable_content');
  expect(leave(full, 3)).toBe(full);
  expect(codeOf(leave(delivered, 1))).toBe('forbidden');
  expect(leave(delivered, 3)).toBe(delivered);
});

test('the items of an order never get more than 2000 options', () => {
  const option = { id: 31, group: 'Extras', name: 'Onions', kitchen_name: null, quantity: 1, of: null, price: '0.00' };
  const nested = { ...option, item_id: null, options: [{ ...option, item_id: null, options: [] }] };
  const orderOf = (options: number): Order =>
    orderWith(1, { options: Array.from({ length: options / 2 }, () => nested) });
  const most = optionLimits.maxOptionsOfItems / 2;

  expect(leave(orderOf(most), 1)).toMatchObject({ items: { length: 2 } });
  expect(codeOf(leave(orderOf(most + 2), 1))).toBe('unprocessable_content');
  expect(leave(orderOf(most + 2), 3)).toMatchObject({ items: { length: 1 } });
});
