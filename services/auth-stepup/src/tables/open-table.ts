import type { Clock } from '@comanda/shared/runtime/clock';
import { opened } from './seating.ts';
import type { SeatingOpener, Table } from './table.ts';
import type { TableStore } from './table-store.ts';
import type { WriteTables } from './write-tables.ts';

export type OpenTableDeps = {
  tables: Pick<TableStore, 'findByName' | 'takeSeating'>;
  writeTables: WriteTables;
  clock: Clock;
};
type Opening = { name: string; openedBy: SeatingOpener; traceparent: string } & Partial<Pick<Table, 'tokenNonce'>>;
export type SeatedTable = Table & { seating: number };

/**
 * Starts a seating if the table has none. If staff open a seating that a guest has started, it counts as opened by staff. Returns
 * null if the table does not exist or its token's nonce is not `tokenNonce`. Of several concurrent calls, only one starts the
 * seating.
 */
export async function openTable(
  { tables, writeTables, clock }: OpenTableDeps,
  { name, tokenNonce, openedBy, traceparent }: Opening,
): Promise<SeatedTable | null> {
  const fits = (table: Table | null): table is Table =>
    table !== null && (tokenNonce === undefined || table.tokenNonce === tokenNonce);
  const found = await tables.findByName(name);
  if (!fits(found)) return null;
  if (isOpen(found, openedBy)) return found;

  const next = found.seating ?? (await tables.takeSeating());
  return writeTables({ traceparent }, async (session) => {
    const before = await tables.findByName(name, session);
    if (!fits(before)) return { value: null, changes: [] };
    if (isOpen(before, openedBy)) return { value: before, changes: [] };
    const seating = before.seating ?? next;
    const after = opened(before, { seating, openedBy, now: clock() });
    return { value: { ...after, seating }, changes: [{ before, after, reason: 'opened' }] };
  });
}

/** Returns true if the table has a seating whose opener would not change. */
const isOpen = (table: Table, openedBy: SeatingOpener): table is SeatedTable =>
  table.seating !== null && (openedBy === 'guest' || table.seatingOpenedBy === 'staff');
