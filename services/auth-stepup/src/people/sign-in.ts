import type { TokenPair } from '@comanda/shared/contracts/people';
import { problem } from '@comanda/shared/contracts/problems';
import type { Hasher } from '../passwords/hasher.ts';
import { isPassword } from '../passwords/password.ts';
import { beginSession } from '../sessions/sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { normalEmail } from './user.ts';
import type { UserStore } from './user-store.ts';

export type SignIn = { users: UserStore; hasher: Hasher; sessions: Sessions };

/**
 * E-mail and password for a pair of tokens. An unknown e-mail, a disabled user and a wrong password are one answer and
 * take one time.
 * @throws 401 `invalid_credentials`
 */
export async function signIn(
  { users, hasher, sessions }: SignIn,
  { email, password }: { email: string; password: string },
): Promise<TokenPair> {
  const user = await users.byEmail(normalEmail(email));
  const right = await isPassword(hasher, password, user?.passwordHash ?? null);
  if (!user || !right || user.status !== 'active') throw problem('invalid_credentials');
  return beginSession(sessions, user, null);
}
