import type { Client } from '@comanda/client';
import type { Table } from '@comanda/contracts/tables';
import { batch, signal } from '@preact/signals';
import { byTableName } from '../waiter/by-table.ts';

/** The tables as they were read, and as they were changed here since. */
export function createTableList({ calls }: Pick<Client, 'calls'>) {
  /** Null until they were read. */
  const tables = signal<readonly Table[] | null>(null);
  const failure = signal<unknown>(null);
  let changes = 0;

  async function read(): Promise<void> {
    const before = changes;
    try {
      const found = await calls.listTables();
      // The answer may be older than what was changed meanwhile: the code that it has of a table may be dead.
      if (before !== changes) return await read();
      batch(() => {
        tables.value = [...found].sort(byTableName);
        failure.value = null;
      });
    } catch (error) {
      failure.value = error;
    }
  }
  function change(name: string, put: readonly Table[]): void {
    changes += 1;
    const others = (tables.peek() ?? []).filter(({ table }) => table !== name);
    tables.value = [...others, ...put].sort(byTableName);
  }
  return {
    tables,
    failure,
    read,
    put: (table: Table): void => change(table.table, [table]),
    remove: ({ table }: Table): void => change(table, []),
  };
}
