import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { AskedOption } from './item-options.ts';
import { toMinor } from './money.ts';
import {
  areGroupsKnown,
  canBeOrdered,
  isOptionAvailable,
  priceFrom,
  verdictFor,
  type Offer,
} from './options-on-offer.ts';
import { chooseOptions, unitPriceOf, type ChosenOption } from './options.ts';

type Allergen = 'milk' | 'nuts';
const some: readonly Allergen[] = ['milk', 'nuts'];
type Dish = Parameters<typeof canBeOrdered>[0];
type Option = {
  id: number;
  price: string;
  max_each: number;
  available: boolean;
  default: boolean;
  allergens: Allergen[] | null;
  option_group_ids: number[];
  item_id: number | null;
};
type Group = {
  id: number;
  min: number;
  max: number;
  price_method: 'sum' | 'average' | 'max';
  free: number;
  options: Option[];
};
type Menu = { dish: Dish; groups: Map<number, Group>; dishes: Map<number, Dish> };

const dishes = new Map<number, Dish>(
  [
    { available: true, portions_left: null, allergens: [], allergens_stated: true },
    { available: true, portions_left: 1, allergens: ['milk' as const], allergens_stated: false },
    { available: true, portions_left: null, allergens: [], allergens_stated: false },
    { available: false, portions_left: null, allergens: [], allergens_stated: true },
    { available: true, portions_left: 0, allergens: ['nuts' as const], allergens_stated: true },
  ].map((dish, at) => [at + 1, { ...dish, price: '9.00', option_group_ids: [] }]),
);
const subset = fc.subarray([...some]);
const anOption = fc.record({
  price: fc.constantFrom('0.00', '1.00', '2.50', '3.33'),
  max_each: fc.constantFrom(1, 1, 2),
  available: fc.constantFrom(true, true, true, false),
  allergens: fc.option(subset, { nil: null }),
  // The sixth dish is not on the menu.
  item_id: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null, freq: 2 }),
  opens: fc.boolean(),
});
const aGroup = fc.record({
  min: fc.constantFrom(0, 1, 1, 2),
  more: fc.constantFrom(0, 1),
  price_method: fc.constantFrom('sum' as const, 'average' as const, 'max' as const),
  options: fc.array(anOption, { minLength: 1, maxLength: 3 }),
});
/** A small menu. Each group's options may open the next group, so a chain has at most three. */
const aMenu = fc
  .record({
    groups: fc.array(aGroup, { minLength: 1, maxLength: 3 }),
    both: fc.boolean(),
    dish: fc.record({
      price: fc.constant('10.00'),
      available: fc.constantFrom(true, true, true, false),
      portions_left: fc.constantFrom(null, null, 2, 0),
      allergens: fc.constantFrom<Allergen[]>([], [], [], ['nuts']),
      allergens_stated: fc.boolean(),
    }),
  })
  .map(({ groups, both, dish }): Menu => {
    const made = groups.map(({ min, more, price_method, options }, at): Group => {
      const isLast = at === groups.length - 1;
      const own = options.map(({ opens, max_each, ...option }, index): Option => {
        const opensNext = opens && !isLast;
        return {
          ...option,
          id: 10 * (at + 1) + index,
          max_each: opensNext ? 1 : max_each,
          default: false,
          option_group_ids: opensNext ? [at + 2] : [],
        };
      });
      const room = own.reduce((total, { max_each: each }) => total + each, 0);
      const least = Math.min(min, room);
      return { id: at + 1, min: least, max: Math.max(1, least + more), price_method, free: 0, options: own };
    });
    const option_group_ids = both && made.length > 1 ? [1, made.length] : [1];
    return { dish: { ...dish, option_group_ids }, groups: new Map(made.map((each) => [each.id, each])), dishes };
  });

/** Returns all ways to choose from these groups, with the options that are allowed. */
function choicesOf(menu: Menu, groupIds: readonly number[], allows: (option: Option) => boolean): AskedOption[][] {
  const [id, ...others] = groupIds;
  const group = menu.groups.get(id ?? 0);
  if (!group) return [[]];
  const ofGroup = (index: number, left: number): AskedOption[][] => {
    const option = group.options[index];
    if (!option) return [[]];
    const without = ofGroup(index + 1, left);
    if (!allows(option)) return without;
    const below = choicesOf(menu, option.option_group_ids, allows);
    const counts = Array.from({ length: Math.min(option.max_each, left) }, (_each, at) => at + 1);
    return [
      ...without,
      ...counts.flatMap((quantity) =>
        ofGroup(index + 1, left - quantity).flatMap((rest) =>
          below.map((options) => [{ id: option.id, quantity, options }, ...rest]),
        ),
      ),
    ];
  };
  return ofGroup(0, group.max).flatMap((own) => choicesOf(menu, others, allows).map((rest) => [...own, ...rest]));
}
const flat = (options: readonly ChosenOption<Group>[]): Option[] =>
  options.flatMap(({ option, options: below }) => [option, ...flat(below)]);

/** Tries all choices, and returns those that have no defect, with all options that they contain. */
function validChoices(menu: Menu, allows: (option: Option) => boolean) {
  const groupIds = menu.dish.option_group_ids ?? [];
  return choicesOf(menu, groupIds, allows).flatMap((asked) => {
    const choice = chooseOptions({ groupIds, asked }, menu.groups);
    return choice.defects.length === 0 ? [{ choice, options: flat(choice.options) }] : [];
  });
}
const isOnOffer = ({ available, portions_left: left }: Dish) => available && (left === null || left > 0);
const isAvailable = ({ available, item_id: id }: Option) => {
  const dish = id === null ? null : dishes.get(id);
  return available && dish !== undefined && (dish === null || isOnOffer(dish));
};
const allergensIn = ({ item_id: id, allergens }: Option): readonly string[] | null => {
  if (id === null) return allergens;
  const dish = dishes.get(id);
  return dish && (dish.allergens_stated || dish.allergens.length > 0) ? dish.allergens : null;
};

describe('a dish with options', () => {
  test('can be ordered exactly if one of all its choices can', () => {
    fc.assert(
      fc.property(aMenu, (menu) => {
        const canBe = isOnOffer(menu.dish) && validChoices(menu, isAvailable).length > 0;
        expect(canBeOrdered(menu.dish, menu as Offer)).toBe(canBe);
      }),
      { numRuns: 400 },
    );
  });

  test('fits a guest exactly if one of all its choices is known to, and clashes if none may', () => {
    fc.assert(
      fc.property(aMenu, subset, (menu, avoided) => {
        const { dish } = menu;
        const hits = (allergens: readonly string[] | null) =>
          allergens?.some((each) => avoided.includes(each as never));
        const canBe = isOnOffer(dish) && validChoices(menu, isAvailable).length > 0;
        const choices = validChoices(menu, canBe ? isAvailable : () => true);
        const isStated = dish.allergens_stated || dish.allergens.length > 0;
        const safe = choices.filter(({ options }) => options.every((option) => !hits(allergensIn(option))));
        const known = safe.filter(({ options }) => options.every((option) => allergensIn(option) !== null));
        const verdict = isStated && known.length > 0 ? 'fits' : safe.length > 0 ? 'ask' : 'clash';
        const expected = hits(dish.allergens) ? 'clash' : verdict;
        expect(verdictFor(dish, menu as Offer, new Set(avoided))).toBe(expected);
      }),
      { numRuns: 600 },
    );
  });

  test('costs its lowest price or more, whatever is chosen, if it adds up prices', () => {
    fc.assert(
      fc.property(aMenu, (menu) => {
        for (const group of menu.groups.values()) group.price_method = 'sum';
        const base = toMinor(menu.dish.price);
        const prices = validChoices(menu, isAvailable).map(({ choice }) => unitPriceOf(base, choice));
        const [least] = prices.toSorted((one, other) => (one < other ? -1 : 1));
        fc.pre(least !== undefined);
        expect(priceFrom(menu.dish, menu as Offer).price).toBe(least);
      }),
      { numRuns: 400 },
    );
  });

  test('is shown with "from" if the options of a required group, or of those that they open, differ in price', () => {
    const option = (id: number, price: string, opens: number[] = []): Option => ({
      id,
      price,
      max_each: 1,
      available: true,
      default: false,
      allergens: null,
      item_id: null,
      option_group_ids: opens,
    });
    const group = (id: number, min: number, options: Option[]): Group => ({
      id,
      min,
      max: 2,
      price_method: 'average',
      free: 0,
      options,
    });
    const groups = [
      group(1, 1, [option(11, '0.00', [2, 3])]),
      group(2, 1, [option(21, '58.00'), option(22, '64.00')]),
      group(3, 0, [option(31, '12.00'), option(32, '15.00')]),
    ];
    const dish = { price: '0.00', available: true, portions_left: null, allergens: [], option_group_ids: [1] };
    const offer = { groups: new Map(groups.map((each) => [each.id, each])), dishes };
    expect(priceFrom(dish, offer)).toEqual({ price: 5800n, varies: true });
    offer.groups.set(2, group(2, 1, [option(21, '58.00')]));
    expect(priceFrom(dish, offer)).toEqual({ price: 5800n, varies: false });
    offer.groups.set(1, group(1, 1, [option(11, '0.00', [2]), option(12, '0.00', [4])]));
    offer.groups.set(4, group(4, 1, [option(41, '36.00')]));
    expect(priceFrom(dish, offer)).toEqual({ price: 3600n, varies: true });
  });

  test('costs what the first of equally cheap options costs', () => {
    const option = (id: number, price: string, opens: number[] = []) =>
      ({ id, price, max_each: 1, available: true, allergens: null, item_id: null, option_group_ids: opens }) as Option;
    const group = (id: number, free: number, options: Option[]) =>
      ({ id, min: 1, max: 1, price_method: 'sum', free, options }) as Group;
    const dish = { price: '0.00', available: true, portions_left: null, allergens: [], option_group_ids: [1] };
    const sauce = group(2, 0, [option(21, '4.00')]);
    const priceOf = (...options: Option[]) => {
      const groups = new Map([group(1, 1, options), sauce].map((each) => [each.id, each]));
      return priceFrom(dish, { groups, dishes }).price;
    };
    // Each of them costs 4.00, but only its own price is included.
    const [opening, plain] = [option(11, '0.00', [2]), option(12, '4.00')];
    expect([priceOf(opening, plain), priceOf(plain, opening)]).toEqual([400n, 0n]);
  });

  test('has known groups only if those that its options open are known too', () => {
    const offer = (...ids: number[]): Offer['groups'] =>
      new Map(ids.map((id) => [id, { options: [{ option_group_ids: id < 3 ? [id + 1] : [] }] } as never]));
    expect([[1, 2, 3], [1, 2], [2, 3], []].map((ids) => areGroupsKnown([1], offer(...ids)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(areGroupsKnown([], offer())).toBe(true);
  });

  test('has a component only while its dish is on the menu and not sold out', () => {
    const component = (item_id: number) => ({ available: true, item_id }) as Option;
    const offer: Offer = { groups: new Map(), dishes };
    expect([1, 2, 4, 5, 6].map((id) => isOptionAvailable(component(id), offer))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
