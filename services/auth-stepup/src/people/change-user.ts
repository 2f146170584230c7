import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problems';
import type { ConsentStore } from '../consent/consent-store.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import type { Note, Origin } from '../security-log/security-log.ts';
import type { Status, User } from './user.ts';
import type { UserStore } from './user-store.ts';

type Desk = { users: UserStore; consent: ConsentStore; hasher: Hasher; note: Note; clock: () => number };
type Wanted = { role?: Role; status?: Status; password?: string };

/**
 * What a manager does to another user: with one write their sessions end and what they consented to is void. Where the
 * answer is 503 the write stands, and only whether a token of the last two minutes is dead is not known: to be repeated.
 * @throws 403 `forbidden` for oneself and for a guest's password, 404 `not_found`, 422 `password_too_weak`
 */
export async function changeUser(
  { users, consent, hasher, note, clock }: Desk,
  { role, status, password }: Wanted,
  { userId, managerId, origin }: { userId: number; managerId: number; origin: Origin },
): Promise<User> {
  if (userId === managerId) throw problem('forbidden', { detail: 'Nobody changes themselves.' });
  const user = await users.byId(userId);
  if (!user) throw problem('not_found');
  if (password !== undefined && user.email === null) throw problem('forbidden', { detail: 'A guest has no password.' });
  const passwordHash = password === undefined ? undefined : await hashNewPassword(hasher, password, user);
  const changed = await users.changeByManager(userId, {
    ...(role !== undefined && { role }),
    ...(status !== undefined && { status }),
    ...(passwordHash !== undefined && { passwordHash, mustChangePassword: true, passwordSetByOtherAt: clock() }),
  });
  if (!changed) throw problem('not_found');
  await consent.raiseFloor(userId, changed.pinVersion);
  if (password !== undefined) await note(userId, 'password_set_by_manager', origin);
  return changed;
}
