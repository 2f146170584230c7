import type { Client } from '@comanda/client/core';
import { tables } from '@comanda/client/collections/tables';
import type { Table } from '@comanda/contracts/tables';
import { computed } from '@preact/signals';
import { byTableName } from './by-table.ts';

/** Follows the tables, and who sits at them. */
export function followTables({ calls, collection }: Pick<Client, 'calls' | 'collection'>) {
  const { rows, loadedAtMs, failure, load, close } = collection(tables);
  return {
    tables: computed(() => [...rows.value].sort(byTableName)),
    loadedAtMs,
    /** Why the tables could not be loaded; null once they are loaded. */
    failure: computed(() => (loadedAtMs.value === 0 ? failure.value : null)),
    load,
    /** Starts a seating at a free table. @throws CallFailure */
    open: ({ table }: Table): Promise<Table> => calls.openTable({ table }),
    /** Ends the table's seating. @throws CallFailure */
    end: async ({ table }: Table): Promise<void> => {
      await calls.closeTable({ table });
      await load();
    },
    close,
  };
}
