import { listUsers as contract } from '@comanda/contracts/users';
import type { User as PublicUser } from '@comanda/contracts/users';
import type { Reply } from '@comanda/shared/http/api';
import { presentUser } from './user.ts';
import type { UserStore } from './user-store.ts';

/** All users, newest first, a page at a time. */
export async function listUsers(
  users: UserStore,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<Reply<PublicUser[]>> {
  const before = cursor === undefined ? null : Number(cursor);
  const found = await users.list({ before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const body = page.map(presentUser);
  const last = page.at(-1);
  if (!last || found.length <= limit) return { status: 200, body };
  return { status: 200, body, headers: { Link: `<${contract.path}?limit=${limit}&cursor=${last.id}>; rel="next"` } };
}
