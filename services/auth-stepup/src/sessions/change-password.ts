import { problem } from '@comanda/contracts/problem';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { checkPassword, type CheckPasswordDeps } from '../users/check-password.ts';
import { passwordTurnOf, type PasswordHasher } from '../passwords/password-hasher.ts';
import { assertStrong, hashStrong } from '../passwords/password.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { UserStore } from '../users/user-store.ts';
import { sessionIdOf } from '../session-id.ts';
import type { SessionStore } from './session-store.ts';

export type ChangePasswordDeps = CheckPasswordDeps & {
  users: Pick<UserStore, 'findById' | 'updateAndEndSessions'>;
  sessions: Pick<SessionStore, 'updateEpoch'>;
  hasher: PasswordHasher;
  recordSecurityEvent: RecordSecurityEvent;
};

/**
 * Changes the caller's own password. A weak new password is rejected first, because checking the current one needs a slow hash. A
 * single write ends all sessions; after that, the caller's session continues.
 * @throws 403 `password_invalid`, `password_blocked`, 422 `password_too_weak`, 429 `rate_limited`
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  { current, password }: { current: string; password: string },
  { caller, origin }: { caller: Caller; origin: Origin },
): Promise<void> {
  const { users, sessions, hasher, recordSecurityEvent } = deps;
  const { userId } = caller;
  const user = await users.findById(userId);
  if (user?.status !== 'active') throw problem('invalid_token');
  const { name, email, passwordHash: currentHash } = user;
  if (password === current)
    throw problem('password_too_weak', { detail: 'Choose a password that differs from the current one.' });
  const owner = passwordTurnOf(origin.address, user);
  await assertStrong(hasher, { password, name, email, owner });
  const sessionId = sessionIdOf(caller.jti);
  const isRight = await checkPassword(deps, { user, origin: { sessionId }, password: current, owner });
  if (!isRight) {
    await recordSecurityEvent({ userId, type: 'password_wrong', origin });
    throw problem('password_invalid');
  }

  const passwordHash = await hashStrong(hasher, { password, owner });
  const change = { passwordHash, mustChangePassword: false };
  const changed = await users.updateAndEndSessions(userId, change, { ifPasswordHash: currentHash });
  if (!changed)
    throw problem('password_invalid', {
      detail:
        'Another request changed the password at the same time. Nothing was changed by this one. Try again with the current password.',
    });
  const epochs = { from: changed.sessionEpoch - 1, to: changed.sessionEpoch };
  await sessions.updateEpoch(sessionId, { userId, ...epochs });
  await recordSecurityEvent({ userId, type: 'password_changed', origin });
}
