import type { Tablet as TabletResponse } from '@comanda/contracts/tablets';
import type { UserStore } from '../users/user-store.ts';
import type { TabletStore } from './tablet-store.ts';
import type { Tablet } from './tablet.ts';

export type ListTabletsDeps = {
  tablets: Pick<TabletStore, 'list'>;
  users: Pick<UserStore, 'findById'>;
};

/** Returns all tablets, newest first, with the names of the users who registered them and last used them. */
export async function listTablets(deps: ListTabletsDeps): Promise<TabletResponse[]> {
  const tablets = await deps.tablets.list();
  return describeTablets(deps, tablets);
}

/** Returns tablets as responses contain them. Users are never deleted, so each id has a name. */
export async function describeTablets(
  { users }: Pick<ListTabletsDeps, 'users'>,
  tablets: readonly Tablet[],
): Promise<TabletResponse[]> {
  const ids = new Set(
    tablets.flatMap(({ registeredBy, lastUse }) => [registeredBy, ...(lastUse ? [lastUse.userId] : [])]),
  );
  const names = new Map(
    await Promise.all([...ids].map(async (id) => [id, (await users.findById(id))?.name ?? ''] as const)),
  );
  const personOf = (id: number) => ({ id, name: names.get(id) ?? '' });
  return tablets.map(({ id, name, registeredAt, registeredBy, lastUse }) => ({
    id,
    name,
    registered_at: new Date(registeredAt).toISOString(),
    registered_by: personOf(registeredBy),
    last_used_at: lastUse && new Date(lastUse.at).toISOString(),
    last_used_by: lastUse && personOf(lastUse.userId),
  }));
}
