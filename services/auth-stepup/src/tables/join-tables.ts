import { problem } from '@comanda/contracts/problem';
import type { joinTables as contract } from '@comanda/contracts/tables';
import type { Call } from '@comanda/shared/http/api';
import type { ServiceClient } from '@comanda/shared/http/service-client';
import { retryOnConflict, WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { endSeatingInOrders } from './end-seating-in-orders.ts';
import { openTable, type OpenTableDeps } from './open-table.ts';
import { joinedWith } from './seating.ts';
import type { Table } from './table.ts';
import type { TableStore } from './table-store.ts';
import { writeTables } from './write-tables.ts';

export type JoinTablesDeps = OpenTableDeps & {
  tables: Pick<TableStore, 'findBySeating'>;
  orders: Pick<ServiceClient, 'call'>;
};
type JoinCall = Call<typeof contract>;

const timeoutMs = 1000;
const maxAttempts = 3;

/**
 * Handles `POST /tables/{table}/join`: gives the table the same seating as the table `to`. The table's own seating ends in the
 * orders service first, so that no order is placed for a seating without a table. If a call fails halfway, it can be repeated.
 * @throws 404 `not_found`; 422 `unprocessable_content` if both are the same table; 503 `service_unavailable`
 */
export function joinTables(deps: JoinTablesDeps, call: JoinCall): Promise<Table> {
  const deadline = performance.now() + timeoutMs;
  return retryOnConflict({ deadline, maxAttempts }, () => tryJoin(deps, call));
}

/** Tries to join the tables once. @throws WriteConflict if one of the tables was closed, moved or joined in the meantime */
async function tryJoin(deps: JoinTablesDeps, call: JoinCall): Promise<Table> {
  const { tables, unitOfWork, orders } = deps;
  const { params, body, context } = call;
  const found = await tables.findByName(params.table);
  const target = await tables.findByName(body.to);
  if (!found || !target) throw problem('not_found');
  if (found.name === target.name) throw sameTable();
  const opened = await openTable(deps, { name: target.name, openedBy: 'staff', traceparent: context.traceparent });
  if (!opened) throw problem('not_found');
  const ending = found.seating;
  if (ending === opened.seating) return found;
  if (ending !== null)
    await endSeatingInOrders(orders, { seating: ending, table: found.name, into: opened.seating }, call);

  const joined = await unitOfWork.run(async (session) => {
    const before = await tables.findByName(params.table, session);
    const to = await tables.findByName(body.to, session);
    if (!before || to?.seating !== opened.seating) return { value: null, unchanged: true };
    // Includes tables to which the guests have moved in the meantime: orders from there already belong to the other seating.
    const unseated = before.seating === null ? [before] : [];
    const joining = ending === null ? unseated : await tables.findBySeating(ending, session);
    const changes = joining.map((each) => ({ before: each, after: joinedWith(each, to), reason: 'joined' as const }));
    const value = changes.find(({ after }) => after.name === found.name)?.after ?? null;
    const events = await writeTables(deps, { changes, traceparent: context.traceparent }, session);
    return { value, records: [], events };
  });
  if (!joined) throw new WriteConflict();
  return joined;
}

const sameTable = () =>
  problem('unprocessable_content', { errors: [{ pointer: '/to', detail: 'must be another table' }] });
