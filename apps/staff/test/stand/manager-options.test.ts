/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, inBothLanguages } from '@comanda/testing/page-checks';
import { dishNamed, menu, newOption, newOptionGroup } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { longName, looks } from '../support/looks.ts';
import { phone, press, says, tablet } from '../support/page.ts';
import { afterPin, managing } from './manager-states.ts';
import { drink, enterPin, flavours, groups, pizza, size, withGroups } from './pizza-menu.ts';

// The managers' page with the options of dishes.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const openList = (state: State = withGroups(), look: StandLook = tablet): Promise<Page> =>
  stand.show(state, '#/manager/menu/options', look);
/** Opens the form of this group; of a new one without a group. */
async function openForm(
  group: { id: number; name: string } | null,
  answers: State['answers'] = {},
  look: StandLook = tablet,
) {
  const page = await stand.show(withGroups(answers), `#/manager/menu/options/${group?.id ?? 'new'}`, look);
  const form = page.getByRole('form', { name: group?.name ?? /^(New options|Novas opções)$/, exact: true });
  await form.waitFor();
  return { page, form, cards: form.locator('.option-card') };
}
const inputs = async (name: Parameters<Stand['calls']>[0]) => (await stand.calls(name)).map(({ input }) => input);

describe('the list of options', () => {
  test('says what guests read, where they are used, and what is missing', async () => {
    const page = await openList();
    const row = page.getByRole('listitem').filter({ hasText: 'Calabresa · Portuguesa' });
    await says(row, 'choose 1 to 2 · in 1 dish');
    await says(row, '1 sold out · allergens of 1 not stated');
    await says(page.getByRole('listitem').filter({ hasText: 'Bebida' }), 'choose 1 · in no dish yet');
  });

  test('explains itself while there are none', async () => {
    const page = await openList(managing(), { ...phone, language: 'pt-BR' });
    await says(page, 'Ainda não há opções.');
    await page.getByRole('link', { name: 'Adicionar opções' }).click();
    await page.getByRole('form', { name: 'Novas opções' }).waitFor();
  });
});

describe('the form for options', () => {
  test('creates a group with a few keys, after the PIN for exactly that', async () => {
    const created = { ...size, id: 9, name: 'Ponto' };
    const { turns, stepUp } = afterPin(created);
    const { page, form, cards } = await openForm(null, { createOptionGroup: { turns }, stepUp });
    await form.getByLabel('Name', { exact: true }).fill('Ponto');
    const name = (at: number) => cards.nth(at).getByLabel('Option', { exact: true });
    await says(form, 'For pizza in halves, raise “At most” to 2.');
    await name(0).fill('mal passada');
    await name(1).fill('ao ponto');
    await name(1).press('Enter');
    await cards.nth(2).locator('input:focus').waitFor();
    await page.keyboard.type('com ovo');
    await cards.nth(2).getByLabel('Price (+ R$)').fill('4,5');
    await press(form, 'Create');
    const dialog = page.getByRole('dialog');
    await says(dialog, 'You’re adding options');
    await says(dialog, 'The options and their prices change as you’ve entered them.');
    await stand.shoot(page, 'manager-options-pin');
    await enterPin(page);
    await says(page, 'Ponto saved.');
    const option = { name_translations: {}, kitchen_name: null, max_each: 1, default: false, option_group_ids: [] };
    expect((await inputs('createOptionGroup'))[1]).toEqual({
      name: 'Ponto',
      min: 1,
      max: 1,
      price_method: 'sum',
      options: [
        { ...option, name: 'mal passada', price: '0.00', allergens: null, item_id: null },
        { ...option, name: 'ao ponto', price: '0.00', allergens: null, item_id: null },
        { ...option, name: 'com ovo', price: '4.50', allergens: null, item_id: null },
      ],
    });
    expect((await inputs('stepUp'))[0]).toMatchObject({
      authorization_details: [{ type: 'menu_management', name: 'Ponto', price_method: 'sum', sets_options: true }],
    });
  });

  test('sends only what was changed, from the version that the manager knows', async () => {
    const { page, form } = await openForm(flavours, { updateOptionGroup: { ...flavours, version: 2 } });
    await form.getByRole('group', { name: 'Quantity, At most' }).getByRole('button', { name: 'One more' }).click();
    await says(form, 'choose 1 to 3');
    await press(form, 'Save');
    await says(page, 'Sabores saved.');
    expect(await inputs('updateOptionGroup')).toEqual([{ id: 4, max: 3, version: 1 }]);
  });

  test('sets allergens, quantity, kitchen name and what an option opens', async () => {
    const { form, cards } = await openForm(size, { updateOptionGroup: never });
    const card = cards.first();
    await card.getByRole('button', { name: 'More about Média' }).click();
    await card.getByLabel('Name in the kitchen').fill('M');
    await press(card, 'gluten');
    await press(card, 'Sabores');
    await press(card, 'Bebida do combo');
    expect(await card.getByRole('group', { name: /How often/ }).count()).toBe(0);
    await press(form, 'Save');
    await form.locator('[aria-disabled=true][type=submit]').waitFor();
    const [{ options } = { options: [] }] = (await inputs('updateOptionGroup')) as { options: object[] }[];
    expect(options[0]).toMatchObject({
      id: 34,
      kitchen_name: 'M',
      allergens: ['gluten'],
      option_group_ids: [4, 6],
      max_each: 1,
    });
  });

  test('makes an option a dish of a combo, whose allergens count', async () => {
    const { form, cards } = await openForm(null, { createOptionGroup: never });
    await form.getByLabel('Name', { exact: true }).fill('Bebida');
    await cards
      .first()
      .getByRole('button', { name: /^.*More about/ })
      .click();
    await cards.first().getByLabel('Dish of a combo').selectOption('Caipirinha');
    await says(cards.first(), 'Prepared at: Bar. Nothing is charged but the price above.');
    await says(cards.first(), 'Its allergens are those of the dish.');
    expect(await cards.first().getByLabel('Option', { exact: true }).inputValue()).toBe('Caipirinha');
    await press(form, 'Create');
    await form.locator('[aria-disabled=true][type=submit]').waitFor();
    const [{ options } = { options: [] }] = (await inputs('createOptionGroup')) as { options: object[] }[];
    expect(options).toEqual([
      expect.objectContaining({ name: 'Caipirinha', item_id: dishNamed('Caipirinha').id, price: '0.00' }),
    ]);
    expect(options[0]).not.toHaveProperty('allergens');
  });

  test('warns of the dearest price, and tells how the average works', async () => {
    const { form } = await openForm(flavours);
    await says(form, 'A pizza in halves of 58.00 and 64.00 costs 61.00');
    await form.getByRole('radio', { name: /^The dearest/ }).click();
    await says(form, 'Consumer authorities object to the dearest price. The average is safe.');
  });

  test('puts options in order with the keyboard, buttons and by dragging', async () => {
    const { page, form, cards } = await openForm(flavours);
    const names = () =>
      cards
        .getByLabel('Option', { exact: true })
        .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
    await form.getByRole('button', { name: 'Move Calabresa', exact: true }).press('ArrowDown');
    expect(await names()).toEqual(['Portuguesa', 'Calabresa', 'Quatro queijos']);
    await page.locator('[data-moves="31 handle"]:focus').waitFor();
    await form.getByRole('status').getByText('Calabresa: 2 of 3').waitFor();
    await cards
      .last()
      .getByRole('button', { name: /More about/ })
      .click();
    await press(form, 'Move Quatro queijos up');
    expect(await names()).toEqual(['Portuguesa', 'Quatro queijos', 'Calabresa']);
    await cards
      .nth(1)
      .getByRole('button', { name: /More about/ })
      .click();
    const handle = await form.getByRole('button', { name: 'Move Calabresa', exact: true }).boundingBox();
    const first = await cards.first().boundingBox();
    if (!handle || !first) throw new Error('The options are not on the page.');
    await page.mouse.move(handle.x + 20, handle.y + 20);
    await page.mouse.down();
    await page.mouse.move(handle.x + 20, first.y + 10, { steps: 5 });
    await stand.shoot(page, 'manager-options-dragged');
    await page.mouse.up();
    expect(await names()).toEqual(['Calabresa', 'Portuguesa', 'Quatro queijos']);
  });

  test('keeps what was typed over another page, and says what is wrong where it is', async () => {
    const refused = fails('unprocessable_content', {
      members: { errors: [{ pointer: '/options/1/price' }, { pointer: '/min' }] },
    });
    const { page, form, cards } = await openForm(flavours, { updateOptionGroup: { turns: [unreachable, refused] } });
    const price = cards.nth(1).getByLabel('Price (R$)');
    await price.fill('sessenta');
    await press(form, 'Save');
    await says(cards.nth(1), 'Enter an amount, such as 4.00');
    await page.locator('input:focus[aria-invalid=true]').waitFor();
    await price.fill('60');
    await press(form, 'Save');
    await form.getByRole('alert').getByText('No connection.').waitFor();
    await page.getByRole('link', { name: 'Tables' }).click();
    await page.getByRole('link', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Options', exact: true }).click();
    await says(page, /not saved/);
    await page.getByRole('link', { name: 'Edit Sabores' }).click();
    expect(await price.inputValue()).toBe('60');
    await press(form, 'Save');
    await says(cards.nth(1), 'Enter an amount, such as 4.00');
    await says(form, 'Guests can’t choose that many: add options, or lower the numbers.');
  });

  test('saves although an option was sold out meanwhile, but not over the change of another manager', async () => {
    const { page, form } = await openForm(flavours, { updateOptionGroup: never });
    const nameField = form.getByLabel('Name', { exact: true });
    await nameField.fill('Sabores da casa');
    const soldOut = {
      ...flavours,
      version: 2,
      options: flavours.options.map((option) => ({ ...option, available: false })),
    };
    await stand.emit('option_group.changed', { group: { ...soldOut, deleted: false } });
    await says(page, /3 sold out/);
    const theirs = { ...soldOut, name: 'Sabores novos', version: 3 };
    await stand.emit('option_group.changed', { group: { ...theirs, deleted: false } });
    await says(page, 'Another manager has changed these options.');
    const renamed = page.getByRole('form', { name: 'Sabores novos' });
    await press(renamed, 'Save');
    expect(await inputs('updateOptionGroup')).toEqual([]);
    await press(renamed, 'Load theirs');
    expect(await renamed.getByLabel('Name', { exact: true }).inputValue()).toBe('Sabores novos');
  });

  test('names what uses a group, and removes one that nothing uses', async () => {
    const { page, form } = await openForm(flavours);
    await says(form, 'Used in');
    await form.getByRole('link', { name: 'Tamanho' }).click();
    const sizes = page.getByRole('form', { name: 'Tamanho' });
    await sizes.getByRole('link', { name: 'Pizza' }).waitFor();
    const unused = await openForm(drink, { deleteOptionGroup: null as never });
    await press(unused.form, 'Remove these options');
    await press(unused.form, 'Yes, remove');
    await unused.page.getByRole('link', { name: 'Edit Bebida do combo' }).waitFor({ state: 'detached' });
    expect(await inputs('deleteOptionGroup')).toEqual([{ id: 6 }]);
  });

  test('takes an option off sale at once, in all dishes', async () => {
    const sold = { ...size, version: 2, options: size.options.map((option) => ({ ...option, available: false })) };
    const { form, cards } = await openForm(size, { setOptionAvailability: sold });
    await cards
      .first()
      .getByRole('button', { name: /More about/ })
      .click();
    await form.getByRole('switch', { name: 'Available: Média' }).click();
    await form.getByRole('switch', { name: 'Available: Média', checked: false }).waitFor();
    expect(await inputs('setOptionAvailability')).toEqual([{ id: 5, option_id: 34, available: false }]);
  });
});

const long = longName.slice(0, 60);
const longest = newOptionGroup(7, long, {
  min: 20,
  max: 20,
  price_method: 'max',
  options: Array.from({ length: 3 }, (_each, at) =>
    newOption(70 + at, `${at} ${long}`.slice(0, 60), {
      price: '99999.99',
      max_each: 20,
      kitchen_name: long.slice(0, 24),
      allergens: null,
      option_group_ids: at === 0 ? [8] : [],
    }),
  ),
});

test('the options fit every screen at their longest', async () => {
  const listOptionGroups = [...groups, longest, { ...size, id: 8, name: long }];
  const state = withGroups({ listOptionGroups, listMenu: [...menu, { ...pizza, option_group_ids: [5, 7, 8] }] });
  const page = await stand.show(state, '#/manager/menu/options', looks['at-195']);
  const { check, found } = checkScreens(page, { looks: inBothLanguages(looks), shoot: stand.shoot, name: 'options' });
  await page.locator('.group-row').first().waitFor();
  await check('list');
  await page.locator('.group-row a').nth(3).click();
  await page.locator('.option-card').first().waitFor();
  await page.locator('.option-card-more').first().click();
  await check('longest');
  await page.goto(`${page.url().split('#')[0]}#/manager/menu/91`);
  await page.locator('.dish-group').nth(2).waitFor();
  await check('dish');
  expect(found).toEqual([]);
});

test.each(['light', 'dark'] as const)('a pizza is looked at on a wide screen (%s)', async (colorScheme) => {
  const { page, cards } = await openForm(flavours, {}, { viewport: { width: 1_920, height: 1_080 }, colorScheme });
  await cards
    .first()
    .getByRole('button', { name: /More about/ })
    .click();
  await stand.shoot(page, `manager-options-wide-${colorScheme}`);
  expect(await page.locator('.group-row').count()).toBe(3);
});
