import type { Clock } from '@comanda/shared/runtime/clock';
import type { RefreshTokens } from './refresh-token.ts';
import type { SessionStore } from './session-store.ts';

type EndSessionDeps = { sessions: Pick<SessionStore, 'revoke'>; refreshTokens: RefreshTokens; clock: Clock };

/** Ends the session that a refresh token belongs to, even if the token was already replaced. An unknown token changes nothing. */
export async function endSession(
  { sessions, refreshTokens, clock }: EndSessionDeps,
  { refreshToken }: { refreshToken: string },
): Promise<void> {
  const presented = refreshTokens.read(refreshToken);
  if (presented) await sessions.revoke(presented.sessionId, clock());
}
