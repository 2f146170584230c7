import type { SignInSession } from '@comanda/contracts/sessions';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import { userNotActive } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';
import { sessionIdOf } from '../session-id.ts';
import type { SessionStore } from './session-store.ts';

type ListSessionsDeps = {
  sessions: Pick<SessionStore, 'listOpen'>;
  users: Pick<UserStore, 'findById'>;
  clock: Clock;
};

/** Returns the caller's own open sessions, most recently used first. */
export async function listSessions(
  { sessions, users, clock }: ListSessionsDeps,
  { userId, jti }: Pick<Caller, 'userId' | 'jti'>,
): Promise<SignInSession[]> {
  const user = await users.findById(userId);
  if (user?.status !== 'active') throw userNotActive();
  const open = await sessions.listOpen({ userId, epoch: user.sessionEpoch, now: clock() });
  const current = sessionIdOf(jti);
  return open.map(({ id, authTime, lastUse, expiresAt }) => ({
    id,
    is_current: id === current,
    user_agent: lastUse.userAgent,
    address: lastUse.address,
    created_at: new Date(authTime).toISOString(),
    last_used_at: new Date(lastUse.at).toISOString(),
    ends_at: new Date(expiresAt).toISOString(),
  }));
}
