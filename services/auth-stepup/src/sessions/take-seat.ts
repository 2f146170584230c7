import type { TokenPair } from '@comanda/contracts/sessions';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { Origin } from '../security-log/security-event.ts';
import { exchangeRefreshToken, refreshRefused, type ExchangeDeps } from './exchange-refresh-token.ts';
import { findScannedSeat, type FindScannedSeatDeps } from './find-scanned-seat.ts';

export type TakeSeatDeps = ExchangeDeps & FindScannedSeatDeps & { limits: Pick<SignInLimits, 'countRefresh'> };
type TakeSeatInput = { refreshToken: string; tableToken: string; origin: Origin; traceparent: string };

/**
 * Handles `POST /auth/seat`: seats a customer with an account at the table whose code they have scanned. The session keeps the
 * seat until the seating ends. The table's token is checked first, so that a rejected table token leaves the refresh token
 * unspent. The call is counted before both checks, so that a phone without a valid refresh token cannot look up tables again and
 * again.
 * @throws 401 `table_token_invalid`, `invalid_refresh_token`; 403 `seating_not_open`, `forbidden`; 429 `rate_limited`
 */
export async function takeSeat(
  deps: TakeSeatDeps,
  { refreshToken, tableToken, origin, traceparent }: TakeSeatInput,
): Promise<TokenPair> {
  const presented = deps.refreshTokens.read(refreshToken);
  await deps.limits.countRefresh(origin.address, presented?.sessionId ?? null);
  if (!presented) throw refreshRefused();
  const newSeat = await findScannedSeat(deps, { token: tableToken, traceparent });
  return exchangeRefreshToken(deps, presented, { origin, newSeat });
}
