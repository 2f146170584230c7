import type { LiveOrder } from '@comanda/client/core';
import { expect, test } from '@jest/globals';
import { atTables, billOf, findOrdersOfUnknownTables, waitingTables } from './by-table.ts';

const order = (id: number, table: string): LiveOrder =>
  ({
    id,
    table,
    seating: null,
    status: 'received',
    items: [{ id, status: 'received', quantity: 1 }],
    placed_by: { id: 5, name: 'Walter', role: 'waiter' },
    created_at: '2026-11-28T20:00:00Z',
    currency: 'BRL',
  }) as unknown as LiveOrder;
const idsOf = (orders: readonly LiveOrder[]) => orders.map(({ id }) => id);
const table = (name: string) => ({ table: name, seating: null });

test('orders for one table in upper and lower case share a card and a bill', () => {
  const orders = [order(1, 't9'), order(2, 'T9'), order(3, '10')];
  const tables = [table('T9'), table('10')];

  const written = atTables(tables, orders);

  expect(waitingTables(orders, () => 0).map(({ orders: group }) => idsOf(group))).toEqual([[1, 2], [3]]);
  expect(idsOf(billOf(table('T9'), written).orders)).toEqual([1, 2]);
  expect(findOrdersOfUnknownTables(tables, written)).toEqual([]);
});

test('two tables that differ only in case keep their own orders if an earlier release stored them', () => {
  const tables = [table('T9'), table('t9')];
  const written = atTables(tables, [order(1, 't9'), order(2, 'T9')]);

  expect(tables.map((each) => idsOf(billOf(each, written).orders))).toEqual([[2], [1]]);
});
