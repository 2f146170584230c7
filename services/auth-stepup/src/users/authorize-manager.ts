import { problem } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import { userNotActive } from './user.ts';
import type { UserStore } from './user-store.ts';

/**
 * Checks that the caller is still an active manager, in the same transaction that makes the change. The access token alone does
 * not prove this, because its content may be up to 15 minutes old.
 * @throws 401 `invalid_token` if the caller was disabled; 403 `forbidden` if the caller has another role now
 */
export async function authorizeManager(
  { users }: { users: Pick<UserStore, 'lockManager'> },
  managerId: number,
  session: Session,
): Promise<void> {
  const state = await users.lockManager(managerId, session);
  if (state === 'disabled') throw userNotActive();
  if (state === 'other role') throw problem('forbidden', { detail: 'You are no longer a manager.' });
}
