import type { TokenPair } from '@comanda/contracts/sessions';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { Origin } from '../security-log/security-event.ts';
import { exchangeRefreshToken, refreshRefused, type ExchangeDeps } from './exchange-refresh-token.ts';

export type RefreshSessionDeps = ExchangeDeps & { limits: Pick<SignInLimits, 'countRefresh'> };

/**
 * Exchanges a refresh token for a new pair of tokens. If the seating has ended, a customer's session continues without a seat,
 * but a guest's session is over.
 * @throws 401 `invalid_refresh_token`; 429 `rate_limited`; 503 `service_unavailable` if too many exchanges for this session run
 * at the same time
 */
export async function refreshSession(
  deps: RefreshSessionDeps,
  { refreshToken, origin }: { refreshToken: string; origin: Origin },
): Promise<TokenPair> {
  const presented = deps.refreshTokens.read(refreshToken);
  await deps.limits.countRefresh(origin.address, presented?.sessionId ?? null);
  if (!presented) throw refreshRefused();
  return exchangeRefreshToken(deps, presented, { origin });
}
