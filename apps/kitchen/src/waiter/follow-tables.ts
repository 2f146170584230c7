import type { Client, LiveOrder } from '@comanda/client';
import type { Table } from '@comanda/contracts/tables';
import { computed } from '@preact/signals';
import { byTableName, tableNamed } from './by-table.ts';

const loadSoonMs = 1_000;

/** Follows the tables and their seatings. */
export function followTables({ calls, collection }: Pick<Client, 'calls' | 'collection'>) {
  const { rows, loadedAtMs, failure, load, close } = collection('tables');
  let soon: ReturnType<typeof setTimeout> | undefined;
  /** Returns true if the order is for a seating that started after the table was loaded. */
  const isOfLaterSeating = ({ table, seating }: LiveOrder): boolean => {
    const known = tableNamed(rows.peek(), table);
    return seating !== null && known !== undefined && (known.seating ?? 0) < seating;
  };
  return {
    tables: computed(() => [...rows.value].sort(byTableName)),
    loadedAtMs,
    /** Why they are not known; null once they were loaded. */
    failure: computed(() => (loadedAtMs.value === 0 ? failure.value : null)),
    load,
    /** Loads the tables again if these orders show that one was opened. */
    takeOrders: (orders: readonly LiveOrder[]): void => {
      if (orders.some(isOfLaterSeating))
        soon ??= setTimeout(() => void load().finally(() => (soon = undefined)), loadSoonMs);
    },
    /** Starts a seating. @throws CallFailure */
    open: ({ table }: Table): Promise<Table> => calls.openTable({ table }),
    /** Ends the seating. @throws CallFailure */
    end: async ({ table }: Table): Promise<void> => {
      await calls.closeTable({ table });
      await load();
    },
    close: (): void => {
      close();
      clearTimeout(soon);
    },
  };
}
