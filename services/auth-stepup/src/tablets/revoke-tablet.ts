import { problem } from '@comanda/contracts/problem';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import type { TabletStore } from './tablet-store.ts';

export type RevokeTabletDeps = {
  users: Pick<UserStore, 'lockManager'>;
  tablets: Pick<TabletStore, 'remove'>;
  unitOfWork: AuditedWork;
  clock: Clock;
};
type RevokeTabletCall = { caller: Pick<Caller, 'userId'>; params: { id: string } };

/**
 * Removes a tablet, which blocks further sign-ins on the tablet and ends its sessions. No PIN is needed, because removal only
 * takes rights away.
 * @throws 404 `not_found`; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a manager
 */
export async function revokeTablet(
  deps: RevokeTabletDeps,
  { caller: { userId: managerId }, params: { id } }: RevokeTabletCall,
  origin: Origin,
): Promise<void> {
  const { tablets, unitOfWork, clock } = deps;
  await unitOfWork.run(async (session) => {
    await authorizeManager(deps, managerId, session);
    const removed = await tablets.remove(id, session);
    if (!removed) throw problem('not_found');
    const actor = { id: managerId, role: 'manager' } as const;
    const details = { tablet: removed.name };
    return {
      value: null,
      records: [{ type: 'tablet_revoked', time: clock(), actor, userId: null, details, origin }],
      events: [],
    };
  });
}
