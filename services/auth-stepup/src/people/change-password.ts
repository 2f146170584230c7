import { problem } from '@comanda/contracts/problems';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { hashNewPassword, isPassword } from '../passwords/password.ts';
import type { Note, Origin } from '../security-log/security-log.ts';
import { sessionIdOf } from '../sessions/access-token.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { UserStore } from './user-store.ts';

type PasswordDesk = { users: UserStore; sessions: SessionStore; hasher: Hasher; limits: SignInLimits; note: Note };
type Wanted = { current: string; password: string };

/**
 * One's own password; every session but the one that asks ends with the same write.
 * @throws 403 `password_invalid`, 422 `password_too_weak`, 429 `rate_limited`
 */
export async function changePassword(
  { users, sessions, hasher, limits, note }: PasswordDesk,
  { current, password }: Wanted,
  { caller, origin }: { caller: Caller; origin: Origin },
): Promise<void> {
  const user = await users.byId(caller.userId);
  if (user?.status !== 'active' || user.email === null || user.passwordHash === null) throw problem('invalid_token');
  const { passwordHash: oldHash } = user;
  const right = await limits.guess(user.email, () => isPassword(hasher, current, oldHash));
  if (!right) {
    await note(user.id, 'password_wrong', origin);
    throw problem('password_invalid');
  }
  if (password === current) throw problem('password_too_weak', { detail: 'Choose another than the current.' });
  const passwordHash = await hashNewPassword(hasher, password, user);
  const change = { passwordHash, mustChangePassword: false };
  const changed = await users.changeAndEndSessions(user.id, change, { ifPasswordHash: oldHash });
  if (!changed) throw problem('password_invalid', { detail: 'It was changed at the same time.' });
  await sessions.keepThrough(sessionIdOf(caller.jti), {
    userId: user.id,
    from: changed.sessionEpoch - 1,
    to: changed.sessionEpoch,
  });
  await note(user.id, 'password_changed', origin);
}
