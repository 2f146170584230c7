import { expect, test } from '@jest/globals';
import type { LiveOrder } from '@comanda/client';
import { billOf, strayOrdersOf, waitingTables } from './by-table.ts';

const order = (id: number, table: string): LiveOrder =>
  ({
    id,
    table,
    seating: null,
    status: 'ready',
    currency: 'BRL',
    created_at: '2026-11-28T20:00:00.000Z',
    placed_by: { name: 'Ana' },
    items: [{ id: 1, status: 'ready', quantity: 1 }],
  }) as unknown as LiveOrder;

test('orders for T9 and t9 wait at one table, which is known', () => {
  const orders = [order(1, 'T9'), order(2, 't9'), order(3, 'T\u00ad9'), order(4, 'T90')];

  const waiting = waitingTables(orders, () => 0).map((each) => each.orders.map(({ id }) => id));
  expect(waiting).toEqual([[1, 2, 3], [4]]);
  expect(billOf({ table: 'T9', seating: null }, orders).openCount).toBe(3);
  expect(strayOrdersOf([{ table: 'T9' }], orders).map(({ id }) => id)).toEqual([4]);
});
