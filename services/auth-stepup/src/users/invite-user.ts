import { normalEmail } from '@comanda/contracts/email-address';
import { randomBytes } from 'node:crypto';
import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { passwordTurnOf, type PasswordHasher } from '../passwords/password-hasher.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { authorizeManager } from './authorize-manager.ts';
import { hashOfSecret, invitationTokenOf, newInvitationSecret } from './invitation-token.ts';
import { invitationEndsAt, type NewUser, type User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type InviteUserDeps = {
  users: Pick<UserStore, 'findByEmail' | 'insertInTransaction' | 'lockManager' | 'updateInvited'>;
  hasher: PasswordHasher;
  consume: Consume;
  unitOfWork: AuditedWork;
  clock: Clock;
};
type InviteUserCall = SensitiveCall & { body: { name: string; email: string; role: Role } };
type Invited = { user: User; token: string; consent: Consent };

/**
 * Invites a new member of staff on behalf of a manager. Creates a disabled user, and a link to choose a password. If the same
 * address is invited again before the link is used, a new link replaces the old one.
 * @throws 409 `email_taken`; the `step_up_…` problems; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a
 * manager
 */
export async function inviteUser(deps: InviteUserDeps, call: InviteUserCall, origin: Origin): Promise<Invited> {
  const { users, hasher, consume, unitOfWork, clock } = deps;
  const { userId: managerId } = call.caller;
  const { name, role } = call.body;
  const email = normalEmail(call.body.email);
  const known = await users.findByEmail(call.body.email);
  if (known && (known.status !== 'disabled' || !known.invitation)) throw problem('email_taken');
  // A new user gets a random password that no one knows.
  const owner = passwordTurnOf(origin.address, { id: managerId, role: 'manager' });
  const passwordHash = known ? known.passwordHash : await hasher.hash(randomBytes(32).toString('base64url'), owner);
  const secret = newInvitationSecret();

  const consent = await consume(call);
  const user = await unitOfWork.run(async (session) => {
    await authorizeManager(deps, managerId, session);
    const time = clock();
    const invitation = { hash: hashOfSecret(secret), by: managerId, endsAt: invitationEndsAt(time) };
    const invited = { name, email, passwordHash, role, addedBy: managerId, createdAt: time, invitation };
    const value = known
      ? await inviteAgain(users, { known, invited }, session)
      : await users.insertInTransaction(invited, session);
    const actor = { id: managerId, role: 'manager' } as const;
    const { jti } = consent;
    return {
      value,
      records: [{ type: 'user_invited', time, actor, userId: value.id, details: { role }, origin, jti }],
      events: [],
    };
  });
  return { user, token: invitationTokenOf(user.id, secret), consent };
}

type Again = { known: User; invited: NewUser & Required<Pick<NewUser, 'invitation'>> };
async function inviteAgain(
  users: Pick<UserStore, 'updateInvited'>,
  { known, invited: { name, role, invitation } }: Again,
  session: Session,
): Promise<User> {
  const user = await users.updateInvited({ id: known.id, change: { name, role, invitation } }, session);
  if (!user) throw problem('email_taken'); // the invitation was accepted in the meantime
  return user;
}
