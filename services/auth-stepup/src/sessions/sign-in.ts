import { normalEmail } from '@comanda/contracts/email-address';
import { problem } from '@comanda/contracts/problem';
import type { TokenPair } from '@comanda/contracts/sessions';
import { networkOf } from '@comanda/shared/http/client-address';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import { passwordTurnOf } from '../passwords/password-hasher.ts';
import { checkPassword, type CheckPasswordDeps } from '../users/check-password.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { UserStore } from '../users/user-store.ts';
import { beginSession, type BeginSessionDeps } from './begin-session.ts';
import type { Devices } from './device-cookie.ts';

export type SignInDeps = BeginSessionDeps &
  CheckPasswordDeps & {
    users: Pick<UserStore, 'findByEmail'>;
    limits: Pick<SignInLimits, 'countSignIn'>;
    devices: Devices;
    recordSecurityEvent: RecordSecurityEvent;
    logger: Logger;
  };

type SignedIn = { pair: TokenPair; cookie: string };

/**
 * Exchanges an e-mail address and a password for a pair of tokens, and a cookie that identifies the device from now on. An
 * unknown address, a disabled user and a wrong password get the same response after the same time.
 * @throws 401 `invalid_credentials`, 403 `password_blocked`, 429 `rate_limited`
 */
export async function signIn(
  deps: SignInDeps,
  { email: givenEmail, password }: { email: string; password: string },
  { origin, cookies, secure }: { origin: Origin; cookies: string | undefined; secure: boolean },
): Promise<SignedIn> {
  const { users, limits, devices, recordSecurityEvent, logger } = deps;
  const email = normalEmail(givenEmail);
  const deviceId = devices.recognize(email, cookies);
  await limits.countSignIn({ address: origin.address, email, deviceId });
  const user = await users.findByEmail(givenEmail);
  const guessOrigin = deviceId === null ? { email, passwordHash: user?.passwordHash ?? null } : { deviceId };
  const owner = passwordTurnOf(origin.address);
  const isRight = await checkPassword(deps, { user, origin: guessOrigin, password, owner });
  if (!user || !isRight) {
    // Not awaited, so that the response time does not reveal whether the e-mail address is known.
    if (user) void recordSecurityEvent({ userId: user.id, type: 'sign_in_failed', origin });
    else logger.info({ network: networkOf(origin.address) }, 'sign-in failed: no user has this e-mail address');
    throw problem('invalid_credentials');
  }

  const pair = await beginSession(deps, { user, seat: null }, origin);
  await recordSecurityEvent({ userId: user.id, type: 'signed_in', origin });
  return { pair, cookie: devices.remember(email, { secure }) };
}
