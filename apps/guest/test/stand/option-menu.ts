import { toItemOption } from '@comanda/contracts/chosen-options';
import type { AskedOption } from '@comanda/contracts/item-options';
import type { MenuItem } from '@comanda/contracts/menu';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import { chooseOptions, unitPriceOf } from '@comanda/contracts/options';
import { menu, newDish, newOption, newOptionGroup } from '@comanda/testing/stand/data';
import { seated } from './states.ts';

// A menu with options, as a Brazilian house would have it.

const named = (id: number, [name, en]: readonly [string, string], differs: Partial<Option> = {}): Option =>
  newOption(id, name, { name_translations: { en }, allergens: null, ...differs });
const newGroup = (id: number, [name, en]: readonly [string, string], differs: Partial<OptionGroup>): OptionGroup =>
  newOptionGroup(id, name, { name_translations: { en }, ...differs });

const flavours = [
  ['Calabresa', 'Smoked sausage', '42.00', '58.00', ['gluten', 'milk']],
  ['Portuguesa', 'Ham, egg and onion', '46.00', '64.00', ['gluten', 'milk', 'eggs']],
  ['Quatro queijos', 'Four cheeses', '48.00', '66.00', ['gluten', 'milk']],
  ['Camarão', 'Prawns', '62.00', '84.00', ['gluten', 'milk', 'crustaceans']],
] as const;
const flavoursOf = (id: number, price: 2 | 3): OptionGroup =>
  newGroup(id, ['Sabores', 'Flavours'], {
    max: 2,
    price_method: 'average',
    options: flavours.map((each, index) =>
      named(id * 10 + index, [each[0], each[1]], {
        price: each[price],
        allergens: [...each[4]],
        available: each[0] !== 'Camarão',
      }),
    ),
  });

export const groups: readonly OptionGroup[] = [
  newGroup(1, ['Tamanho', 'Size'], {
    options: [
      named(11, ['Média, 6 fatias', 'Medium, 6 slices'], { option_group_ids: [2] }),
      named(12, ['Grande, 8 fatias', 'Large, 8 slices'], { option_group_ids: [3] }),
    ],
  }),
  flavoursOf(2, 2),
  flavoursOf(3, 3),
  newGroup(4, ['Borda', 'Crust'], {
    min: 0,
    options: [
      named(41, ['Catupiry', 'Cream cheese'], { price: '12.00', allergens: ['milk'] }),
      named(42, ['Cheddar', 'Cheddar'], { price: '10.00', allergens: ['milk'] }),
    ],
  }),
  newGroup(5, ['Complementos', 'Toppings'], {
    min: 0,
    max: 6,
    free: 2,
    options: [
      named(51, ['Granola', 'Granola'], { price: '4.00', allergens: ['gluten', 'nuts'] }),
      named(52, ['Leite em pó', 'Milk powder'], { price: '3.00', allergens: ['milk'] }),
      named(53, ['Banana', 'Banana'], { price: '3.00', max_each: 2, allergens: [] }),
      named(54, ['Paçoca', 'Peanut candy'], { price: '2.00', allergens: ['peanuts'] }),
    ],
  }),
  newGroup(6, ['Ponto da carne', 'How would you like it?'], {
    options: [
      named(61, ['Mal passada', 'Rare']),
      named(62, ['Ao ponto', 'Medium']),
      named(63, ['Bem passada', 'Well done']),
    ],
  }),
  newGroup(7, ['Bebida', 'Drink'], {
    options: [
      named(71, ['Chope claro', 'Draught lager'], { item_id: 11 }),
      named(72, ['Água com gás', 'Sparkling water'], { item_id: 12 }),
    ],
  }),
  newGroup(8, ['Acompanhamentos', 'Sides'], {
    min: 2,
    max: 2,
    options: [
      named(81, ['Arroz', 'Rice'], { default: true, allergens: [] }),
      named(82, ['Farofa', 'Toasted cassava'], { default: true, allergens: ['gluten'] }),
      named(83, ['Vinagrete', 'Tomato salsa'], { allergens: [] }),
    ],
  }),
];

const optionDish = (id: number, [name, en]: readonly [string, string], differs: Partial<MenuItem>): MenuItem =>
  newDish({ id, name, name_translations: { en }, category: 'Com opções', position: id - 200, ...differs });
export const pizza = optionDish(101, ['Pizza', 'Pizza'], {
  description: 'Massa de fermentação longa, até dois sabores.',
  description_translations: { en: 'Slow-fermented dough, up to two flavours.' },
  price: '0.00',
  allergens: ['gluten'],
  option_group_ids: [1, 4],
});
export const acai = optionDish(102, ['Açaí', 'Açaí bowl'], {
  price: '18.00',
  allergens_stated: true,
  option_group_ids: [5],
});
export const steak = optionDish(103, ['Bife ancho', 'Ribeye steak'], {
  price: '79.00',
  allergens_stated: true,
  option_group_ids: [6, 8],
});
export const combo = optionDish(104, ['Combo da casa', 'House combo'], {
  price: '45.00',
  allergens: ['gluten'],
  option_group_ids: [7],
});
export const plate = optionDish(105, ['Prato feito', 'Plate of the day'], { price: '32.00', option_group_ids: [8] });
export const fish = optionDish(106, ['Pirarucu na brasa', 'Grilled pirarucu'], {
  price: '79.90',
  pricing: 'per_kg',
  allergens: ['fish'],
});

type More = Parameters<typeof seated>[0];
/** Returns the state of a guest's phone at table 12 of a restaurant whose dishes have options. */
export const choosing = ({ answers, ...more }: More = {}) =>
  seated({
    ...more,
    answers: {
      listMenu: [pizza, acai, steak, combo, plate, fish, ...menu],
      listOptionGroups: [...groups],
      ...answers,
    },
  });

/** Returns these options as an order's item has them, and the price of the dish with them. */
export function chosen(dish: MenuItem, asked: readonly AskedOption[]) {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const choice = chooseOptions<Option, OptionGroup>({ groupIds: dish.option_group_ids ?? [], asked }, byId);
  return {
    options: choice.options.map(toItemOption),
    unit_price: fromMinor(unitPriceOf(toMinor(dish.price), choice)),
  };
}
/** The options of a large pizza in two halves, with cream cheese in its crust. */
export const halves = [{ id: 12, options: [{ id: 30 }, { id: 31 }] }, { id: 41 }];

/** Returns the data on the device of a guest who has selected these dishes with their options. */
export const basketWith = (
  ...lines: readonly { dish: MenuItem; asked: readonly AskedOption[]; remarks?: string }[]
) => ({
  'comanda.basket': JSON.stringify({
    lines: lines.map(({ dish: { id, name, ...rest }, asked, remarks = '' }, index) => {
      const { options, unit_price: seenPrice } = chosen({ id, name, ...rest }, asked);
      return { id: index + 1, dishId: id, name, quantity: 1, remarks, seenPrice, options };
    }),
    allergies: null,
    of: '12/seating 88',
    savedAt: Date.now(),
  }),
});
