import type { TokenPair } from '@comanda/contracts/users';
import { problem } from '@comanda/contracts/problems';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { UserStore } from '../people/user-store.ts';
import { beginSession } from '../sessions/sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { TableTokens } from './table.ts';
import type { TableStore } from './table-store.ts';

export type Hall = {
  tables: TableStore;
  tokens: TableTokens;
  limits: SignInLimits;
  users: UserStore;
  sessions: Sessions;
};

/**
 * A user without a sign-in, for whoever scanned the code of a table; the first one begins the seating.
 * @throws 401 `table_token_invalid`, 429 `rate_limited`
 */
export async function beGuest(
  { tables, tokens, limits, users, sessions }: Hall,
  { table_token: token, name }: { table_token: string; name?: string },
): Promise<TokenPair> {
  const tableName = tokens.nameIn(token);
  if (tableName === null) throw problem('table_token_invalid');
  await limits.guest(token);
  const table = await tables.byName(tableName);
  if (!table || !tokens.isOf(token, table)) throw problem('table_token_invalid');
  const seating = await tables.seat(table);
  if (seating === null) throw problem('table_token_invalid');
  const user = await users.insert({
    name: name ?? `Table ${table.name}`,
    email: null,
    passwordHash: null,
    role: 'customer',
    mustChangePassword: false,
    createdAt: sessions.clock(),
  });
  return beginSession(sessions, user, { table: table.name, seating, tokenNonce: table.tokenNonce });
}
