import { toAskedOption } from '@comanda/contracts/asked-options';
import { toItemOption } from '@comanda/contracts/chosen-options';
import type { AskedOption, ItemOption } from '@comanda/contracts/item-options';
import type { MenuItem } from '@comanda/contracts/menu';
import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import type { Choice, ChosenOption, OptionDefect } from '@comanda/contracts/options';
import { isOptionAvailable } from '@comanda/contracts/options-on-offer';
import { isSameName } from '@comanda/contracts/text-key';

/** All option groups and all dishes on the menu, by id. */
export type Offer = { groups: ReadonlyMap<number, OptionGroup>; dishes: ReadonlyMap<number, MenuItem> };
export type Chosen = ChosenOption<OptionGroup>;
/** Where a group is shown: the ids of the options that lead to it. Empty for the dish's own groups. */
export type Path = readonly number[];

export const unitsOf = (chosen: readonly Chosen[]): number =>
  chosen.reduce((units, { quantity }) => units + quantity, 0);
/** How many units a group can have at most: fewer than `max` if its options don't add up to that. */
export const mostOf = ({ max, options }: OptionGroup): number =>
  Math.min(
    max,
    options.reduce((units, { max_each: each }) => units + each, 0),
  );
export const askedOf = (options: readonly Chosen[]): AskedOption[] =>
  options.map((chosen) => toAskedOption(toItemOption(chosen)));

/** Returns all options of this list and those below them. */
export const flat = <T extends { options: readonly T[] }>(options: readonly T[]): T[] =>
  options.flatMap((each) => [each, ...flat(each.options)]);

/** Returns true if something must be changed in this group before the dish can be ordered. */
export function isWrong(
  { defects, soldOut }: Pick<Choice<OptionGroup>, 'defects' | 'soldOut'>,
  { group, parent, own, offer }: { group: OptionGroup; parent: number | null; own: readonly Chosen[]; offer: Offer },
): boolean {
  const isHere = ({ group_id: id, parent_option_id: at }: OptionDefect): boolean => id === group.id && at === parent;
  const isBad = ({ option }: Chosen): boolean =>
    soldOut.includes(option.id) ||
    !isOptionAvailable(option, offer) ||
    defects.some(({ reason, option_id: id }) => reason === 'too_many_of_one' && id === option.id);
  return defects.some(isHere) || own.some(isBad);
}

/** Returns the first group in which something must be changed; null if there is none. */
export function firstWrong(choice: Choice<OptionGroup>, groupIds: readonly number[], offer: Offer): OptionGroup | null {
  const find = (ids: readonly number[], chosen: readonly Chosen[], parent: number | null): OptionGroup | null => {
    for (const id of ids) {
      const group = offer.groups.get(id);
      if (!group) continue;
      const own = chosen.filter((each) => each.group.id === id);
      if (isWrong(choice, { group, parent, own, offer })) return group;
      for (const { option, options } of own) {
        const below = find(option.option_group_ids, options, option.id);
        if (below) return below;
      }
    }
    return null;
  };
  return find(groupIds, choice.options, null);
}

type Change = { path: Path; group: OptionGroup; option: Option | null; quantity: number };
/**
 * Returns the options after a tap: so many units of this option, or none of the group if `option` is null. In a group of which only
 * one can be chosen, the option takes the other one's place, and takes over what was chosen below it.
 */
export function withChange(chosen: readonly Chosen[], { path, ...change }: Change, offer: Offer): AskedOption[] {
  const [first, ...rest] = path;
  if (first !== undefined)
    return chosen.map((each) => ({
      ...toAskedOption(toItemOption(each)),
      ...(each.option.id === first && { options: withChange(each.options, { path: rest, ...change }, offer) }),
    }));
  const { group, option, quantity } = change;
  const isOther = (each: Chosen): boolean =>
    group.max === 1 || option === null ? each.group.id !== group.id : each.option.id !== option.id;
  const others = askedOf(chosen.filter(isOther));
  if (option === null || quantity === 0) return others;
  const before = chosen.find((each) => each.group.id === group.id && (group.max === 1 || each.option.id === option.id));
  const below = before ? carriedTo(option.option_group_ids, before, offer) : [];
  return [...others, { id: option.id, quantity, options: below }];
}

/**
 * Returns what was chosen below one option, for another option's groups. The flavours of a pizza stay selected when its size
 * changes: groups are matched by name or position, options by name.
 */
function carriedTo(groupIds: readonly number[], { option: from, options }: Chosen, offer: Offer): AskedOption[] {
  return groupIds.flatMap((id, index) => {
    const group = offer.groups.get(id);
    if (!group) return [];
    const isSame = ({ group: other }: Chosen): boolean =>
      other.id === id || isSameName(other.name, group.name) || from.option_group_ids[index] === other.id;
    let left = group.max;
    return options.filter(isSame).flatMap((before) => {
      const option = group.options.find(
        (each) => each.id === before.option.id || isSameName(each.name, before.option.name),
      );
      if (!option || !isOptionAvailable(option, offer) || left === 0) return [];
      const quantity = Math.min(before.quantity, option.max_each, left);
      left -= quantity;
      return [{ id: option.id, quantity, options: carriedTo(option.option_group_ids, before, offer) }];
    });
  });
}

/** Returns the options of an earlier choice that are no longer offered where they were chosen. */
export function goneOf(earlier: readonly ItemOption[], chosen: readonly Chosen[]): ItemOption[] {
  return earlier.flatMap((each) => {
    const now = chosen.find(({ option }) => option.id === each.id);
    return now ? goneOf(each.options, now.options) : [each];
  });
}
