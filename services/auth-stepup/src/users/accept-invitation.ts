import { problem } from '@comanda/contracts/problem';
import { passwordTurnOf, type PasswordHasher } from '../passwords/password-hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { findInvited, type FindInvitedDeps } from './find-invited.ts';
import type { User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type AcceptInvitationDeps = FindInvitedDeps & {
  users: Pick<UserStore, 'lockManager' | 'updateInvited'>;
  hasher: PasswordHasher;
  unitOfWork: AuditedWork;
};

/**
 * Sets the password for an invited user, who can sign in from now on. The link works only once.
 * @throws 401 `invitation_invalid`; 422 `password_too_weak`; 429 `rate_limited`
 */
export async function acceptInvitation(
  deps: AcceptInvitationDeps,
  { invitation_token: token, password }: { invitation_token: string; password: string },
  origin: Origin,
): Promise<User> {
  const { users, hasher, unitOfWork, clock } = deps;
  const { id, name, email, invitation } = await findInvited(deps, token, origin);
  const passwordHash = await hashNewPassword(hasher, { password, name, email, owner: passwordTurnOf(origin.address) });

  return unitOfWork.run(async (session) => {
    // Locks the inviting manager: if that manager is being disabled at the same time, either the invitation is void or this write
    // comes first.
    if ((await users.lockManager(invitation.by, session)) !== 'active') throw problem('invitation_invalid');
    const change = { status: 'active', passwordHash, mustChangePassword: false, invitation: null } as const;
    const user = await users.updateInvited({ id, ifHash: invitation.hash, change }, session);
    if (!user) throw problem('invitation_invalid');
    const { role } = user;
    const actor = { id, role };
    return {
      value: user,
      records: [{ type: 'invitation_accepted', time: clock(), actor, userId: id, details: { role }, origin }],
      events: [],
    };
  });
}
