import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Hasher } from '../passwords/hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import type { PinCheckStore } from '../pin/pin-check-store.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { Status, User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type ChangeUserDeps = {
  users: Pick<UserStore, 'findById' | 'updateByManager'>;
  pinChecks: Pick<PinCheckStore, 'raiseMinPinVersion'>;
  hasher: Hasher;
  recordSecurityEvent: RecordSecurityEvent;
  clock: Clock;
};
type ChangeUserInput = { role?: Role; status?: Status; password?: string };
type ChangedBy = { userId: number; managerId: number; origin: Origin };

/**
 * A manager changes another user. One write also ends the user's sessions and voids the step-up tokens. After a 503 the
 * write may be done, and a token of the last two minutes may still be valid: the manager must repeat the request.
 * @throws 403 `forbidden` for the manager's own user and for a guest's password; 404 `not_found`; 422
 * `password_too_weak`
 */
export async function changeUser(
  { users, pinChecks, hasher, recordSecurityEvent, clock }: ChangeUserDeps,
  { role, status, password }: ChangeUserInput,
  { userId, managerId, origin }: ChangedBy,
): Promise<User> {
  if (userId === managerId) throw problem('forbidden', { detail: 'You cannot change your own user.' });
  const user = await users.findById(userId);
  if (!user) throw problem('not_found');
  if (password !== undefined && user.email === null) throw problem('forbidden', { detail: 'A guest has no password.' });

  const { name, email } = user;
  const passwordHash = password === undefined ? undefined : await hashNewPassword(hasher, { password, name, email });
  const changed = await users.updateByManager(userId, {
    ...(role !== undefined && { role }),
    ...(status !== undefined && { status }),
    ...(passwordHash !== undefined && { passwordHash, mustChangePassword: true, passwordSetByOtherAt: clock() }),
  });
  if (!changed) throw problem('not_found');
  await pinChecks.raiseMinPinVersion(userId, { version: changed.pinVersion, attempts: 'keep' });
  if (password !== undefined) await recordSecurityEvent({ userId, type: 'password_set_by_manager', origin });
  return changed;
}
