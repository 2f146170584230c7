import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AuditedWork } from '../security-log/audited-work.ts';
import type { Origin } from '../security-log/security-event.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import { entryOf } from './change-table.ts';
import { findMissing } from './find-missing.ts';
import type { Table, TableTokens } from './table.ts';
import type { TableStore } from './table-store.ts';

export type AddTablesDeps = {
  users: Pick<UserStore, 'lockManager'>;
  tables: Pick<TableStore, 'findAll' | 'insert'>;
  tableTokens: Pick<TableTokens, 'currentKeyId'>;
  unitOfWork: AuditedWork<'tables'>;
  clock: Clock;
};
type AddTablesCall = { caller: Pick<Caller, 'userId' | 'role'>; body: { tables: readonly string[] } };

/**
 * Adds all of these tables that are missing, in one transaction. Tables that exist stay as they are. Simultaneous calls add each
 * table once, for the same reason as in `putTable`.
 * @throws 401 `invalid_token` or 403 `forbidden` if the caller is no longer a manager
 */
export async function addTables(
  deps: AddTablesDeps,
  { caller, body }: AddTablesCall,
  origin: Origin,
): Promise<{ added: Table[]; existing: Table[] }> {
  const { tables, tableTokens, unitOfWork, clock } = deps;
  return unitOfWork.run(async (session) => {
    await authorizeManager(deps, caller.userId, session);
    const { existing, missing } = findMissing(body.tables, await tables.findAll(session));
    if (missing.length === 0) return { value: { added: [], existing }, unchanged: true };
    const now = clock();
    const added = await tables.insert(missing, { keyId: tableTokens.currentKeyId, now }, session);
    const records = missing.map((name) => entryOf({ name, caller, origin }, 'table_added', now));
    return { value: { added, existing }, records, events: [] };
  });
}
