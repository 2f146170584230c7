import { problem } from '@comanda/contracts/problem';
import type { ServiceClient, UserRequest } from '@comanda/shared/http/service-client';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { endSeatingInOrders } from './end-seating-in-orders.ts';
import { left } from './seating.ts';
import type { TableStore } from './table-store.ts';
import { writeTables, type WriteTablesDeps } from './write-tables.ts';

export type CloseTableDeps = WriteTablesDeps & {
  tables: Pick<TableStore, 'findByName' | 'findBySeating'>;
  unitOfWork: AuditedWork<'tables'>;
  orders: Pick<ServiceClient, 'call'>;
  /** True if a table must be cleaned before it is free again. */
  tableCleaning: boolean;
};

/**
 * Ends the seating at a table and at the tables joined with it. No more orders are accepted for the seating, and its guests are
 * signed out. The orders service is called first. If a later step fails, the table still has its seating, so the call can be
 * repeated.
 * @throws 404 `not_found`; 503 `service_unavailable`: the table is not closed
 */
export async function closeTable(deps: CloseTableDeps, name: string, request: UserRequest): Promise<void> {
  const { tables, unitOfWork, orders, tableCleaning } = deps;
  const table = await tables.findByName(name);
  if (!table) throw problem('not_found');
  const { seating } = table;
  if (seating === null) return;
  await endSeatingInOrders(orders, { seating, table: table.name }, request);
  await unitOfWork.run(async (session) => {
    const seated = await tables.findBySeating(seating, session);
    const changes = seated.map((before) => ({
      before,
      after: left(before, { needsCleaning: tableCleaning }),
      reason: 'closed' as const,
    }));
    if (changes.length === 0) return { value: undefined, unchanged: true };
    const events = await writeTables(deps, { changes, traceparent: request.context.traceparent }, session);
    return { value: undefined, records: [], events };
  });
}
