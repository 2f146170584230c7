import { problem } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import { userNotActive } from './user.ts';
import type { UserStore } from './user-store.ts';

/**
 * Checks in the transaction of a change that the caller still is an active manager: an access token says who the caller
 * was up to 15 minutes ago.
 * @throws 401 `invalid_token` if the caller was disabled; 403 `forbidden` if the caller has another role now
 */
export async function authorizeManager(
  { users }: { users: Pick<UserStore, 'lockManager'> },
  managerId: number,
  session: Session,
): Promise<void> {
  const state = await users.lockManager(managerId, session);
  if (state === 'disabled') throw userNotActive();
  if (state === 'other role') throw problem('forbidden', { detail: 'You are not a manager any more.' });
}
