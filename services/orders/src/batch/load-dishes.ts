import { dishesNamed, type Dish } from '../menu/menu-item.ts';
import type { MenuStore } from '../menu/menu-store.ts';
import type { OptionGroupStore } from '../menu/option-group-store.ts';
import { openedBy, type OptionGroup } from '../menu/option-group.ts';
import type { BatchState } from './batch-state.ts';

export type LoadDishesDeps = {
  menu: Pick<MenuStore, 'findNewest' | 'findNewestOrDeleted'>;
  optionGroups: Pick<OptionGroupStore, 'findNewest'>;
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

async function loadGroups(
  { optionGroups }: LoadDishesDeps,
  groupIds: readonly number[],
): Promise<Map<number, OptionGroup>> {
  const groups = new Map<number, OptionGroup>();
  const asked = new Set<number>();
  for (let ids = new Set(groupIds); ids.size > 0;) {
    for (const id of ids) asked.add(id);
    const found = await optionGroups.findNewest([...ids]);
    for (const group of found) groups.set(group.id, group);
    ids = new Set(found.flatMap(openedBy).filter((id) => !asked.has(id)));
  }
  return groups;
}

type Known = { found: readonly Dish[]; optionGroups: ReadonlyMap<number, OptionGroup> };
/** Loads the components of these groups that are not loaded yet, even those that are no longer on the menu. */
function loadComponents({ menu }: LoadDishesDeps, { found, optionGroups }: Known): Promise<Dish[]> {
  const known = new Set(found.map(({ id }) => id));
  const ids = [...optionGroups.values()].flatMap(({ options }) => options.flatMap(({ item_id: id }) => id ?? []));
  return menu.findNewestOrDeleted([...new Set(ids)].filter((id) => !known.has(id)));
}
