import { expect, test } from '@jest/globals';
import { chooseOptions as check } from '@comanda/contracts/options';
import { menuWithOptions } from '@comanda/testing/stand/data';
import { optionGroups } from '@comanda/testing/stand/option-groups';
import { chooseOptions } from './choose-options.ts';
import { createChance } from './chance.ts';

const dishes = new Map(menuWithOptions.map((dish) => [dish.id, dish]));
const soldOut = new Set(['Marguerita', 'Banana', 'Batata frita']);
const groups = new Map(
  optionGroups.map((group) => [
    group.id,
    { ...group, options: group.options.map((option) => ({ ...option, available: !soldOut.has(option.name) })) },
  ]),
);

test('guests choose options that can be ordered, and in time every one that is on offer', () => {
  const chance = createChance(7);
  const chosen = new Set<number>();
  const idsIn = (options: ReturnType<typeof chooseOptions>): number[] =>
    options.flatMap(({ id, options: below = [] }) => [id, ...idsIn(below)]);
  for (const { option_group_ids: groupIds = [] } of menuWithOptions)
    for (let round = 0; round < 200; round++) {
      const asked = chooseOptions(chance, groupIds, { groups, dishes });
      expect(check({ groupIds, asked }, groups)).toMatchObject({ defects: [], soldOut: [] });
      for (const id of idsIn(asked)) chosen.add(id);
    }

  const offered = [...groups.values()].flatMap(({ options }) => options.filter(({ available }) => available));
  expect(offered.filter(({ id }) => !chosen.has(id))).toEqual([]);
});
