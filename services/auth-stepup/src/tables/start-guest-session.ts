import { problem } from '@comanda/contracts/problem';
import type { TokenPair } from '@comanda/contracts/users';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import { beginSession } from '../sessions/begin-session.ts';
import type { BeginSessionDeps } from '../sessions/begin-session.ts';
import type { UserStore } from '../users/user-store.ts';
import type { TableTokens } from './table.ts';
import type { TableStore } from './table-store.ts';

export type StartGuestSessionDeps = BeginSessionDeps & {
  tables: Pick<TableStore, 'findByName' | 'openSeating'>;
  tableTokens: TableTokens;
  limits: Pick<SignInLimits, 'countGuest'>;
  users: Pick<UserStore, 'insert'>;
};

/**
 * A new user without e-mail address and password, for whoever has scanned a table's QR code. The first guest opens the
 * seating.
 * @throws 401 `table_token_invalid`, 429 `rate_limited`
 */
export async function startGuestSession(
  deps: StartGuestSessionDeps,
  { table_token: token, name }: { table_token: string; name?: string },
): Promise<TokenPair> {
  const { tables, tableTokens, limits, users, clock } = deps;
  const tableName = tableTokens.readName(token);
  if (tableName === null) throw problem('table_token_invalid');
  await limits.countGuest(token);
  const table = await tables.findByName(tableName);
  if (!table || !tableTokens.matches(token, table)) throw problem('table_token_invalid');
  const seating = await tables.openSeating(table);
  if (seating === null) throw problem('table_token_invalid');

  const user = await users.insert({
    name: name ?? `Table ${table.name}`,
    email: null,
    passwordHash: null,
    role: 'customer',
    mustChangePassword: false,
    createdAt: clock(),
  });
  return beginSession(deps, { user, seat: { table: table.name, seating, tokenNonce: table.tokenNonce } });
}
