import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import type { AuditDetails, AuditType } from '@comanda/contracts/audit';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Clock } from '@comanda/shared/runtime/clock';
import { passwordTurnOf, type PasswordHasher } from '../passwords/password-hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import type { PinCheckStore } from '../pin/pin-check-store.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { authorizeManager } from './authorize-manager.ts';
import { hasChosenPassword, type Status, type User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type ChangeUserDeps = {
  users: Pick<UserStore, 'findById' | 'lockManager' | 'updateByManager'>;
  pinChecks: Pick<PinCheckStore, 'raiseMinPinVersion'>;
  hasher: PasswordHasher;
  consume: Consume;
  unitOfWork: AuditedWork;
  clock: Clock;
};
type Change = { role?: Role; status?: Status; password?: string };
type ChangeUserCall = SensitiveCall & { params: { id: number }; body: Change };

/**
 * Changes another user on behalf of a manager. The same transaction ends the user's sessions, voids the step-up tokens and
 * records the actor. After a 503, the change may be stored while a token from the last two minutes is still valid. In that case,
 * the manager must repeat the request.
 * @throws 403 `forbidden` for the manager's own user; 404 `not_found`; 422 `password_too_weak`; the `step_up_…` problems; 401
 * `invalid_token` or 403 `forbidden` if the caller is no longer a manager
 */
export async function changeUser(
  deps: ChangeUserDeps,
  call: ChangeUserCall,
  origin: Origin,
): Promise<{ user: User; consent: Consent }> {
  const { users, pinChecks, hasher, consume, unitOfWork, clock } = deps;
  const { userId: managerId } = call.caller;
  const userId = call.params.id;
  const { role, status, password } = call.body;
  if (userId === managerId)
    throw problem('forbidden', { detail: "You can't change your own user. Ask another manager." });
  const found = await users.findById(userId);
  if (!found) throw problem('not_found');
  const { name, email } = found;
  const owner = passwordTurnOf(origin.address, { id: managerId, role: 'manager' });
  const passwordHash =
    password === undefined ? undefined : await hashNewPassword(hasher, { password, name, email, owner });

  const consent = await consume(call);
  const user = await unitOfWork.run(async (session) => {
    await authorizeManager(deps, managerId, session);
    const before = await users.findById(userId, session);
    if (!before) throw problem('not_found');
    const time = clock();
    const passwordSetByOther = { at: time, by: managerId, replacedOwn: hasChosenPassword(before) };
    const change = {
      ...(role !== undefined && { role }),
      ...(status !== undefined && { status }),
      // Voids the invitation: its link must not enable a disabled user or replace a password that was set in the meantime.
      ...((status !== undefined || password !== undefined) && { invitation: null }),
      ...(passwordHash !== undefined && { passwordHash, mustChangePassword: true, passwordSetByOther }),
    };
    const changed = await users.updateByManager(userId, change, session);
    if (!changed) throw problem('not_found');
    const actor = { id: managerId, role: 'manager' } as const;
    const records = changesOf(call.body, before).map(({ type, details }, index) => ({
      type,
      time,
      actor,
      userId,
      details,
      origin,
      ...(index === 0 && { jti: consent.jti }),
    }));
    return { value: changed, records, events: [] };
  });
  // Voids the user's step-up tokens.
  await pinChecks.raiseMinPinVersion(userId, { version: user.pinVersion, attempts: 'keep' });
  return { user, consent };
}

/** Returns the entries for the audit trail: at least one, because every request changes something. */
function changesOf({ role, status, password }: Change, before: User): { type: AuditType; details: AuditDetails }[] {
  return [
    ...(role === undefined ? [] : [{ type: 'role_changed' as const, details: { role, previous_role: before.role } }]),
    ...(status === undefined
      ? []
      : [{ type: status === 'disabled' ? ('user_disabled' as const) : ('user_enabled' as const), details: {} }]),
    ...(password === undefined ? [] : [{ type: 'password_set_by_manager' as const, details: {} }]),
  ];
}
