import { problem } from '@comanda/contracts/problem';
import type { cleanTable as contract } from '@comanda/contracts/tables';
import type { Call } from '@comanda/shared/http/api';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { left } from './seating.ts';
import type { Table } from './table.ts';
import type { TableStore } from './table-store.ts';
import { writeTables, type WriteTablesDeps } from './write-tables.ts';

export type CleanTableDeps = WriteTablesDeps & {
  tables: Pick<TableStore, 'findByName'>;
  unitOfWork: AuditedWork<'tables'>;
};

/** Handles `POST /tables/{table}/clean`: marks the table as free. @throws 404 `not_found`; 409 `table_seated` */
export function cleanTable(deps: CleanTableDeps, { params, context }: Call<typeof contract>): Promise<Table> {
  return deps.unitOfWork.run(async (session) => {
    const before = await deps.tables.findByName(params.table, session);
    if (!before) throw problem('not_found');
    if (before.seating !== null) throw problem('table_seated');
    if (!before.needsCleaning) return { value: before, unchanged: true };
    const after = left(before, { needsCleaning: false });
    const changes = [{ before, after, reason: 'cleaned' as const }];
    const events = await writeTables(deps, { changes, traceparent: context.traceparent }, session);
    return { value: after, records: [], events };
  });
}
