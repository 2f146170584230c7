import { problem } from '@comanda/contracts/problem';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { GuessOrigin, SignInLimits } from '../limits/sign-in-limits.ts';
import type { User } from './user.ts';
import type { UserStore } from './user-store.ts';
import type { TurnOwner } from '../passwords/fair-turns.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { verifyPassword } from '../passwords/password.ts';

export type CheckPasswordDeps = {
  users: Pick<UserStore, 'countWrongPassword' | 'forgetWrongPasswords'>;
  hasher: Pick<PasswordHasher, 'matches'>;
  limits: Pick<SignInLimits, 'countGuess'>;
  /** How many wrong passwords in a row are checked. After that, even the right password is rejected. */
  maxWrongPasswords: number;
  logger: Logger;
};
/** A guess at a password. `user` is null for an unknown e-mail address; the check takes the same time. */
type Guess = { user: User | null; origin: GuessOrigin; password: string; owner: TurnOwner };

/**
 * Returns true if the password is right and the user is active. Wrong passwords in a row are counted in the user's document,
 * independently of Redis. A few more guesses than allowed may be checked if they arrive before the last wrong one is stored.
 * @throws 403 `password_blocked`, 429 `rate_limited`
 */
export async function checkPassword(
  deps: CheckPasswordDeps,
  { user, origin, password, owner }: Guess,
): Promise<boolean> {
  const { users, hasher, limits, maxWrongPasswords, logger } = deps;
  const active = user?.status === 'active' ? user : null;
  if (active && active.wrongPasswords >= maxWrongPasswords) throw problem('password_blocked');
  const uncountGuess = await limits.countGuess(origin);
  const checking = verifyPassword(hasher, { password, hash: user?.passwordHash ?? null, owner });
  const matches = await checking.catch(async (error: unknown) => {
    await uncountGuess(); // The password was not checked.
    throw error;
  });
  const isRight = matches && active !== null;
  if (isRight) await uncountGuess();
  if (!active) return false;
  if (!isRight)
    // Not awaited, so that the response time does not reveal whether the e-mail address is known.
    void users.countWrongPassword(active.id).catch((error: unknown) => {
      logger.error({ err: error, user: active.id }, 'a wrong password was not counted');
    });
  if (isRight && active.wrongPasswords > 0) await users.forgetWrongPasswords(active.id);
  return isRight;
}
