import { problem } from '@comanda/contracts/problem';
import type { ServiceClient, UserRequest } from '@comanda/shared/http/service-client';
import { endSeatingInOrders } from './end-seating-in-orders.ts';
import { left } from './seating.ts';
import type { TableStore } from './table-store.ts';
import type { WriteTables } from './write-tables.ts';

export type CloseTableDeps = {
  tables: Pick<TableStore, 'findByName' | 'findBySeating'>;
  writeTables: WriteTables;
  orders: Pick<ServiceClient, 'call'>;
  /** True if a table must be cleaned before it counts as free. */
  tableCleaning: boolean;
};

/**
 * Ends the seating at a table and at the tables joined with it. No more orders are accepted for the seating, and its guests are
 * signed out. The orders service is called first. If a later step fails, the table still has its seating, so the call can be
 * repeated.
 * @throws 404 `not_found`; 503 `service_unavailable`: the table is not closed
 */
export async function closeTable(
  { tables, writeTables, orders, tableCleaning }: CloseTableDeps,
  name: string,
  request: UserRequest,
): Promise<void> {
  const table = await tables.findByName(name);
  if (!table) throw problem('not_found');
  const { seating } = table;
  if (seating === null) return;
  await endSeatingInOrders(orders, { seating, table: table.name }, request);
  await writeTables(request.context, async (session) => {
    const seated = await tables.findBySeating(seating, session);
    const changes = seated.map((before) => ({
      before,
      after: left(before, { needsCleaning: tableCleaning }),
      reason: 'closed' as const,
    }));
    return { value: undefined, changes };
  });
}
