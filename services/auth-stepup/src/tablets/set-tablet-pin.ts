import { problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { PinHasher } from '../pin/pin-hasher.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import { passwordTurnOf } from '../passwords/password-hasher.ts';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { checkPassword, type CheckPasswordDeps } from '../users/check-password.ts';
import { sessionIdOf } from '../session-id.ts';
import type { UserStore } from '../users/user-store.ts';
import { maySetTabletPin, userNotActive } from '../users/user.ts';
import { assertStrongTabletPin } from './assert-strong-tablet-pin.ts';
import { hashTabletPin } from './hash-tablet-pin.ts';
import type { TabletPinStore } from './tablet-pin-store.ts';

export type SetTabletPinDeps = CheckPasswordDeps & {
  users: Pick<UserStore, 'findById'>;
  tabletPins: Pick<TabletPinStore, 'set'>;
  pinHasher: PinHasher;
  recordSecurityEvent: RecordSecurityEvent;
  clock: Clock;
};

/**
 * Sets the caller's own tablet PIN after checking the password. Ends the caller's sessions on tablets.
 * @throws 403 `forbidden`, `password_invalid`, `password_blocked`; 422 `tablet_pin_weak`; 429 `rate_limited`
 */
export async function setTabletPin(
  deps: SetTabletPinDeps,
  { password, tablet_pin: pin }: { password: string; tablet_pin: string },
  { caller, origin }: { caller: Pick<Caller, 'userId' | 'jti'>; origin: Origin },
): Promise<void> {
  const { users, tabletPins, pinHasher, recordSecurityEvent, clock } = deps;
  const { userId } = caller;
  assertStrongTabletPin(pin);
  const user = await users.findById(userId);
  if (user?.status !== 'active') throw userNotActive();
  if (!maySetTabletPin(user)) throw problem('forbidden');
  const isRight = await checkPassword(deps, {
    user,
    origin: { sessionId: sessionIdOf(caller.jti) },
    password,
    owner: passwordTurnOf(origin.address, user),
  });
  if (!isRight) {
    await recordSecurityEvent({ userId, type: 'password_wrong', origin });
    throw problem('password_invalid');
  }

  const hashed = await hashTabletPin(pinHasher, { pin, userId, origin });
  const isSet = await tabletPins.set(user, { ...hashed, now: clock() });
  if (!isSet)
    throw problem('password_invalid', {
      detail: 'Another request changed this user at the same time. Nothing was changed by this one. Try again.',
    });
  await recordSecurityEvent({ userId, type: 'tablet_pin_set', origin });
}
