import type { TokenPair } from '@comanda/contracts/users';
import { problem } from '@comanda/contracts/problems';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { isPassword } from '../passwords/password.ts';
import type { Note, Origin } from '../security-log/security-log.ts';
import { beginSession } from '../sessions/sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { normalEmail } from './user.ts';
import type { UserStore } from './user-store.ts';

export type SignIn = { users: UserStore; hasher: Hasher; limits: SignInLimits; sessions: Sessions; note: Note };

/**
 * E-mail and password for a pair of tokens. An unknown e-mail, a disabled user and a wrong password are one answer and
 * take one time.
 * @throws 401 `invalid_credentials`, 429 `rate_limited`
 */
export async function signIn(
  { users, hasher, limits, sessions, note }: SignIn,
  { email: sent, password }: { email: string; password: string },
  origin: Origin,
): Promise<TokenPair> {
  const email = normalEmail(sent);
  await limits.signIn(origin.address, email);
  const user = await users.byEmail(email);
  const right = await limits.guess(email, async () => {
    const matches = await isPassword(hasher, password, user?.passwordHash ?? null);
    return matches && user?.status === 'active';
  });
  if (!user || !right) {
    if (user) await note(user.id, 'sign_in_failed', origin);
    throw problem('invalid_credentials');
  }
  const pair = await beginSession(sessions, user, null);
  await note(user.id, 'signed_in', origin);
  return pair;
}
