import { problem } from '@comanda/contracts/problem';
import type { TokenPair } from '@comanda/contracts/users';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { GuestStore } from '../tables/guest-store.ts';
import { openTable } from '../tables/open-table.ts';
import type { SeatingOpener, Table, TableTokens } from '../tables/table.ts';
import type { TableStore } from '../tables/table-store.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { beginSession, type BeginSessionDeps } from './begin-session.ts';
import { guestSessionMs } from './session.ts';

export type StartGuestSessionDeps = BeginSessionDeps & {
  tables: Pick<TableStore, 'findByName' | 'takeSeating'>;
  writeTables: WriteTables;
  guests: Pick<GuestStore, 'insert'>;
  tableTokens: TableTokens;
  limits: Pick<SignInLimits, 'countGuest'>;
  /** `guest`: the first scan opens a seating; `staff`: a scan joins only a seating that staff have opened. */
  seatingOpenedBy: SeatingOpener;
};

/**
 * Begins the session of a new guest, who has scanned a table's QR code.
 * @throws 401 `table_token_invalid`, 403 `seating_not_open`, 429 `rate_limited`
 */
export async function startGuestSession(
  deps: StartGuestSessionDeps,
  { table_token: token, name }: { table_token: string; name?: string },
  { origin, traceparent }: { origin: Origin; traceparent: string },
): Promise<TokenPair> {
  const { tables, guests, tableTokens, limits, clock } = deps;
  const tableName = tableTokens.readName(token);
  if (tableName === null) throw problem('table_token_invalid');
  await limits.countGuest(token);
  const table = await tables.findByName(tableName);
  if (!table || !tableTokens.matches(token, table)) throw problem('table_token_invalid');
  const seating = await findSeating(deps, { table, traceparent });

  const now = clock();
  const guest = await guests.insert({
    name: name ?? `Table ${table.name}`,
    createdAt: now,
    sessionEndsAt: now + guestSessionMs,
  });
  const seat = { table: table.name, seating, tokenNonce: table.tokenNonce };
  return beginSession(deps, { user: guest, seat }, origin);
}

async function findSeating(
  deps: StartGuestSessionDeps,
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
