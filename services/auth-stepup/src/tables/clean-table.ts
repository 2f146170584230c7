import { problem } from '@comanda/contracts/problem';
import type { cleanTable as contract } from '@comanda/contracts/tables';
import type { Call } from '@comanda/shared/http/api';
import { left } from './seating.ts';
import type { Table } from './table.ts';
import type { TableStore } from './table-store.ts';
import type { WriteTables } from './write-tables.ts';

type CleanTableDeps = { tables: Pick<TableStore, 'findByName'>; writeTables: WriteTables };

/** Handles `POST /tables/{table}/clean`: marks the table as free. @throws 404 `not_found`; 409 `table_seated` */
export function cleanTable(
  { tables, writeTables }: CleanTableDeps,
  { params, context }: Call<typeof contract>,
): Promise<Table> {
  return writeTables(context, async (session) => {
    const before = await tables.findByName(params.table, session);
    if (!before) throw problem('not_found');
    if (before.seating !== null) throw problem('table_seated');
    if (!before.needsCleaning) return { value: before, changes: [] };
    const after = left(before, { needsCleaning: false });
    return { value: after, changes: [{ before, after, reason: 'cleaned' }] };
  });
}
