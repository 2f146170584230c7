import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import { newTabletCredential } from './tablet-credential.ts';
import type { TabletStore } from './tablet-store.ts';
import type { Tablet } from './tablet.ts';

export type RegisterTabletDeps = {
  users: Pick<UserStore, 'lockManager'>;
  tablets: Pick<TabletStore, 'insert'>;
  consume: Consume;
  unitOfWork: AuditedWork;
  clock: Clock;
};
type RegisterTabletCall = SensitiveCall & { caller: Pick<Caller, 'userId'>; body: { name: string } };
type Registered = { tablet: Tablet; credential: string; consent: Consent };

/**
 * Registers the current device as one of the restaurant's tablets, on behalf of a manager. The credential is returned once, and
 * only its hash is stored.
 * @throws the `step_up_…` problems; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a manager
 */
export async function registerTablet(
  deps: RegisterTabletDeps,
  call: RegisterTabletCall,
  origin: Origin,
): Promise<Registered> {
  const { tablets, consume, unitOfWork, clock } = deps;
  const { userId: managerId } = call.caller;
  const { name } = call.body;
  const { id, hash, credential } = newTabletCredential();

  const consent = await consume(call);
  const tablet = await unitOfWork.run(async (session) => {
    await authorizeManager(deps, managerId, session);
    const time = clock();
    const value: Tablet = { id, name, registeredAt: time, registeredBy: managerId, lastUse: null };
    await tablets.insert(value, hash, session);
    const actor = { id: managerId, role: 'manager' } as const;
    const details = { tablet: name };
    const entry = { type: 'tablet_registered', time, actor, userId: null, details, origin, jti: consent.jti } as const;
    return { value, records: [entry], events: [] };
  });
  return { tablet, credential, consent };
}
