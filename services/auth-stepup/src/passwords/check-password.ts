import { problem } from '@comanda/contracts/problem';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { User } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';
import type { Hasher } from './hasher.ts';
import { verifyPassword } from './password.ts';

export type CheckPasswordDeps = {
  users: Pick<UserStore, 'countWrongPassword' | 'forgetWrongPasswords'>;
  hasher: Hasher;
  limits: Pick<SignInLimits, 'countGuess'>;
  /** So many wrong passwords in a row, and none is checked any more. */
  maxWrongPasswords: number;
};
/** `user` is null if nobody has this e-mail address: that takes as long. */
type Guess = { user: User | null; email: string; password: string };

/**
 * Whether it is the password of this active user. Wrong ones in a row are counted in the user's document, whatever Redis
 * says. Guesses that run at the same moment may exceed the count.
 * @throws 403 `password_blocked`, 429 `rate_limited`, 503 `service_unavailable`
 */
export async function checkPassword(deps: CheckPasswordDeps, { user, email, password }: Guess): Promise<boolean> {
  const { users, hasher, limits, maxWrongPasswords } = deps;
  const active = user?.status === 'active' ? user : null;
  if (active && active.wrongPasswords >= maxWrongPasswords) throw problem('password_blocked');
  const isRight = await limits.countGuess(email, async () => {
    const matches = await verifyPassword(hasher, { password, hash: user?.passwordHash ?? null });
    return matches && active !== null;
  });
  if (!active) return false;
  if (!isRight) await users.countWrongPassword(active.id);
  else if (active.wrongPasswords > 0) await users.forgetWrongPasswords(active.id);
  return isRight;
}
