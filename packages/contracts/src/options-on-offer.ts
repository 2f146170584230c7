import { sum } from './bill-amounts.ts';
import type { MenuItem } from './menu.ts';
import { toMinor } from './money.ts';
import type { OptionGroup } from './option-groups.ts';
import { groupAmount, minorOf, unitPriceOf } from './options.ts';

type Dish = Pick<
  MenuItem,
  'price' | 'available' | 'portions_left' | 'allergens' | 'allergens_stated' | 'option_group_ids'
>;
type Group = Pick<OptionGroup, 'min' | 'price_method' | 'free'> & {
  options: readonly Pick<
    OptionGroup['options'][number],
    'price' | 'max_each' | 'available' | 'allergens' | 'option_group_ids' | 'item_id'
  >[];
};
type Option = Group['options'][number];
/** All option groups and all dishes on the menu, by id. */
export type Offer = { groups: ReadonlyMap<number, Group>; dishes: ReadonlyMap<number, Dish> };
type Allergen = MenuItem['allergens'][number];
/** Whether a guest who avoids some allergens may eat a dish: yes, no, or only staff know. */
export type Verdict = 'fits' | 'ask' | 'clash';

/** Returns true if these groups and all that they lead to are known. A group that is missing would ask nothing and cost nothing. */
export const areGroupsKnown = (groupIds: readonly number[], groups: Offer['groups']): boolean =>
  groupIds.every((id) =>
    groups.get(id)?.options.every(({ option_group_ids: opened }) => areGroupsKnown(opened, groups)),
  );

const isOnOffer = ({ available, portions_left: left }: Dish): boolean => available && left !== 0;

/** Returns true if the option says so and, if it is a combo's component, its dish is on the menu and not sold out. */
export function isOptionAvailable({ available, item_id: id }: Option, { dishes }: Offer): boolean {
  if (!available || id === null) return available;
  const dish = dishes.get(id);
  return dish !== undefined && isOnOffer(dish);
}

type Allows = (option: Option) => boolean;
/** Returns true if enough of the allowed options can be chosen in each of these groups, and in those that they open. */
const areSatisfiable = (groupIds: readonly number[], offer: Offer, allows: Allows): boolean =>
  groupIds.every((id) => {
    const group = offer.groups.get(id);
    if (!group || group.min === 0) return true;
    const usable = group.options.filter((option) => isUsable(option, offer, allows));
    return usable.reduce((units, { max_each: each }) => units + each, 0) >= group.min;
  });
const isUsable = (option: Option, offer: Offer, allows: Allows): boolean =>
  allows(option) && areSatisfiable(option.option_group_ids, offer, allows);

/** Returns true if the dish is on offer and each of its required groups can be answered with options that are on offer. */
export const canBeOrdered = (dish: Dish, offer: Offer): boolean =>
  isOnOffer(dish) && areSatisfiable(dish.option_group_ids ?? [], offer, (option) => isOptionAvailable(option, offer));

/** Returns an option's allergens; null if they are not known. Those of a component are its dish's. */
export function allergensOf({ item_id: id, allergens }: Option, { dishes }: Offer): readonly Allergen[] | null {
  if (id === null) return allergens;
  const dish = dishes.get(id);
  return dish && (areStated(dish) || dish.allergens.length > 0) ? dish.allergens : null;
}
/** Returns true if the whole list of allergens is known. Where allergens are named, it is. */
export const areStated = ({ allergens, allergens_stated: stated = false }: Dish): boolean =>
  stated || allergens.length > 0;

/** Says whether a guest who avoids these allergens may eat the dish. A dish that can't be ordered is judged by all its options. */
export function verdictFor(dish: Dish, offer: Offer, avoided: ReadonlySet<Allergen>): Verdict {
  const hasAvoided = (allergens: readonly Allergen[] | null): boolean =>
    allergens?.some((allergen) => avoided.has(allergen)) ?? false;
  if (hasAvoided(dish.allergens)) return 'clash';
  const isCounted: Allows = canBeOrdered(dish, offer) ? (option) => isOptionAvailable(option, offer) : () => true;
  const canBeHad = (isSafe: (allergens: readonly Allergen[] | null) => boolean): boolean =>
    areSatisfiable(
      dish.option_group_ids ?? [],
      offer,
      (option) => isCounted(option) && isSafe(allergensOf(option, offer)),
    );
  if (areStated(dish) && canBeHad((allergens) => allergens !== null && !hasAvoided(allergens))) return 'fits';
  return canBeHad((allergens) => !hasAvoided(allergens)) ? 'ask' : 'clash';
}

/**
 * Returns the lowest price at which the dish is usually ordered, in minor units: with the cheapest units on offer of each required
 * group, together with what they open. `varies`: true if options of a required group differ in price, so that the price is shown
 * as "from".
 */
export function priceFrom(dish: Dish, offer: Offer): { price: bigint; varies: boolean } {
  const required = requiredGroups(dish.option_group_ids ?? [], offer);
  return {
    price: unitPriceOf(toMinor(dish.price), { amount: sum(required.map(({ amount }) => amount)) }),
    varies: required.some(({ varies }) => varies),
  };
}

/** One unit of an option: its own price, and what the cheapest options that it opens add to it. */
type Unit = { price: bigint; opened: bigint; varies: boolean };
type Required = { amount: bigint; varies: boolean };

function requiredGroups(groupIds: readonly number[], offer: Offer): Required[] {
  return groupIds.flatMap((id): Required[] => {
    const group = offer.groups.get(id);
    if (!group || group.min === 0) return [];
    const usable = group.options.filter((option) => isUsable(option, offer, (each) => isOptionAvailable(each, offer)));
    const units = usable.flatMap((option) => Array<Unit>(option.max_each).fill(unitOf(option, offer)));
    const cheapestFirst = units.sort((one, other) => compare(totalOf(one), totalOf(other)));
    const chosen = cheapestFirst.slice(0, group.min);
    const own = groupAmount(
      group,
      chosen.map(({ price }) => price),
    );
    return [
      {
        amount: own + sum(chosen.map(({ opened }) => opened)),
        varies: cheapestFirst.some((unit, _at, [first = unit]) => unit.varies || totalOf(unit) !== totalOf(first)),
      },
    ];
  });
}

function unitOf({ price, option_group_ids: groupIds }: Option, offer: Offer): Unit {
  const below = requiredGroups(groupIds, offer);
  return {
    price: minorOf(price),
    opened: sum(below.map(({ amount }) => amount)),
    varies: below.some(({ varies }) => varies),
  };
}
const totalOf = ({ price, opened }: Unit): bigint => price + opened;
const compare = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other));
