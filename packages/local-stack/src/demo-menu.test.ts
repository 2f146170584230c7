import { describe, expect, test } from '@jest/globals';
import { chooseOptions, unitPriceOf } from '@comanda/contracts/options';
import { canBeOrdered, priceFrom } from '@comanda/contracts/options-on-offer';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { dishNamed, menuWithOptions } from '@comanda/testing/stand/data';
import { optionGroups } from '@comanda/testing/stand/option-groups';

const groups = new Map(optionGroups.map((group) => [group.id, group]));
const dishes = new Map(menuWithOptions.map((dish) => [dish.id, dish]));
const optionOf = (group: string, name: string): number =>
  optionGroups.find((each) => each.name === group)?.options.find((option) => option.name === name)?.id ?? 0;

describe("the demo's menu", () => {
  test('has only dishes that can be ordered', () => {
    expect(menuWithOptions.filter((dish) => !canBeOrdered(dish, { groups, dishes }))).toEqual([]);
  });
  test('says of each dish and each option which allergens it has', () => {
    const unstated = menuWithOptions.filter(({ allergens, allergens_stated: stated }) => !stated && !allergens.length);
    const options = optionGroups.flatMap((group) => group.options);

    expect(unstated).toEqual([]);
    expect(options.filter(({ allergens, item_id: dish }) => (allergens === null) === (dish === null))).toEqual([]);
  });
  test('has English names for each group and option', () => {
    const named = optionGroups.flatMap((group) => [group, ...group.options]);

    expect(named.filter(({ name_translations: names }) => !names.en)).toEqual([]);
  });
});

const [size, flavours, toppings] = ['Tamanho', 'Sabores', 'Complementos'];
const large = optionOf(size, 'Grande, 8 fatias');
test.each([
  {
    dish: 'Pizza',
    price: '73.00',
    asked: [
      {
        id: large,
        options: [
          { id: optionOf(flavours, 'Calabresa') },
          { id: optionOf(flavours, 'Portuguesa') },
          { id: optionOf('Borda recheada', 'Cheddar') },
        ],
      },
    ],
  },
  { dish: 'Pizza', price: '66.00', asked: [{ id: large, options: [{ id: optionOf(flavours, 'Quatro queijos') }] }] },
  {
    dish: 'Açaí na tigela',
    price: '27.00',
    asked: ['Morango', 'Granola', 'Banana'].map((name) => ({ id: optionOf(toppings, name) })),
  },
  { dish: 'Picanha na brasa', price: '79.00', asked: [] },
])('$dish costs $price with $asked', ({ dish, price, asked }) => {
  const { price: own, option_group_ids: groupIds = [] } = menuWithOptions.find(({ name }) => name === dish) ?? {};
  const choice = chooseOptions({ groupIds, asked }, groups);

  expect(choice.defects).toEqual([]);
  expect(fromMinor(unitPriceOf(toMinor(own ?? ''), choice))).toBe(price);
});

test("the drinks of the demo's combo are poured at the bar, and its fish is sold by weight", () => {
  const drinks = optionGroups.find(({ name }) => name === 'Bebida do combo')?.options ?? [];
  const [combo, fish] = [dishNamed('Combo X-burger'), dishNamed('Pargo na brasa')];

  expect(drinks.map(({ item_id: id }) => dishes.get(id ?? 0)?.station)).toEqual(['bar', 'bar', 'bar']);
  expect([combo.station, fish.pricing]).toEqual(['kitchen', 'per_kg']);
});

test('the row of the pizza shows the price from which it can be ordered', () => {
  const pizza = dishNamed('Pizza');

  expect(priceFrom(pizza, { groups, dishes })).toEqual({ price: 3600n, varies: true });
});
