import type { AuditedWork } from '../security-log/audited-work.ts';
import { opened } from './seating.ts';
import type { SeatingOpener, Table } from './table.ts';
import type { TableStore } from './table-store.ts';
import { writeTables, type WriteTablesDeps } from './write-tables.ts';

export type OpenTableDeps = WriteTablesDeps & {
  tables: Pick<TableStore, 'findByName' | 'takeSeating'>;
  unitOfWork: AuditedWork<'tables'>;
};
type Opening = { name: string; openedBy: SeatingOpener; traceparent: string } & Partial<Pick<Table, 'tokenNonce'>>;
export type SeatedTable = Table & { seating: number };

/**
 * Starts a seating if the table has none. If staff open a seating that a guest has started, the seating is stored as opened by
 * staff. Returns null if the table does not exist or its token's nonce is not `tokenNonce`. Of several concurrent calls, only one
 * starts the seating.
 */
export async function openTable(
  deps: OpenTableDeps,
  { name, tokenNonce, openedBy, traceparent }: Opening,
): Promise<SeatedTable | null> {
  const { tables, unitOfWork, clock } = deps;
  const fits = (table: Table | null): table is Table =>
    table !== null && (tokenNonce === undefined || table.tokenNonce === tokenNonce);
  const found = await tables.findByName(name);
  if (!fits(found)) return null;
  if (isOpen(found, openedBy)) return found;

  const next = found.seating ?? (await tables.takeSeating());
  return unitOfWork.run(async (session) => {
    const before = await tables.findByName(name, session);
    if (!fits(before)) return { value: null, unchanged: true };
    if (isOpen(before, openedBy)) return { value: before, unchanged: true };
    const seating = before.seating ?? next;
    const after = opened(before, { seating, openedBy, now: clock() });
    const changes = [{ before, after, reason: 'opened' as const }];
    const events = await writeTables(deps, { changes, traceparent }, session);
    return { value: { ...after, seating }, records: [], events };
  });
}

/** Returns true if the table already has a seating, and opening the table again would change nothing. */
const isOpen = (table: Table, openedBy: SeatingOpener): table is SeatedTable =>
  table.seating !== null && (openedBy === 'guest' || table.seatingOpenedBy === 'staff');
