import type { AskedOption } from '@comanda/contracts/item-options';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { isOptionAvailable, type Offer } from '@comanda/contracts/options-on-offer';
import type { Chance } from './chance.ts';

type Groups = { groups: ReadonlyMap<number, OptionGroup>; dishes: Offer['dishes'] };

/**
 * Chooses options of these groups as a guest does: what must be chosen, and now and then an extra, together with what the chosen
 * options open.
 */
export function chooseOptions(chance: Chance, groupIds: readonly number[], offer: Groups): AskedOption[] {
  return groupIds.flatMap((id) => {
    const group = offer.groups.get(id);
    if (!group || (group.min === 0 && chance.happens(0.6))) return [];
    const left = group.options.filter((option) => isOptionAvailable(option, offer));
    const count = Math.min(left.length, chance.whole(Math.max(1, group.min), Math.min(group.max, group.min + 2)));
    return Array.from({ length: count }, (): AskedOption => {
      const option = chance.pick(left);
      left.splice(left.indexOf(option), 1);
      const options = chooseOptions(chance, option.option_group_ids, offer);
      return { id: option.id, ...(options.length > 0 && { options }) };
    });
  });
}
