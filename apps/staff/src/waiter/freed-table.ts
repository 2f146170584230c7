import type { Table } from '@comanda/contracts/tables';
import { tableNamed } from './by-table.ts';

/**
 * The table that was freed together with its bill. `table` is null if there is none, if guests sit there again, or until the
 * orders are loaded. A table with open orders without a seating isn't free yet; `openCount` is their number.
 */
export type ClosedTable = { table: string | null; isToClean: boolean; openCount: number };

type Freeable = Pick<Table, 'table' | 'seating' | 'status'>;
type Sources = {
  tables: readonly Freeable[];
  /** Returns how many open orders the table has; null until the orders are loaded. */
  countOpen: (table: Freeable) => number | null;
};

export function freedTable(name: string | null, { tables, countOpen }: Sources): ClosedTable {
  const named = tableNamed(tables, name);
  const table = named?.seating === null ? named : undefined;
  const openCount = table ? countOpen(table) : null;
  if (!table || openCount === null) return { table: null, isToClean: false, openCount: 0 };
  return { table: table.table, isToClean: table.status === 'to_clean', openCount };
}
