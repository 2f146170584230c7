import type { AskedOption } from '@comanda/contracts/item-options';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { chooseOptions } from '@comanda/contracts/options';
import { newDish, newOption, newOptionGroup } from '@comanda/testing/stand/data';
import { describe, expect, test } from '@jest/globals';
import { askedOf, firstWrong, goneOf, withChange, type Offer } from './choice.ts';
import { rowPrice } from './row-price.ts';
import { toItemOption } from '@comanda/contracts/chosen-options';

const groupsById = (...groups: OptionGroup[]): OptionGroup[] => groups;
const [sizes, medium, large, toppings, drinks] = groupsById(
  newOptionGroup(1, 'Size', {
    options: [newOption(11, 'M', { option_group_ids: [2] }), newOption(12, 'L', { option_group_ids: [3] })],
  }),
  newOptionGroup(2, 'Flavours', {
    max: 2,
    price_method: 'average',
    options: [newOption(21, 'Calabresa', { price: '42.00' }), newOption(22, 'Portuguesa', { price: '46.00' })],
  }),
  newOptionGroup(3, 'Flavours', {
    max: 2,
    price_method: 'average',
    options: [
      newOption(31, 'Portuguesa', { price: '64.00' }),
      newOption(32, 'Calabresa', { price: '58.00' }),
      newOption(33, 'Prawns', { price: '84.00', available: false }),
    ],
  }),
  newOptionGroup(5, 'Toppings', {
    min: 0,
    max: 6,
    free: 2,
    options: [
      newOption(51, 'Granola', { price: '4.00' }),
      newOption(52, 'Banana', { price: '3.00', max_each: 2 }),
      newOption(53, 'Honey', { price: '2.00' }),
    ],
  }),
  newOptionGroup(7, 'Drink', { options: [newOption(71, 'Lager', { item_id: 90 })] }),
) as [OptionGroup, OptionGroup, OptionGroup, OptionGroup, OptionGroup];
const all = [sizes, medium, large, toppings, drinks];
const offer: Offer = {
  groups: new Map(all.map((group) => [group.id, group])),
  dishes: new Map([[90, newDish({ id: 90, portions_left: 0 })]]),
};
const choose = (groupIds: number[], asked: AskedOption[]) =>
  chooseOptions<OptionGroup['options'][number], OptionGroup>({ groupIds, asked }, offer.groups);
const optionOf = (group: OptionGroup, id: number) => group.options.find((each) => each.id === id) ?? null;

describe('a change of a choice', () => {
  const halves = choose([1], [{ id: 11, options: [{ id: 21 }, { id: 22 }] }]).options;
  test('keeps the flavours of a pizza when its size changes', () => {
    const change = { path: [], group: sizes, option: optionOf(sizes, 12), quantity: 1 };
    expect(withChange(halves, change, offer)).toEqual([
      {
        id: 12,
        quantity: 1,
        options: [
          { id: 32, quantity: 1, options: [] },
          { id: 31, quantity: 1, options: [] },
        ],
      },
    ]);
  });
  test('changes only the group that it belongs to', () => {
    const change = { path: [11], group: medium, option: optionOf(medium, 21), quantity: 0 };
    expect(withChange(halves, change, offer)).toEqual([{ id: 11, quantity: 1, options: [{ id: 22, quantity: 1 }] }]);
  });
  test('removes the option of a group in which “None” is chosen', () => {
    const change = { path: [], group: sizes, option: null, quantity: 0 };
    expect(withChange(halves, change, offer)).toEqual([]);
  });
});

describe('the first group to correct', () => {
  test.each<[string, { groups: number[]; asked: AskedOption[]; name: string | null }]>([
    ['is the one with too few options', { groups: [1], asked: [], name: 'Size' }],
    ['may be opened by an option', { groups: [1], asked: [{ id: 11 }], name: 'Flavours' }],
    ['may have too many options', { groups: [3], asked: [{ id: 31 }, { id: 32 }, { id: 33 }], name: 'Flavours' }],
    ['may have a sold-out option', { groups: [3], asked: [{ id: 33 }], name: 'Flavours' }],
    ['may have a dish that is sold out', { groups: [7], asked: [{ id: 71 }], name: 'Drink' }],
    ['is none if the dish can be ordered', { groups: [1, 5], asked: [{ id: 11, options: [{ id: 21 }] }], name: null }],
  ])('%s', (_title, { groups: groupIds, asked, name }) => {
    expect(firstWrong(choose(groupIds, asked), groupIds, offer)?.name ?? null).toBe(name);
  });
});

test('options of an earlier choice that are gone are named, with none below them', () => {
  const earlier = choose([1], [{ id: 12, options: [{ id: 31 }] }]).options.map(toItemOption);
  const gone = earlier.map((each) => ({ ...each, id: 99 }));
  const half = earlier.map((each) => ({ ...each, options: each.options.map((below) => ({ ...below, id: 98 })) }));
  const { options } = choose([1], [{ id: 12, options: [{ id: 31 }] }]);
  expect([gone, half, earlier].map((each) => goneOf(each, options).map(({ name }) => name))).toEqual([
    ['L'],
    ['Portuguesa'],
    [],
  ]);
});

test('a choice becomes the same request', () => {
  const asked = [{ id: 12, quantity: 1, options: [{ id: 31, quantity: 1 }] }];
  expect(askedOf(choose([1], asked).options)).toEqual(asked);
});

describe('the price in a row', () => {
  const pricesIn = (group: OptionGroup, asked: AskedOption[], isBase = false) =>
    group.options.map((option) => {
      const price = rowPrice({ group, option, own: choose([group.id], asked).options, isBase }, offer);
      return price && 'amount' in price ? `${price.kind} ${price.amount}` : (price?.kind ?? null);
    });
  test.each<[string, AskedOption[], (string | null)[]]>([
    ['says that toppings are included', [], ['included', 'included', 'included']],
    ['says so until all included ones are chosen', [{ id: 51 }], ['included', 'included', 'included']],
    ['says what one more costs', [{ id: 51 }, { id: 52 }], ['included', 'included', 'adds 200']],
    ['adds up if the dearest are free', [{ id: 51 }, { id: 52 }, { id: 53 }], ['included', 'included', 'adds 200']],
    [
      'adds up if an option is chosen twice',
      [{ id: 51 }, { id: 52, quantity: 2 }],
      ['included', 'adds 300', 'adds 200'],
    ],
  ])('%s', (_name, asked, prices) => {
    expect(pricesIn(toppings, asked)).toEqual(prices);
  });
  test('is the price of the whole dish where several share one price', () => {
    expect(pricesIn(medium, [{ id: 21 }])).toEqual(['is 4200', 'is 4600']);
  });
  test('is the lowest price of what the option opens', () => {
    expect(pricesIn(sizes, [], true)).toEqual(['from 4200', 'from 5800']);
  });
});
