import type { TokenPair } from '@comanda/contracts/users';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { SessionHolder } from '../users/user.ts';
import type { AccessTokens } from './access-token.ts';
import { newSessionId, type RefreshTokens } from './refresh-token.ts';
import { expiryAt, guestSessionMs, type Seat, type Session } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { createTokenPair } from './token-pair.ts';

export type BeginSessionDeps = {
  sessions: Pick<SessionStore, 'insert'>;
  refreshTokens: RefreshTokens;
  accessTokens: AccessTokens;
  clock: Clock;
};

/**
 * Begins a session of `user`, who was authenticated just now. It ends with the user's session epoch that `user` was read
 * with.
 */
export async function beginSession(
  { sessions, refreshTokens, accessTokens, clock }: BeginSessionDeps,
  { user, seat }: { user: SessionHolder; seat: Seat | null },
): Promise<TokenPair> {
  const now = clock();
  const id = newSessionId();
  const { token: refreshToken, hash } = refreshTokens.issue(id);
  const endsAt = seat ? now + guestSessionMs : null;
  const session: Session = {
    id,
    userId: user.id,
    epoch: user.sessionEpoch,
    authTime: now,
    seat,
    current: hash,
    previous: null,
    expiresAt: expiryAt(now, endsAt),
    endsAt,
    revokedAt: null,
  };
  const pair = createTokenPair({ accessTokens }, { user, session, refreshToken });
  await sessions.insert(session);
  return pair;
}
