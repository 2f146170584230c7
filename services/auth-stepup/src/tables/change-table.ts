import { problem, unavailable } from '@comanda/contracts/problem';
import type { AuditType } from '@comanda/contracts/audit';
import type { UserRequest } from '@comanda/shared/http/service-client';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { AuditEntry } from '../security-log/audit-entry.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import type { Origin } from '../security-log/security-event.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import { closeTable, type CloseTableDeps } from './close-table.ts';
import type { Table, TableTokens } from './table.ts';
import type { TableStore } from './table-store.ts';
import { writeTables, type WriteTablesDeps } from './write-tables.ts';

export type PutTableDeps = WriteTablesDeps & {
  users: Pick<UserStore, 'lockManager'>;
  tables: Pick<TableStore, 'findByName' | 'insert' | 'forgetScans' | 'newNonce'>;
  tableTokens: Pick<TableTokens, 'currentKeyId'>;
  unitOfWork: AuditedWork<'tables'>;
};
export type ChangedTable = { name: string; caller: Pick<Caller, 'userId' | 'role'>; origin: Origin };

type PutTable = { kind: 'inserted' | 'updated'; table: Table };

/**
 * Adds a table, or replaces the code of an existing table. Guests who scanned the old code are signed out, wherever they sit now.
 * If two tables whose names read the same are added at the same time, only one is stored: both transactions need the next audit
 * number, so the later one is retried and finds the other table.
 * @throws 409 `table_exists`; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a manager
 */
export async function putTable(
  deps: PutTableDeps,
  { traceparent, ...changed }: ChangedTable & { traceparent: string },
): Promise<PutTable> {
  const { tables, tableTokens, unitOfWork, clock } = deps;
  const { currentKeyId: keyId } = tableTokens;
  return unitOfWork.run<PutTable>(async (session) => {
    await authorizeManager(deps, changed.caller.userId, session);
    const now = clock();
    const before = await tables.findByName(changed.name, session);
    if (!before) {
      const [table] = await tables.insert([changed.name], { keyId, now }, session);
      if (!table) throw problem('internal_error');
      return { value: { kind: 'inserted', table }, records: [entryOf(changed, 'table_added', now)], events: [] };
    }
    if (before.name !== changed.name) throw problem('table_exists');
    await tables.forgetScans(before.tokenNonce, session);
    const table = withNewCode((await tables.findByName(changed.name, session)) ?? before, {
      tokenNonce: tables.newNonce(),
      tokenKeyId: keyId,
      rotatedAt: now,
    });
    const changes = [{ before, after: table, reason: 'code_changed' as const }];
    const events = await writeTables(deps, { changes, traceparent }, session);
    return { value: { kind: 'updated', table }, records: [entryOf(changed, 'table_code_changed', now)], events };
  });
}

const withNewCode = (table: Table, code: Pick<Table, 'tokenNonce' | 'tokenKeyId' | 'rotatedAt'>): Table => ({
  ...table,
  ...code,
  version: table.version + 1,
});

export type RemoveTableDeps = CloseTableDeps & {
  users: Pick<UserStore, 'lockManager' | 'addEvents'>;
  tables: Pick<TableStore, 'delete'>;
};

/**
 * Closes a table and removes it together with its code. The name must match exactly; otherwise, a repeated call could remove
 * another table whose name reads the same. Events that still wait in the table's outbox move to the manager's outbox, and are
 * published from there by the sweep.
 * @throws 404 `not_found`; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a manager; 503 `service_unavailable`
 * if the table cannot be closed, or guests sit down at the same moment
 */
export async function removeTable(
  deps: RemoveTableDeps,
  { request, ...changed }: ChangedTable & { request: UserRequest },
): Promise<void> {
  const { users, tables, unitOfWork, clock } = deps;
  const named = await tables.findByName(changed.name);
  if (named?.name !== changed.name) throw problem('not_found');
  await closeTable(deps, changed.name, request);
  await unitOfWork.run(async (session) => {
    await authorizeManager(deps, changed.caller.userId, session);
    const removed = await tables.delete(changed.name, session);
    if (!removed) throw problem('not_found');
    if (removed.table.seating !== null) throw seatedMeanwhile();
    await users.addEvents(changed.caller.userId, removed.waiting, session);
    return { value: undefined, records: [entryOf(changed, 'table_removed', clock())], events: [] };
  });
}

const seatedMeanwhile = () =>
  unavailable({ detail: 'Guests have just sat down at this table. Repeat the request in a second.' });

/** Returns the audit entry for a change of a table. */
export const entryOf = ({ name, caller, origin }: ChangedTable, type: AuditType, time: number): AuditEntry => ({
  type,
  time,
  actor: { id: caller.userId, role: caller.role },
  userId: null,
  details: { table: name },
  origin,
});
