import { problem } from '@comanda/contracts/problem';
import { passwordTurnOf, type PasswordHasher } from '../passwords/password-hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import type { PinHasher } from '../pin/pin-hasher.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import { assertStrongTabletPin } from '../tablets/assert-strong-tablet-pin.ts';
import { hashTabletPin } from '../tablets/hash-tablet-pin.ts';
import type { TabletPinStore } from '../tablets/tablet-pin-store.ts';
import { findInvited, type FindInvitedDeps } from './find-invited.ts';
import { maySetTabletPin, type User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type AcceptInvitationDeps = FindInvitedDeps & {
  users: Pick<UserStore, 'lockManager' | 'updateInvited'>;
  tabletPins: Pick<TabletPinStore, 'set'>;
  hasher: PasswordHasher;
  pinHasher: Pick<PinHasher, 'hash'>;
  unitOfWork: AuditedWork;
  recordSecurityEvent: RecordSecurityEvent;
};
type Acceptance = { invitation_token: string; password: string; tablet_pin?: string };

/**
 * Sets the password for an invited user, who can sign in from now on. Also sets a waiter's tablet PIN, if the waiter has chosen
 * one. Sets both or neither. The link works only once.
 * @throws 401 `invitation_invalid`; 422 `password_too_weak`, `tablet_pin_weak`, `unprocessable_content`; 429 `rate_limited`
 */
export async function acceptInvitation(
  deps: AcceptInvitationDeps,
  { invitation_token: token, password, tablet_pin: tabletPin }: Acceptance,
  origin: Origin,
): Promise<User> {
  const { users, tabletPins, hasher, pinHasher, unitOfWork, recordSecurityEvent, clock } = deps;
  const invited = await findInvited(deps, token, origin);
  const { id, name, email, invitation } = invited;
  if (tabletPin !== undefined) {
    if (!maySetTabletPin(invited)) throw onlyForWaiters();
    assertStrongTabletPin(tabletPin);
  }
  const passwordHash = await hashNewPassword(hasher, { password, name, email, owner: passwordTurnOf(origin.address) });
  const hashedPin =
    tabletPin === undefined ? null : await hashTabletPin(pinHasher, { pin: tabletPin, userId: id, origin });

  const user = await unitOfWork.run(async (session) => {
    // Locks the inviting manager: if that manager is being disabled at the same time, either the invitation is void or this write
    // comes first.
    if ((await users.lockManager(invitation.by, session)) !== 'active') throw problem('invitation_invalid');
    const change = { status: 'active', passwordHash, mustChangePassword: false, invitation: null } as const;
    const accepted = await users.updateInvited({ id, ifHash: invitation.hash, change }, session);
    if (!accepted) throw problem('invitation_invalid');
    const now = clock();
    // A manager may have changed the role in the meantime. Then the password isn't set either.
    if (hashedPin && !(await tabletPins.set({ id, passwordHash }, { ...hashedPin, now }, session)))
      throw onlyForWaiters();
    const { role } = accepted;
    const actor = { id, role };
    return {
      value: accepted,
      records: [{ type: 'invitation_accepted', time: now, actor, userId: id, details: { role }, origin }],
      events: [],
    };
  });
  if (hashedPin) await recordSecurityEvent({ userId: id, type: 'tablet_pin_set', origin });
  return user;
}

const onlyForWaiters = () =>
  problem('unprocessable_content', {
    errors: [
      { pointer: '/tablet_pin', detail: 'Only waiters have a tablet PIN. Accept the invitation without "tablet_pin".' },
    ],
  });
