import { problem, unavailable } from '@comanda/contracts/problem';
import type { AuditType } from '@comanda/contracts/audit';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { UserRequest } from '@comanda/shared/http/service-client';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AuditEntry } from '../security-log/audit-entry.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { WriteAudited } from '../security-log/write-audited.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import { closeTable, type CloseTableDeps } from './close-table.ts';
import type { Table, TableTokens } from './table.ts';
import type { TableStore } from './table-store.ts';
import { tableChanged } from './write-tables.ts';

export type ChangeTableDeps = {
  users: Pick<UserStore, 'lockManager'>;
  tables: Pick<TableStore, 'findByName' | 'insert' | 'update' | 'forgetScans' | 'newNonce' | 'delete'>;
  tableTokens: Pick<TableTokens, 'currentKeyId'>;
  writeAudited: WriteAudited;
  tableOutbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};
type ChangeTableInput = { name: string; caller: Pick<Caller, 'userId' | 'role'>; origin: Origin };

type PutTable = { kind: 'inserted' | 'updated'; table: Table };

/**
 * Adds a table, or replaces the code of an existing table. Guests who scanned the old code are signed out, wherever they sit now.
 * If two tables whose names read the same are added at the same time, only one is stored: both transactions number an audit
 * entry, so the later one sees the other's table.
 * @throws 409 `table_exists`; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a manager
 */
export async function putTable(
  { users, tables, tableTokens, writeAudited, tableOutbox, clock }: ChangeTableDeps,
  input: ChangeTableInput & { traceparent: string },
): Promise<PutTable> {
  const { currentKeyId: keyId } = tableTokens;
  const { messages, ...put } = await writeAudited<PutTable & { messages: readonly Message[] }>(async (session) => {
    await authorizeManager({ users }, input.caller.userId, session);
    const now = clock();
    const before = await tables.findByName(input.name, session);
    if (!before) {
      const table = await tables.insert(input.name, { keyId, now }, session);
      const value = { kind: 'inserted' as const, table, messages: [] };
      return { value, entries: [entryOf(input, 'table_added', now)] };
    }
    if (before.name !== input.name) throw problem('table_exists');
    await tables.forgetScans(before.tokenNonce, session);
    const table = withNewCode((await tables.findByName(input.name, session)) ?? before, {
      tokenNonce: tables.newNonce(),
      tokenKeyId: keyId,
      rotatedAt: now,
    });
    const message = tableChanged(
      { before, after: table, reason: 'code_changed' },
      { now: new Date(now), traceparent: input.traceparent },
    );
    const value = { kind: 'updated' as const, table, messages: await tables.update(table, { message, session }) };
    return { value, entries: [entryOf(input, 'table_code_changed', now)] };
  });
  tableOutbox.publishNow(input.name, messages);
  return put;
}

const withNewCode = (table: Table, code: Pick<Table, 'tokenNonce' | 'tokenKeyId' | 'rotatedAt'>): Table => ({
  ...table,
  ...code,
  version: table.version + 1,
});

export type RemoveTableDeps = ChangeTableDeps & CloseTableDeps;

/**
 * Closes a table and removes it together with its code. The name must match exactly; otherwise, a repeated call could remove
 * another table whose name reads the same.
 * @throws 404 `not_found`; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a manager; 503 `service_unavailable`
 * if the table cannot be closed, or guests sit down at the same moment
 */
export async function removeTable(
  deps: RemoveTableDeps,
  input: ChangeTableInput & { request: UserRequest },
): Promise<void> {
  const { users, tables, writeAudited, clock } = deps;
  const named = await tables.findByName(input.name);
  if (named?.name !== input.name) throw problem('not_found');
  await closeTable(deps, input.name, input.request);
  return writeAudited(async (session) => {
    await authorizeManager({ users }, input.caller.userId, session);
    const removed = await tables.delete(input.name, session);
    if (!removed) throw problem('not_found');
    if (removed.seating !== null) throw seatedMeanwhile();
    return { value: undefined, entries: [entryOf(input, 'table_removed', clock())] };
  });
}

const seatedMeanwhile = () =>
  unavailable({ detail: 'Guests have just sat down at this table. Repeat the request in a second.' });

const entryOf = ({ name, caller, origin }: ChangeTableInput, type: AuditType, time: number): AuditEntry => ({
  type,
  time,
  actor: { id: caller.userId, role: caller.role },
  userId: null,
  details: { table: name },
  origin,
});
