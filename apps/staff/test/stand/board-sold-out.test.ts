import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, inBothLanguages, textsOutsideOf } from '@comanda/testing/page-checks';
import { dishNamed, newDish, newOption, newOptionGroup } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import type { State } from '@comanda/testing/stand/state';
import { longName } from '../support/looks.ts';
import { press, says, tablet } from '../support/page.ts';
import { onShift } from './states.ts';

// The options in the drawer that marks what is sold out.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

describe('the options in Sold out', () => {
  const flavours = newOptionGroup(4, 'Sabores', {
    options: [
      newOption(31, 'Calabresa', { kitchen_name: 'CALAB' }),
      newOption(32, 'Portuguesa', { available: false }),
      newOption(33, longName.slice(0, 60), { item_id: dishNamed('Feijoada').id }),
    ],
  });
  const size = newOptionGroup(5, 'Tamanho', { options: [newOption(34, 'Grande', { option_group_ids: [4] })] });
  const dishes = [
    { ...dishNamed('Feijoada'), available: false, option_group_ids: [5] },
    newDish({ option_group_ids: [4] }),
    newDish({ id: 95, name: 'Arroz' }),
  ];
  const answers = { listMenu: dishes, listOptionGroups: [flavours, size] };
  const open = async (others: State['answers'] = {}, look: StandLook = tablet) => {
    const page = await stand.show(onShift({ answers: { ...answers, ...others } }), '#/board', look);
    await page.getByRole('button', { name: 'Sold out', exact: true }).click();
    await page.getByRole('button', { name: 'Options', exact: true }).click();
    return { page, group: page.getByRole('region', { name: 'Sabores' }) };
  };

  test('are marked once for all dishes, after a question, and back with one tap', async () => {
    const [calabresa, ...others] = flavours.options;
    if (!calabresa) throw new Error('There is no option.');
    const sold = { ...flavours, version: 2, options: [{ ...calabresa, available: false }, ...others] };
    const { page, group } = await open({ setOptionAvailability: { turns: [sold, { ...flavours, version: 3 }] } });
    await says(group, 'in 2 dishes');
    await group.getByRole('switch', { name: 'Portuguesa: Sold out', checked: false }).waitFor();
    await group.getByRole('switch', { name: 'Calabresa: Available' }).click();
    await says(group, 'Mark Calabresa as sold out?');
    await press(page, 'Yes, sold out');
    await group.getByRole('switch', { name: 'Calabresa: Sold out' }).click();
    await group.getByRole('switch', { name: 'Calabresa: Available' }).waitFor();
    expect((await stand.calls('setOptionAvailability')).map(({ input }) => input)).toEqual([
      { id: 4, option_id: 31, available: false },
      { id: 4, option_id: 31, available: true },
    ]);
  });

  test('are found by the name that the kitchen reads', async () => {
    const { page, group } = await open();
    await page.getByRole('searchbox', { name: 'Search options' }).fill('calab');
    await page.getByRole('region', { name: 'Tamanho' }).waitFor({ state: 'detached' });
    expect(await group.getByRole('switch').count()).toBe(1);
  });

  test('fit every screen', async () => {
    const looks = {
      phone: { viewport: { width: 360, height: 640 } },
      wall: { viewport: { width: 1_920, height: 1_080 } },
    };
    const { page } = await open({}, looks.phone);
    await says(page, 'The dish is sold out');
    const { check, found } = checkScreens(page, {
      looks: inBothLanguages(looks),
      shoot: stand.shoot,
      name: 'board-sold-out-options',
      measure: textsOutsideOf,
    });
    await check('drawer');
    expect(found).toEqual([]);
  });
});
