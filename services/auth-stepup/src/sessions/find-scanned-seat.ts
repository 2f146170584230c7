import { problem } from '@comanda/contracts/problem';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import { openTable, type OpenTableDeps } from '../tables/open-table.ts';
import type { SeatingOpener, Table, TableTokens } from '../tables/table.ts';
import type { Seat } from './session.ts';

export type FindScannedSeatDeps = OpenTableDeps & {
  tableTokens: TableTokens;
  limits: Pick<SignInLimits, 'countGuest'>;
  /**
   * Who can start a seating. `guest`: the first scan starts the seating. `staff`: guests can only join a seating that staff have
   * started.
   */
  seatingOpenedBy: SeatingOpener;
};

/**
 * Returns the seat for a scanned QR code.
 * @throws 401 `table_token_invalid`, 403 `seating_not_open`, 429 `rate_limited`
 */
export async function findScannedSeat(
  deps: FindScannedSeatDeps,
  { token, traceparent }: { token: string; traceparent: string },
): Promise<Seat> {
  const { tables, tableTokens, limits } = deps;
  const tableName = tableTokens.readName(token);
  if (tableName === null) throw problem('table_token_invalid');
  await limits.countGuest(token);
  const table = await tables.findByName(tableName);
  if (!table || !tableTokens.matches(token, table)) throw problem('table_token_invalid');
  return { table: table.name, seating: await findSeating(deps, { table, traceparent }), tokenNonce: table.tokenNonce };
}

async function findSeating(
  deps: FindScannedSeatDeps,
  { table, traceparent }: { table: Table; traceparent: string },
): Promise<number> {
  if (deps.seatingOpenedBy === 'staff') {
    if (table.seating === null || table.seatingOpenedBy !== 'staff') throw problem('seating_not_open');
    return table.seating;
  }
  const { name, tokenNonce } = table;
  const opened = await openTable(deps, { name, tokenNonce, openedBy: 'guest', traceparent });
  if (!opened) throw problem('table_token_invalid');
  return opened.seating;
}
