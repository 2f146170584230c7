import type { Client, LiveOrder } from '@comanda/client/core';
import { ordersWith } from '@comanda/client/collections/orders';
import { computed, type ReadonlySignal } from '@preact/signals';
import type { Paying } from './bill/paying.ts';
import {
  atTables,
  billOf,
  findOrdersOfFormerGuests,
  openTotalOf,
  findOrdersOfUnknownTables,
  type Seated,
} from './by-table.ts';
import type { followTables } from './follow-tables.ts';

/** The orders that were delivered in the last 16 h. No guests stay longer than that. */
const deliveredOrders = ordersWith(['delivered'], { forMs: 16 * 3_600_000, max: Infinity });

type Sources = {
  orders: ReadonlySignal<readonly LiveOrder[]>;
  /** True if `orders` are loaded. */
  isRead: ReadonlySignal<boolean>;
  paying: Pick<Paying, 'bills' | 'isRead'>;
  tables: Pick<ReturnType<typeof followTables>, 'tables' | 'loadedAtMs'>;
};

/** Computes what each table owes, from `orders` and from delivered orders that the live list no longer contains. */
export function createBills(client: Client, { orders, isRead, paying, tables }: Sources) {
  const { rows: delivered, isLoaded, close } = client.collection(deliveredOrders);
  const areKnown = computed(() => isRead.value && isLoaded.value);
  const all = computed(() => {
    const byId = new Map([...delivered.value, ...orders.value].map((order) => [order.id, order]));
    return atTables(tables.tables.value, [...byId.values()]);
  });
  /** Returns a table's orders and their open `total`; the total is null until all orders are loaded. */
  const of = (table: Seated) => {
    const found = billOf(table, all.value);
    const total = areKnown.value
      ? openTotalOf(found.orders, { bills: paying.bills.value, areAllKnown: paying.isRead.value })
      : null;
    return { ...found, total };
  };
  return {
    of,
    /** All open orders, and those that were delivered today. */
    all,
    areKnown,
    ordersOfFormerGuests: (table: Seated) =>
      findOrdersOfFormerGuests(table, { orders: all.value, loadedAtMs: tables.loadedAtMs.value }),
    /** Orders for tables that don't exist. */
    ordersOfUnknownTables: computed(() =>
      tables.loadedAtMs.value > 0 ? findOrdersOfUnknownTables(tables.tables.value, all.value) : [],
    ),
    /** Returns true if guests sit at the table, or if it has something to pay. */
    isTaken: (table: Seated): boolean => table.seating !== null || of(table).orders.length > 0,
    close,
  };
}
