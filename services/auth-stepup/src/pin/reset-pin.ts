import { problem } from '@comanda/contracts/problem';
import { passwordTurnOf } from '../passwords/password-hasher.ts';
import { checkPassword, type CheckPasswordDeps } from '../users/check-password.ts';
import { isTooSoonToResetPin, userNotActive } from '../users/user.ts';
import { sessionIdOf } from '../session-id.ts';
import type { UserStore } from '../users/user-store.ts';
import type { CheckPinDeps } from './check-pin.ts';
import type { PinRequester } from './pin-requester.ts';
import { readNewPin, type NewPinInput } from './new-pin.ts';
import type { PinHolder } from './pin-document.ts';
import { pinAbsent } from './pin-problems.ts';
import { replacePin } from './replace-pin.ts';

export type ResetPinDeps = CheckPinDeps & CheckPasswordDeps & { users: Pick<UserStore, 'findById'> };

/**
 * Sets a new PIN for a user who forgot the old one or is blocked. A manager must have approved the reset, and the user must know
 * the account's password.
 * @throws 403 `reset_not_approved`, `reset_too_soon`, `password_invalid`, `password_blocked`; 409 `transaction_password_absent`;
 * 422 `confirmation_mismatch`, `transaction_password_weak`; 429 `rate_limited`
 */
export async function resetPin(
  deps: ResetPinDeps,
  input: NewPinInput & { password: string },
  requester: PinRequester,
): Promise<PinHolder> {
  const { pins, users, clock, recordSecurityEvent } = deps;
  const { userId } = requester.caller;
  const pin = readNewPin(input);
  const [holder, user] = await Promise.all([pins.findByUser(userId), users.findById(userId)]);
  if (!holder || user?.status !== 'active') throw userNotActive();
  const now = clock();
  if (holder.resetUntil === null || holder.resetUntil <= now) throw problem('reset_not_approved');
  if (!holder.pin) throw pinAbsent();
  if (isTooSoonToResetPin(user.passwordSetByOther, now)) throw problem('reset_too_soon');

  const owner = passwordTurnOf(requester.origin.address, user);
  const sessionId = sessionIdOf(requester.caller.jti);
  const isRight = await checkPassword(deps, { user, origin: { sessionId }, password: input.password, owner });
  if (!isRight) {
    await recordSecurityEvent({ userId, type: 'password_wrong', origin: requester.origin });
    throw problem('password_invalid');
  }
  return replacePin(deps, { holder, pin, change: 'reset' }, requester);
}
