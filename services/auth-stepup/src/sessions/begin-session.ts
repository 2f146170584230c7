import type { TokenPair } from '@comanda/contracts/sessions';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Origin } from '../security-log/security-event.ts';
import { tabletSessionMs } from '../tablets/tablet.ts';
import type { SessionHolder } from '../users/user.ts';
import type { AccessTokens } from './access-token.ts';
import { newSessionId, type RefreshTokens } from './refresh-token.ts';
import {
  expiryAt,
  guestSessionMs,
  sessionMs,
  type OnTablet,
  type Seat,
  type Session,
  type SessionLengths,
} from './session.ts';
import type { SessionStore } from './session-store.ts';
import { createTokenPair } from './token-pair.ts';

export type BeginSessionDeps = {
  sessions: Pick<SessionStore, 'insert'>;
  refreshTokens: RefreshTokens;
  accessTokens: AccessTokens;
  sessionLengths: SessionLengths;
  clock: Clock;
};

/**
 * Starts a session for `user`, who has just authenticated with the password or on a tablet, or for a guest, who always has a
 * seat. The session ends when the user's session epoch rises above the one in `user`.
 */
export async function beginSession(
  { sessions, refreshTokens, accessTokens, sessionLengths, clock }: BeginSessionDeps,
  { user, seat, tablet = null }: { user: SessionHolder; seat: Seat | null; tablet?: OnTablet | null },
  origin: Origin,
): Promise<TokenPair> {
  const now = clock();
  const id = newSessionId();
  const { token: refreshToken, hash } = refreshTokens.issue(id);
  const lengthMs = tablet ? tabletSessionMs : sessionMs(sessionLengths, user.role);
  const endsAt = now + (seat ? guestSessionMs : lengthMs);
  const session: Session = {
    id,
    userId: user.id,
    epoch: user.sessionEpoch,
    authTime: now,
    guest: seat !== null,
    seat,
    tablet,
    current: hash,
    previous: null,
    expiresAt: expiryAt(now, endsAt),
    endsAt,
    lastUse: { at: now, ...origin },
    revokedAt: null,
  };
  const pair = createTokenPair({ accessTokens }, { user, session, refreshToken });
  await sessions.insert(session);
  return pair;
}
