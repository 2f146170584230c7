import { problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import { readInvitationToken } from './invitation-token.ts';
import { isInvited, type Invitation, type User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type FindInvitedDeps = {
  users: Pick<UserStore, 'findById'>;
  limits: Pick<SignInLimits, 'countInvitation'>;
  clock: Clock;
};
export type Invited = User & { invitation: Invitation & { hash: string } };

/**
 * Finds the user invited by a link, while the link is valid and the inviting manager is active.
 * @throws 401 `invitation_invalid`; 429 `rate_limited`
 */
export async function findInvited(
  { users, limits, clock }: FindInvitedDeps,
  token: string,
  { address }: { address: string },
): Promise<Invited> {
  const read = readInvitationToken(token);
  const user = read && (await users.findById(read.userId));
  // A plain comparison is safe: the secret has 192 random bits, so its timing does not help an attacker guess it.
  if (!user?.invitation || !isInvited(user, clock()) || user.invitation.hash !== read?.hash) {
    await limits.countInvitation(address, null);
    throw problem('invitation_invalid');
  }
  await limits.countInvitation(address, user.id);
  const inviter = await users.findById(user.invitation.by);
  if (inviter?.status !== 'active' || inviter.role !== 'manager') throw problem('invitation_invalid');
  return { ...user, invitation: { ...user.invitation, hash: read.hash } };
}
