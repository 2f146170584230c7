import { normalEmail } from '@comanda/contracts/email-address';
import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Clock } from '@comanda/shared/runtime/clock';
import { passwordTurnOf, type PasswordHasher } from '../passwords/password-hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { authorizeManager } from './authorize-manager.ts';
import type { User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type AddUserDeps = {
  users: Pick<UserStore, 'findByEmail' | 'insertInTransaction' | 'lockManager'>;
  hasher: PasswordHasher;
  consume: Consume;
  unitOfWork: AuditedWork;
  clock: Clock;
};
type AddUserCall = SensitiveCall & { body: { name: string; email: string; password: string; role: Role } };

/**
 * Adds a user on behalf of a manager. The user must change the password before anything else.
 * @throws 409 `email_taken`; 422 `password_too_weak`; the `step_up_…` problems; 401 `invalid_token` or 403 `forbidden` if the
 * caller is no longer a manager
 */
export async function addUser(
  deps: AddUserDeps,
  call: AddUserCall,
  origin: Origin,
): Promise<{ user: User; consent: Consent }> {
  const { users, hasher, consume, unitOfWork, clock } = deps;
  const { userId: managerId } = call.caller;
  const { name, password, role } = call.body;
  const email = normalEmail(call.body.email);
  if (await users.findByEmail(call.body.email)) throw problem('email_taken');
  const owner = passwordTurnOf(origin.address, { id: managerId, role: 'manager' });
  const passwordHash = await hashNewPassword(hasher, { password, name, email, owner });

  const consent = await consume(call);
  const user = await unitOfWork.run(async (session) => {
    await authorizeManager(deps, managerId, session);
    const time = clock();
    const newUser = { name, email, passwordHash, role, addedBy: managerId, createdAt: time };
    const added = await users.insertInTransaction(newUser, session);
    const actor = { id: managerId, role: 'manager' } as const;
    const { jti } = consent;
    return {
      value: added,
      records: [{ type: 'user_created', time, actor, userId: added.id, details: { role }, origin, jti }],
      events: [],
    };
  });
  return { user, consent };
}
