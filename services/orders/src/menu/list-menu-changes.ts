import type { MenuChange as ChangeResponse, listMenuChanges as contract } from '@comanda/contracts/menu-changes';
import type { Call } from '@comanda/shared/http/api';
import { readPosition, toPage } from '../change-pages.ts';
import type { MenuChangeStore, StoredMenuChange } from './menu-change-store.ts';

export type ListMenuChangesDeps = { changes: Pick<MenuChangeStore, 'list'> };
/** `next` is the next page's cursor; null on the last page. */
type Page = { changes: ChangeResponse[]; next: string | null };

/** `GET /menu-changes`: returns one page, newest first. */
export async function listMenuChanges({ changes }: ListMenuChangesDeps, call: Call<typeof contract>): Promise<Page> {
  const { item_id: dishId, option_group_id: optionGroupId, limit = 50, cursor } = call.query;
  const found = await changes.list({ dishId, optionGroupId, after: readPosition(cursor), limit: limit + 1 });
  const { page, next } = toPage(found, limit);
  return { changes: page.map(toResponse), next };
}

const toResponse = ({ at, actor, type, dish, optionGroup, before, after }: StoredMenuChange): ChangeResponse => ({
  at: at.toISOString(),
  actor,
  type,
  item_id: dish?.id ?? null,
  option_group_id: optionGroup?.id ?? null,
  item_name: (dish ?? optionGroup)?.name ?? null,
  before,
  after,
});
