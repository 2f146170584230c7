import type { User } from './user.ts';
import type { UserStore } from './user-store.ts';

type ListUsersDeps = { users: Pick<UserStore, 'list'> };
type UserPage = { users: User[]; nextCursor: number | null };

/** Returns one page of all users, newest first. */
export async function listUsers(
  { users }: ListUsersDeps,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<UserPage> {
  const before = cursor === undefined ? null : Number(cursor);
  const found = await users.list({ before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { users: page, nextCursor: last && found.length > limit ? last.id : null };
}
