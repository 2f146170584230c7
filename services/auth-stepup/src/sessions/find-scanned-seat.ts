import { problem } from '@comanda/contracts/problem';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { SeatingOpener, Table, TableTokens } from '../tables/table.ts';
import type { TableStore } from '../tables/table-store.ts';
import type { Seat } from './session.ts';

export type FindScannedSeatDeps = {
  tables: Pick<TableStore, 'findByName' | 'openSeating'>;
  tableTokens: TableTokens;
  limits: Pick<SignInLimits, 'countGuest'>;
  /** `guest`: the first scan opens a seating; `staff`: a scan joins only a seating that staff have opened. */
  seatingOpenedBy: SeatingOpener;
};

/**
 * The seat of somebody who has scanned a table's QR code.
 * @throws 401 `table_token_invalid`, 403 `seating_not_open`, 429 `rate_limited`
 */
export async function findScannedSeat(deps: FindScannedSeatDeps, token: string): Promise<Seat> {
  const { tables, tableTokens, limits } = deps;
  const tableName = tableTokens.readName(token);
  if (tableName === null) throw problem('table_token_invalid');
  await limits.countGuest(token);
  const table = await tables.findByName(tableName);
  if (!table || !tableTokens.matches(token, table)) throw problem('table_token_invalid');
  return { table: table.name, seating: await findSeating(deps, table), tokenNonce: table.tokenNonce };
}

async function findSeating({ tables, seatingOpenedBy }: FindScannedSeatDeps, table: Table): Promise<number> {
  if (seatingOpenedBy === 'staff') {
    if (table.seating === null || table.seatingOpenedBy !== 'staff') throw problem('seating_not_open');
    return table.seating;
  }
  const opened = await tables.openSeating(table, 'guest');
  if (!opened?.seating) throw problem('table_token_invalid');
  return opened.seating;
}
