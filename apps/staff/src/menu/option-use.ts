import type { LiveItem } from '@comanda/client/core';
import type { OptionGroup } from '@comanda/contracts/option-groups';

type Menu = { dishes: readonly LiveItem[]; groups: readonly OptionGroup[] };

/** Returns the dishes in which guests choose from a group, also if another option opens it. */
export function dishesWith(groupId: number, { dishes, groups }: Menu): readonly LiveItem[] {
  const leading = new Set([groupId]);
  // A group that opens one of these is added, until there are no more. Groups are never in a circle.
  for (let before = 0; before < leading.size;) {
    before = leading.size;
    for (const { id, options } of groups)
      if (options.some(({ option_group_ids: opened }) => opened.some((each) => leading.has(each)))) leading.add(id);
  }
  return dishes.filter(({ option_group_ids: ids = [] }) => ids.some((id) => leading.has(id)));
}
