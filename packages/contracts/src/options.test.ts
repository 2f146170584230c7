import { describe, expect, test } from '@jest/globals';
import type { AskedOption } from './item-options.ts';
import { fromMinor, toMinor } from './money.ts';
import { chooseOptions, groupAmount, normalPrice, unitPriceOf } from './options.ts';

type Fields = Partial<Omit<ReturnType<typeof option>, 'id'>>;
const option = (id: number, price: string, fields: object = {}) => ({
  id,
  price,
  max_each: 1,
  available: true,
  default: false,
  option_group_ids: [] as number[],
  ...fields,
});
const group = (id: number, options: ReturnType<typeof option>[], fields: object = {}) => ({
  id,
  min: 0,
  max: 1,
  price_method: 'sum' as 'sum' | 'average' | 'max',
  free: 0,
  options,
  ...fields,
});
const menuOf = (...groups: ReturnType<typeof group>[]) => new Map(groups.map((each) => [each.id, each]));

/** The example of the specification: a pizza whose size opens its flavours and its crust. */
const pizza = (price_method: 'average' | 'max') =>
  menuOf(
    group(1, [option(11, '0.00', { option_group_ids: [2, 3] })], { min: 1 }),
    group(2, [option(21, '58.00'), option(22, '64.00')], { min: 1, max: 2, price_method }),
    group(3, [option(31, '12.00')]),
  );
const wholePizza: AskedOption[] = [{ id: 11, options: [{ id: 31 }, { id: 22 }, { id: 21 }] }];

describe('the price of options', () => {
  test.each([
    ['average', '73.00'],
    ['max', '76.00'],
  ] as const)('counts the flavours of a pizza by their %s, and each nested group by itself', (method, price) => {
    const choice = chooseOptions({ groupIds: [1], asked: wholePizza }, pizza(method));
    expect([choice.defects, fromMinor(unitPriceOf(0n, choice))]).toEqual([[], price]);
  });

  test('leaves out the dearest options that are included', () => {
    const toppings = group(
      1,
      ['4.00', '3.00', '3.00', '2.00'].map((price, at) => option(at + 1, price)),
      { max: 9, free: 2 },
    );
    const asked = [1, 2, 3, 4].map((id) => ({ id }));
    const choice = chooseOptions({ groupIds: [1], asked }, menuOf(toppings));
    expect(fromMinor(unitPriceOf(toMinor('18.00'), choice))).toBe('23.00');
  });

  test.each<[how: Parameters<typeof groupAmount>[0], units: bigint[], amount: bigint]>([
    [{ price_method: 'average', free: 0 }, [4001n, 2600n], 3301n],
    [{ price_method: 'max', free: 0 }, [4001n, 2600n], 4001n],
    [{ price_method: 'sum', free: 0 }, [], 0n],
    [{ price_method: 'average', free: 0 }, [], 0n],
    [{ price_method: 'sum', free: 1 }, [-500n, 0n, 300n, 300n], -200n],
    [{ price_method: 'sum', free: 9 }, [-500n, 300n], -500n],
  ])('is with %j for the units %p the amount %p', (how, units, amount) => {
    expect(groupAmount(how, units)).toBe(amount);
  });

  test('counts each unit of a quantity', () => {
    const flavours = group(1, [option(1, '10.00', { max_each: 3 }), option(2, '40.00')], {
      max: 4,
      price_method: 'average',
    });
    const asked = [{ id: 2 }, { id: 1, quantity: 3 }];
    const choice = chooseOptions({ groupIds: [1], asked }, menuOf(flavours));
    expect(choice.amount).toBe(1750n);
    expect(choice.options.map(({ option: { id }, quantity, of }) => [id, quantity, of])).toEqual([
      [1, 3, 4],
      [2, 1, 4],
    ]);
  });

  test('never makes a dish cheaper than 0', () => {
    const choice = chooseOptions({ groupIds: [1], asked: [{ id: 1 }] }, menuOf(group(1, [option(1, '-9.00')])));
    expect([unitPriceOf(500n, choice), unitPriceOf(901n, choice)]).toEqual([0n, 1n]);
  });

  test.each([
    ['4', '4.00'],
    ['-2.5', '-2.50'],
    ['-0', '0.00'],
  ])('is written the same way if it is sent as %s', (sent, normal) => {
    expect(normalPrice(sent)).toBe(normal);
  });
});

describe('the defaults of a required group', () => {
  const sides = (second: Fields) =>
    menuOf(
      group(1, [option(1, '0.00', { default: true }), option(2, '0.00', second), option(3, '5.00')], {
        min: 1,
        max: 2,
      }),
    );

  test('are ordered if nothing of the group is named', () => {
    const choice = chooseOptions({ groupIds: [1], asked: [] }, sides({ default: true }));
    expect(choice.options.map(({ option: { id } }) => id)).toEqual([1, 2]);
  });

  test('are left out if another option is named', () => {
    const choice = chooseOptions({ groupIds: [1], asked: [{ id: 3 }] }, sides({ default: true }));
    expect(choice.options.map(({ option: { id } }) => id)).toEqual([3]);
  });

  test('do not count if one of them is sold out', () => {
    const { defects } = chooseOptions({ groupIds: [1], asked: [] }, sides({ default: true, available: false }));
    expect(defects).toEqual([{ reason: 'too_few', group_id: 1, option_id: null, parent_option_id: null }]);
  });
});

describe('the defects of a choice', () => {
  const reasonsOf = (asked: AskedOption[]) =>
    chooseOptions({ groupIds: [1], asked }, pizza('average')).defects.map(
      ({ reason, group_id: groupId, option_id: optionId, parent_option_id: parent }) =>
        `${reason} ${groupId ?? optionId} below ${parent}`,
    );

  test.each<[string, AskedOption[], string[]]>([
    ['a missing required group', [], ['too_few 1 below null']],
    ['a missing nested group', [{ id: 11 }], ['too_few 2 below 11']],
    ['an option of another group', [{ id: 21 }], ['unknown 21 below null', 'too_few 1 below null']],
    [
      'an option that is unknown twice, and what is below it',
      [{ id: 99, options: [{ id: 98 }] }, { id: 99 }, { id: 11, options: [{ id: 21 }] }],
      ['unknown 99 below null'],
    ],
    [
      'an option named three times',
      [{ id: 11, options: [{ id: 21 }] }, { id: 11 }, { id: 11 }],
      ['repeated 11 below null'],
    ],
    [
      'too much of one option',
      [{ id: 11, options: [{ id: 21, quantity: 3 }] }],
      ['too_many_of_one 21 below 11', 'too_many 2 below 11'],
    ],
    [
      'options below one that opens no group',
      [{ id: 11, options: [{ id: 21, options: [{ id: 22 }] }] }],
      ['unknown 22 below 21'],
    ],
  ])('name %s', (_what, asked, reasons) => {
    expect(reasonsOf(asked)).toEqual(reasons);
  });
});

test('sold-out options of a choice are listed once, defaults not at all', () => {
  const groups = menuOf(
    group(1, [option(1, '0.00', { available: false }), option(2, '0.00')], { max: 2 }),
    group(2, [option(3, '0.00', { available: false, option_group_ids: [1] })]),
  );
  const asked = [{ id: 2 }, { id: 1 }, { id: 3, options: [{ id: 1 }] }];
  expect(chooseOptions({ groupIds: [1, 2], asked }, groups)).toMatchObject({ defects: [], soldOut: [1, 3] });
});
