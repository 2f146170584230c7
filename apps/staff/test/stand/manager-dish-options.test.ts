import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { menu, newDish } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import { press, says, tablet } from '../support/page.ts';
import { afterPin, managing } from './manager-states.ts';
import { enterPin, flavours, groups, pizza, size, withGroups } from './pizza-menu.ts';

// The options in the form for a dish, and the order of dishes.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const inputs = async (name: Parameters<Stand['calls']>[0]) => (await stand.calls(name)).map(({ input }) => input);

describe('the form for a dish', () => {
  const openDish = async (name: string, answers: State['answers'] = {}) => {
    const dish = [...menu, pizza].find((each) => each.name === name);
    const page = await stand.show(withGroups(answers), `#/manager/menu/${dish?.id}`, tablet);
    const form = page.getByRole('form', { name, exact: true });
    await form.waitFor();
    return { page, form };
  };

  test('adds options, orders and removes them, with the PIN', async () => {
    const { turns, stepUp } = afterPin({ ...pizza, version: 2 });
    const { page, form } = await openDish('Pizza', { updateMenuItem: { turns }, stepUp });
    await form.getByLabel('Add options…').selectOption('Bebida do combo');
    await form.getByLabel('Add options…').selectOption('Sabores');
    await press(form, 'Move Bebida do combo up');
    await press(form, 'Remove Sabores from this dish');
    await press(form, 'Save');
    await says(page.getByRole('dialog'), 'The options that guests choose from change.');
    await enterPin(page);
    await says(page, 'Pizza saved.');
    expect((await inputs('updateMenuItem'))[1]).toEqual({ id: 91, option_group_ids: [6, 5] });
  });

  test('needs no price of its own if what guests must choose has one, but otherwise says so', async () => {
    const priced = groups.map((group) => (group === size ? { ...size, options: size.options.slice(1) } : group));
    const answers = { listOptionGroups: priced, updateMenuItem: { ...pizza, version: 2 } };
    const { page, form } = await openDish('Pizza', answers);
    const price = form.getByLabel('Price (R$)', { exact: true });
    await price.fill('');
    await says(form, 'Its options start at R$ 70.00. Leave it empty if that’s all.');
    await says(form.locator('.guest-texts'), 'from R$ 70.00');
    await press(form, 'Remove Tamanho from this dish');
    await press(form, 'Save');
    await says(form, 'Or add options that have the price.');
    await form.getByLabel('Add options…').selectOption('Tamanho');
    await form.getByLabel('Name in the kitchen').fill('PIZZA');
    await press(form, 'Save');
    await says(page, 'Pizza saved.');
    expect(await inputs('updateMenuItem')).toEqual([{ id: 91, kitchen_name: 'PIZZA' }]);
  });

  test('tells groups of the same name apart by what guests choose and what that costs', async () => {
    const small = {
      ...flavours,
      id: 7,
      options: flavours.options.map((each) => ({ ...each, id: each.id + 20, price: '38.00' })),
    };
    const { form } = await openDish('Pizza', { listOptionGroups: [...groups, { ...small, max: 1 }] });
    const choices = form.getByLabel('Add options…');
    await choices.locator('option', { hasText: 'choose 1:' }).waitFor({ state: 'attached' });
    expect(await choices.locator('option').allInnerTexts()).toEqual([
      'Add options…',
      'Sabores (choose 1 to 2: Calabresa 58.00, Portuguesa 64.00, Quatro queijos 66.50)',
      'Bebida do combo',
      'Sabores (choose 1: Calabresa 38.00, Portuguesa 38.00, Quatro queijos 38.00)',
    ]);
  });

  test('shows what guests read: the lowest price, and what they choose', async () => {
    const { form } = await openDish('Pizza');
    const card = form.locator('.guest-texts');
    await says(card, 'Tamanho: choose 1');
    await says(card, 'from R$ 0.00');
  });

  test('sells a dish by the kilogram, says that it has no allergens, and names it for the kitchen', async () => {
    const { turns, stepUp } = afterPin({ ...pizza, version: 2 });
    const { page, form } = await openDish('Pizza', { updateMenuItem: { turns }, stepUp });
    await form.getByLabel('Sold', { exact: true }).selectOption('by the kilogram');
    await form.getByLabel('Price per kg (R$)').fill('79,90');
    await form.getByLabel('Name in the kitchen').fill('PIZZA');
    await press(form, 'None of the 14');
    await says(form.locator('.guest-texts'), 'R$ 79.90/kg');
    await press(form, 'Save');
    await says(page.getByRole('dialog'), 'by the kilogram');
    await enterPin(page);
    await says(page, 'Pizza saved.');
    expect((await inputs('updateMenuItem'))[1]).toEqual({
      id: 91,
      price: '79.90',
      pricing: 'per_kg',
      kitchen_name: 'PIZZA',
      allergens_stated: true,
    });
  });
});

test('the list shows the lowest price of a dish whose options have the price', async () => {
  const priced = groups.map((group) => (group.id === 5 ? { ...group, options: group.options.slice(1) } : group));
  const page = await stand.show(withGroups({ listOptionGroups: priced }), '#/manager/menu', tablet);
  await says(page.getByRole('listitem').filter({ hasText: 'Pizza' }), 'from 70.00');
});

test('dishes are put in order, and each move is saved', async () => {
  const names = ['Arroz', 'Bobó', 'Caruru'];
  const dishes = names.map((name, at) => newDish({ id: 50 + at, name, category: 'Pratos', position: 3 + at }));
  const [arroz, bobo, caruru] = dishes;
  if (!arroz || !bobo || !caruru) throw new Error('There are no dishes.');
  const updateMenuItem = {
    turns: [{ ...caruru, position: 4, version: 2 }, { ...bobo, position: 5, version: 2 }, fails('forbidden')],
  };
  const page = await stand.show(managing({ dishes, answers: { updateMenuItem } }), '#/manager/menu', tablet);
  await press(page, 'Sort');
  await press(page, 'Move Caruru up');
  await page.getByRole('button', { name: 'Move Caruru down' }).waitFor();
  const shown = () => page.locator('.dish-order bdi').allInnerTexts();
  expect(await shown()).toEqual(['Arroz', 'Caruru', 'Bobó']);
  await page.waitForFunction(
    () => globalThis.standRemote.calls.filter(({ call }) => call === 'updateMenuItem').length === 2,
  );
  expect(await inputs('updateMenuItem')).toEqual([
    { id: 52, position: 4 },
    { id: 51, position: 5 },
  ]);
  await press(page, 'Move Arroz down');
  await page.getByRole('alert').waitFor();
  await until(async () => (await shown()).join() === 'Arroz,Caruru,Bobó', { what: 'the order that is saved' });
  await stand.shoot(page, 'manager-menu-sort');
  await press(page, 'Done');
  await page.getByRole('link', { name: 'Edit Caruru' }).waitFor();
});
