import { optionLimits } from '@comanda/contracts/rules';
import { dishesNamed, type Dish } from '../menu/menu-item.ts';
import type { MenuStore } from '../menu/menu-store.ts';
import type { OptionGroupStore, StoredGroup } from '../menu/option-group-store.ts';
import { openedBy, type OptionGroup } from '../menu/option-group.ts';
import type { BatchState } from './batch-state.ts';

export type LoadDishesDeps = {
  menu: Pick<MenuStore, 'findNewest' | 'findNewestOrDeleted'>;
  optionGroups: Pick<OptionGroupStore, 'findNewest' | 'findRevisions'>;
  /** The groups that earlier batches of this process loaded. Each is used only while it is the newest version. */
  groupCache: Map<number, StoredGroup>;
};
/** `isOrdered`: true if any of the dishes is ordered, so that guests may choose options. */
type Named = { ids: readonly number[]; names: readonly string[]; isOrdered: boolean };
type Loaded = Pick<BatchState, 'dishes' | 'optionGroups' | 'portions'>;

/**
 * Loads dishes with all option groups that they lead to, and the dishes that these groups add as components. Only dishes with
 * option groups need more than one query.
 */
export async function loadDishes(deps: LoadDishesDeps, { isOrdered, ...named }: Named): Promise<Loaded> {
  const found = await deps.menu.findNewest(named);
  const groupIds = isOrdered ? found.flatMap(({ optionGroupIds }) => optionGroupIds) : [];
  const optionGroups = await loadGroups(deps, groupIds);
  const dishes = [...found, ...(await loadComponents(deps, { found, optionGroups }))];
  const onMenu = dishes.filter(({ deleted }) => !deleted);
  return {
    dishes: {
      byId: new Map(onMenu.map((dish) => [dish.id, dish])),
      byName: dishesNamed(found, named.names),
      removed: new Map(dishes.flatMap((dish) => (dish.deleted ? [[dish.id, dish]] : []))),
    },
    optionGroups,
    portions: new Map(onMenu.map(({ id, portionsLeft }) => [id, portionsLeft])),
  };
}

async function loadGroups(deps: LoadDishesDeps, groupIds: readonly number[]): Promise<Map<number, OptionGroup>> {
  const groups = new Map<number, OptionGroup>();
  const asked = new Set<number>();
  for (let ids = new Set(groupIds); ids.size > 0;) {
    for (const id of ids) asked.add(id);
    const found = await findGroups(deps, [...ids]);
    for (const group of found) groups.set(group.id, group);
    ids = new Set(found.flatMap(openedBy).filter((id) => !asked.has(id)));
  }
  return groups;
}

/** Finds the newest versions of these groups. Loads only groups that are not cached, because their many options cost time. */
async function findGroups({ optionGroups, groupCache }: LoadDishesDeps, ids: number[]): Promise<OptionGroup[]> {
  const revisions = await optionGroups.findRevisions(ids);
  const cached = revisions.flatMap(({ id, version, revision }) => {
    const stored = groupCache.get(id);
    // Release 2.0.0 changes the version only.
    const isCurrent = revision !== undefined && stored?.revision === revision && stored.group.version === version;
    return isCurrent ? stored : [];
  });
  const known = new Set(cached.map(({ group }) => group.id));
  const missing = revisions.flatMap(({ id }) => (known.has(id) ? [] : id));
  const loaded = missing.length === 0 ? [] : await optionGroups.findNewest(missing);
  if (groupCache.size > 2 * optionLimits.maxGroups) groupCache.clear();
  for (const stored of loaded) groupCache.set(stored.group.id, stored);
  return [...cached, ...loaded].map(({ group }) => group);
}

type Known = { found: readonly Dish[]; optionGroups: ReadonlyMap<number, OptionGroup> };
/** Loads the components of these groups that are not loaded yet, even those that are no longer on the menu. */
function loadComponents({ menu }: LoadDishesDeps, { found, optionGroups }: Known): Promise<Dish[]> {
  const known = new Set(found.map(({ id }) => id));
  const ids = [...optionGroups.values()].flatMap(({ options }) => options.flatMap(({ item_id: id }) => id ?? []));
  return menu.findNewestOrDeleted([...new Set(ids)].filter((id) => !known.has(id)));
}
