import { problem } from '@comanda/contracts/problem';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { authorizeManager } from './authorize-manager.ts';
import type { UserStore } from './user-store.ts';

export type WithdrawInvitationDeps = {
  users: Pick<UserStore, 'findById' | 'lockManager' | 'updateInvited'>;
  unitOfWork: AuditedWork;
  clock: Clock;
};
type WithdrawInvitationCall = { caller: Caller; params: { id: number } };

/**
 * Voids an invitation's link. The user stays disabled and can be invited again.
 * @throws 404 `not_found` if there is no open invitation; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a
 * manager
 */
export async function withdrawInvitation(
  deps: WithdrawInvitationDeps,
  { caller: { userId: managerId }, params: { id } }: WithdrawInvitationCall,
  origin: Origin,
): Promise<void> {
  const { users, unitOfWork, clock } = deps;
  await unitOfWork.run(async (session) => {
    await authorizeManager(deps, managerId, session);
    const invitation = (await users.findById(id, session))?.invitation;
    if (!invitation?.hash) throw problem('not_found');
    const change = { invitation: { ...invitation, hash: null } };
    const user = await users.updateInvited({ id, ifHash: invitation.hash, change }, session);
    if (!user) throw problem('not_found');
    const actor = { id: managerId, role: 'manager' } as const;
    const { role } = user;
    return {
      value: null,
      records: [{ type: 'invitation_withdrawn', time: clock(), actor, userId: id, details: { role }, origin }],
      events: [],
    };
  });
}
