import type { TokenPair } from '@comanda/contracts/sessions';
import type { SessionHolder } from '../users/user.ts';
import type { AccessTokens } from './access-token.ts';
import type { Session } from './session.ts';

type TokenPairDeps = { accessTokens: AccessTokens };
type TokenPairInput = { user: SessionHolder; session: Session; refreshToken: string };

/** Signs a new access token and returns it with the session's refresh token. @throws 503 until the keys are loaded */
export function createTokenPair(
  { accessTokens }: TokenPairDeps,
  { user, session, refreshToken }: TokenPairInput,
): TokenPair {
  const { token, expiresInS } = accessTokens.issue(user, session);
  return { access_token: token, token_type: 'Bearer', expires_in: expiresInS, refresh_token: refreshToken };
}
