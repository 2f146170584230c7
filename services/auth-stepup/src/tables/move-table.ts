import { problem } from '@comanda/contracts/problem';
import type { moveTable as contract } from '@comanda/contracts/tables';
import type { Call } from '@comanda/shared/http/api';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { left, movedTo } from './seating.ts';
import type { Table } from './table.ts';
import type { TableStore } from './table-store.ts';
import { writeTables, type WriteTablesDeps } from './write-tables.ts';

export type MoveTableDeps = WriteTablesDeps & {
  tables: Pick<TableStore, 'findByName'>;
  unitOfWork: AuditedWork<'tables'>;
  /** True if a table must be cleaned before it is free again. */
  tableCleaning: boolean;
};

/**
 * Handles `POST /tables/{table}/move`: moves the guests, with their seating, to another table. Repeating the call returns the
 * same result.
 * @throws 404 `not_found`; 409 `table_not_seated`, `table_seated`
 */
export function moveTable(deps: MoveTableDeps, { params, body, context }: Call<typeof contract>): Promise<Table> {
  const { tables, unitOfWork, tableCleaning } = deps;
  return unitOfWork.run(async (session) => {
    const from = await tables.findByName(params.table, session);
    const to = await tables.findByName(body.to, session);
    if (!from || !to) throw problem('not_found');
    const moving = body.seating ?? from.seating;
    if (moving !== null && to.seating === moving) return { value: to, unchanged: true };
    if (from.seating === null || from.seating !== moving) throw problem('table_not_seated');
    if (to.seating !== null) throw problem('table_seated');
    const after = movedTo(to, from);
    const reason = 'moved' as const;
    const changes = [
      { before: from, after: left(from, { needsCleaning: tableCleaning }), reason },
      { before: to, after, reason },
    ];
    const events = await writeTables(deps, { changes, traceparent: context.traceparent }, session);
    return { value: after, records: [], events };
  });
}
