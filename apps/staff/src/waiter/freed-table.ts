import type { Table } from '@comanda/contracts/tables';
import { tableNamed } from './by-table.ts';

/**
 * The table that was freed with its bill; null if there is none, if guests sit there again, or before its orders are loaded. With
 * open orders that belong to no seating, it is not free.
 */
export type Freed = { table: string | null; isToClean: boolean; openCount: number };

type Freeable = Pick<Table, 'table' | 'seating' | 'status'>;
type Sources = {
  tables: readonly Freeable[];
  /** Null before the orders are loaded. */
  countOpen: (table: Freeable) => number | null;
};

export function freedTable(name: string | null, { tables, countOpen }: Sources): Freed {
  const named = tableNamed(tables, name);
  const table = named?.seating === null ? named : undefined;
  const openCount = table ? countOpen(table) : null;
  if (!table || openCount === null) return { table: null, isToClean: false, openCount: 0 };
  return { table: table.table, isToClean: table.status === 'to_clean', openCount };
}
