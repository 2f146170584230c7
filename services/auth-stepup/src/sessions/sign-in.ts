import { problem } from '@comanda/contracts/problem';
import type { TokenPair } from '@comanda/contracts/users';
import { networkOf } from '@comanda/shared/http/client-address';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { verifyPassword } from '../passwords/password.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import { normalizeEmail } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';
import { beginSession, type BeginSessionDeps } from './begin-session.ts';

export type SignInDeps = BeginSessionDeps & {
  users: Pick<UserStore, 'findByEmail'>;
  hasher: Hasher;
  limits: Pick<SignInLimits, 'countSignIn' | 'countGuess'>;
  recordSecurityEvent: RecordSecurityEvent;
  logger: Logger;
};

/**
 * Exchanges e-mail address and password for a pair of tokens. An unknown address, a disabled user and a wrong password
 * get the same answer after the same time.
 * @throws 401 `invalid_credentials`, 429 `rate_limited`
 */
export async function signIn(
  deps: SignInDeps,
  { email: givenEmail, password }: { email: string; password: string },
  origin: Origin,
): Promise<TokenPair> {
  const { users, hasher, limits, recordSecurityEvent, logger } = deps;
  const email = normalizeEmail(givenEmail);
  await limits.countSignIn(origin.address, email);
  const user = await users.findByEmail(email);
  const isRight = await limits.countGuess(email, async () => {
    const matches = await verifyPassword(hasher, { password, hash: user?.passwordHash ?? null });
    return matches && user?.status === 'active';
  });
  if (!user || !isRight) {
    // Not awaited: the time of the answer does not tell whether the e-mail address is known.
    if (user) void recordSecurityEvent({ userId: user.id, type: 'sign_in_failed', origin });
    else logger.info({ network: networkOf(origin.address) }, 'sign-in failed: no user has this e-mail address');
    throw problem('invalid_credentials');
  }

  const pair = await beginSession(deps, { user, seat: null }, origin);
  await recordSecurityEvent({ userId: user.id, type: 'signed_in', origin });
  return pair;
}
