import type { Client, LiveOrder } from '@comanda/client';
import { createRetry } from '@comanda/ui/retry.ts';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Paying } from './bill/paying.ts';
import { atTables, billOf, leftOrdersOf, openTotalOf, strayOrdersOf, type Seated } from './by-table.ts';
import type { followTables } from './follow-tables.ts';

/** Bills reach back so far: no party stays longer. */
export const billsForMs = 16 * 3_600_000;

type Sources = {
  orders: ReadonlySignal<readonly LiveOrder[]>;
  /** Whether `orders` were read. */
  isRead: ReadonlySignal<boolean>;
  paying: Pick<Paying, 'bills' | 'isRead'>;
  tables: Pick<ReturnType<typeof followTables>, 'tables' | 'readAtMs'>;
};

/** What each table owes: of `orders`, and of delivered ones that the live list no longer has. */
export function createBills(client: Client, { orders, isRead, paying, tables }: Sources) {
  /** Null until they were read. */
  const delivered = signal<ReadonlyMap<number, LiveOrder> | null>(null);
  const retry = createRetry(() => void read());
  const areKnown = computed(() => isRead.value && delivered.value !== null);
  const all = computed(() => {
    const byId = new Map([...(delivered.value ?? []), ...orders.value.map((order) => [order.id, order] as const)]);
    return atTables(tables.tables.value, [...byId.values()]);
  });
  /** What a table has ordered; its `total` is null while what it has ordered is not known. */
  const of = (table: Seated) => {
    const found = billOf(table, all.value);
    const total = areKnown.value
      ? openTotalOf(found.orders, { bills: paying.bills.value, areAllKnown: paying.isRead.value })
      : null;
    return { ...found, total };
  };
  async function read(): Promise<void> {
    const from = new Date(client.now() - billsForMs).toISOString();
    const found = new Map<number, LiveOrder>();
    try {
      for await (const page of client.pages('listOrders', { status: 'delivered', from, limit: 200 }))
        for (const order of page) found.set(order.id, order);
      delivered.value = found;
    } catch (error) {
      retry.fail(error);
    }
  }
  return {
    of,
    areKnown,
    leftOrders: (table: Seated) => leftOrdersOf(table, { orders: all.value, readAtMs: tables.readAtMs.value }),
    /** For tables that do not exist. */
    strayOrders: computed(() => (tables.readAtMs.value > 0 ? strayOrdersOf(tables.tables.value, all.value) : [])),
    /** People sit there, or there is something to settle. */
    isTaken: (table: Seated): boolean => table.seating !== null || of(table).orders.length > 0,
    /** Takes the answer to a change of a delivered order. */
    apply: (order: LiveOrder): void => {
      const known = delivered.peek();
      if (known?.has(order.id)) delivered.value = new Map([...known, [order.id, order]]);
    },
    read,
    close: retry.close,
  };
}
