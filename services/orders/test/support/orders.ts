import { statusOf } from '@comanda/contracts/transitions';
import { unmarked, type Order, type OrderItem } from '../../src/orders/order.ts';

const createdAt = new Date('2026-11-20T21:00:00Z');

/** Creates an item for 10.00 that was just received. */
export const anItem = (fields: Partial<OrderItem> = {}): OrderItem => ({
  id: 1,
  itemId: 70,
  name: 'Feijoada',
  nameTranslations: {},
  quantity: 1,
  remarks: '',
  unitPriceMinor: 1000,
  measure: null,
  options: [],
  kitchenName: null,
  partOf: null,
  station: 'kitchen',
  status: 'received',
  holdsPortions: true,
  deliveredAt: null,
  ...unmarked,
  firstDeliveredAt: null,
  splitFrom: null,
  remake: null,
  ...fields,
});

/** Creates an order with these items by the user with id 5. */
export function anOrder(items: readonly OrderItem[], fields: Partial<Order> = {}): Order {
  const location = { table: '7', seating: 88 };
  return {
    id: 1042,
    ticket: 37,
    ownerId: 5,
    ownerName: 'Ana',
    placedByStaff: false,
    billId: 312,
    splitFrom: null,
    ...location,
    originalLocation: { ...location, billId: 312 },
    moveRequests: [],
    status: statusOf(items),
    version: 4,
    changedVersion: 4,
    allergies: null,
    items,
    currency: 'BRL',
    carriedEvent: null,
    deliveredAt: null,
    createdAt,
    updatedAt: createdAt,
    ...fields,
  };
}
