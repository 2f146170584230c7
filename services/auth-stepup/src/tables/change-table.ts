import { problem } from '@comanda/contracts/problem';
import type { AuditType } from '@comanda/contracts/security';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AuditEntry } from '../security-log/audit-entry.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { WriteAudited } from '../security-log/write-audited.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import { closeTable, type CloseTableDeps } from './close-table.ts';
import type { EndingRequest } from './end-seating-in-orders.ts';
import type { Table, TableTokens } from './table.ts';
import type { TableStore } from './table-store.ts';

export type ChangeTableDeps = {
  users: Pick<UserStore, 'lockManager'>;
  tables: Pick<TableStore, 'upsert' | 'delete'>;
  tableTokens: Pick<TableTokens, 'currentKeyId'>;
  writeAudited: WriteAudited;
  clock: Clock;
};
type ChangeTableInput = { name: string; caller: Pick<Caller, 'userId' | 'role'>; origin: Origin };

/**
 * Adds a table, or replaces the code of an existing one.
 * @throws 401 `invalid_token` or 403 `forbidden` if the caller is not a manager any more
 */
export function putTable(
  { users, tables, tableTokens, writeAudited, clock }: ChangeTableDeps,
  input: ChangeTableInput,
): Promise<{ kind: 'inserted' | 'updated'; table: Table }> {
  return writeAudited(async (session) => {
    await authorizeManager({ users }, input.caller.userId, session);
    const time = clock();
    const value = await tables.upsert(input.name, { keyId: tableTokens.currentKeyId, now: time }, session);
    const type = value.kind === 'inserted' ? 'table_added' : 'table_code_changed';
    return { value, entries: [entryOf(input, type, time)] };
  });
}

export type RemoveTableDeps = ChangeTableDeps & CloseTableDeps;

/**
 * Closes a table, and removes it with its code.
 * @throws 404 `not_found`; 401 `invalid_token` or 403 `forbidden` if the caller is not a manager any more; 503
 * `service_unavailable` if it cannot be closed, or guests sit down at the same moment
 */
export async function removeTable(
  deps: RemoveTableDeps,
  input: ChangeTableInput & { request: EndingRequest },
): Promise<void> {
  const { users, tables, writeAudited, clock } = deps;
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
  problem('service_unavailable', { detail: 'Guests have just sat down at this table.' }, { 'Retry-After': '1' });

const entryOf = ({ name, caller, origin }: ChangeTableInput, type: AuditType, time: number): AuditEntry => ({
  type,
  time,
  actor: { id: caller.userId, role: caller.role },
  userId: null,
  details: { table: name },
  origin,
});
