import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens } from '@comanda/testing/page-checks';
import { dishNamed, menu, newDish, newOption, newOptionGroup, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { dishLooks, longWord } from '../support/looks.ts';
import { phone, press, says } from '../support/page.ts';
import { addDish, sendOrder } from '../support/waiter-page.ts';
import { newTable, onDuty } from './states.ts';

// Taking an order with options, by weight and with an open price.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const flavours = newOptionGroup(4, 'Sabores', {
  max: 2,
  price_method: 'average',
  options: [
    newOption(41, 'Calabresa', { price: '58.00' }),
    newOption(42, 'Portuguesa', { price: '64.00' }),
    newOption(43, 'Quatro queijos', { price: '70.00', allergens: null }),
  ],
});
const doneness = newOptionGroup(5, 'Ponto', {
  options: [newOption(51, 'Ao ponto', { default: true }), newOption(52, 'Mal passada')],
});
const extras = newOptionGroup(6, 'Extras', {
  min: 0,
  max: 3,
  options: [newOption(61, 'Bacon', { price: '6.00', max_each: 2 }), newOption(62, 'Ovo', { price: '4.00' })],
});
const stated = { category: 'Pratos', allergens_stated: true } as const;
const pizza = newDish({ id: 91, name: 'Pizza', price: '0.00', option_group_ids: [4], ...stated });
const steak = newDish({ id: 92, name: 'Bife', price: '50.00', option_group_ids: [5, 6], ...stated });
const fish = newDish({ id: 93, name: 'Robalo', price: '79.90', pricing: 'per_kg', ...stated });
const wine = newDish({ id: 94, name: 'Vinho da casa', price: '80.00', pricing: 'open', ...stated });
const tables = [newTable('12', 88), newTable('14', 89)];

const stateWith = (answers: State['answers'] = {}): State =>
  onDuty({
    tables,
    answers: {
      listMenu: [pizza, steak, fish, wine, dishNamed('Feijoada')],
      listOptionGroups: [flavours, doneness, extras],
      placeOrder: newOrder({ items: ['Feijoada'] }),
      ...answers,
    },
  });
const showOrder = (answers: State['answers'] = {}, look: object = phone): Promise<Page> =>
  stand.show(stateWith(answers), '#/waiter/order/12', look);
const sheet = (page: Page) => page.getByRole('dialog');
const dock = (page: Page) => page.locator('.waiter-dock');
const choose = (page: Page, option: string): Promise<void> =>
  sheet(page).locator('.option-main').filter({ hasText: option }).click();
const sentItems = async (): Promise<unknown> => {
  await until(async () => (await stand.calls('placeOrder')).length > 0, { what: 'the order, sent' });
  return (await stand.calls('placeOrder')).at(-1)?.input['items'];
};

describe('a dish whose options must be chosen', () => {
  test('asks for them, says what is missing, and costs what they cost together', async () => {
    const page = await showOrder();
    await addDish(page, 'Pizza');
    await press(page, 'Choose: Sabores');
    await choose(page, 'Calabresa');
    await choose(page, 'Portuguesa');
    await press(page, 'Add, R$ 61.00');
    await says(dock(page), /1 item · R\$.61/);
    await says(dock(page), /^Pizza · 1\/2 Calabresa · 1\/2 Portuguesa/);
    await sendOrder(page);
    expect(await sentItems()).toEqual([
      {
        item_id: 91,
        quantity: 1,
        options: [
          { id: 41, quantity: 1 },
          { id: 42, quantity: 1 },
        ],
      },
    ]);
  });

  test('is a new line for each choice, and each line is changed by itself, also after a reload', async () => {
    const page = await showOrder();
    for (const flavour of ['Calabresa', 'Portuguesa']) {
      await addDish(page, 'Pizza');
      await choose(page, flavour);
      await press(page, /^Add, /);
    }
    await page.reload();
    await says(page.getByRole('status', { name: 'Pizza in this order' }), '2');
    await page.getByRole('link', { name: /^Review · 2 items/ }).click();
    const lines = page.getByRole('region', { name: 'Pizza' });
    await lines.nth(1).waitFor();
    expect(await lines.count()).toBe(2);
    await press(lines.first(), 'Options and remarks for Pizza');
    await choose(page, 'Quatro queijos');
    await sheet(page).getByRole('textbox').fill('bem assada');
    await page.keyboard.press('Escape');
    await says(lines.first(), '1/2 Quatro queijos');
    await says(lines.first(), 'bem assada');
    await says(lines.first(), /R\$.64\.00/);
    await says(lines.last(), 'Portuguesa');
  });
});

test('a dish with defaults takes one tap, and a changed one stays apart from the next', async () => {
  const page = await showOrder();
  await addDish(page, 'Bife');
  await press(page, 'Remarks for Bife');
  await choose(page, 'Mal passada');
  await choose(page, 'Bacon');
  await press(page, 'Done, R$ 56.00');
  await addDish(page, 'Bife');
  await says(dock(page), /2 items · R\$.106/);
  await sendOrder(page);
  expect(await sentItems()).toEqual([
    {
      item_id: 92,
      quantity: 1,
      options: [
        { id: 52, quantity: 1 },
        { id: 61, quantity: 1 },
      ],
    },
    { item_id: 92, quantity: 1, options: [{ id: 51, quantity: 1 }] },
  ]);
});

test.each([
  {
    what: 'a dish by weight',
    dish: 'Robalo',
    missing: 'Enter the weight',
    typed: '432',
    price: '34.52',
    sent: { measure: '0.432' },
  },
  {
    what: 'a dish with an open price',
    dish: 'Vinho da casa',
    missing: null,
    typed: '95',
    price: '95.00',
    sent: { unit_price: '95' },
  },
])('$what asks for what is missing', async ({ dish, missing, typed, price, sent }) => {
  const page = await showOrder();
  await addDish(page, dish);
  if (missing !== null) await press(page, missing);
  await sheet(page).getByRole('textbox').first().fill(typed);
  await press(page, `Add, R$ ${price}`);
  await sendOrder(page);
  expect(await sentItems()).toMatchObject([{ quantity: 1, ...sent }]);
});

test('two taps on “Add” add one dish, and do nothing behind the sheet', async () => {
  const page = await showOrder();
  await addDish(page, 'Pizza');
  await choose(page, 'Calabresa');
  await sheet(page)
    .getByRole('button', { name: /^Add, / })
    .dblclick();
  await says(dock(page), /1 item · R\$.58/);
  expect(await stand.calls('placeOrder')).toEqual([]);
});

test('an option that has left the menu is named before the order is sent', async () => {
  const page = await showOrder();
  await addDish(page, 'Bife');
  await press(page, 'Remarks for Bife');
  await choose(page, 'Bacon');
  await press(page, /^Done, /);
  const group = { ...extras, version: 2, options: extras.options.slice(1) };
  await stand.answer({ listOptionGroups: [flavours, doneness, group], getOptionGroup: group });
  await stand.emit('option_group.changed', { group: { ...group, deleted: false } });
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await says(page.getByRole('region', { name: 'Bife' }), 'Bacon is no longer available.');
});

test('a default that is a sold-out dish is chosen again when the dish is added', async () => {
  const drink = newOptionGroup(7, 'Bebida', {
    options: [newOption(71, 'Suco', { default: true, item_id: 95 }), newOption(72, 'Água')],
  });
  const combo = newDish({ id: 96, name: 'Combo', price: '40.00', option_group_ids: [7], ...stated });
  const juice = newDish({ id: 95, name: 'Suco', price: '9.00', available: false, ...stated });
  const page = await showOrder({ listMenu: [combo, juice], listOptionGroups: [drink] });
  await addDish(page, 'Combo');
  await says(sheet(page), 'Choose: Bebida');
  await sheet(page).locator('.option-out').filter({ hasText: 'Suco' }).getByText('Sold out', { exact: true }).waitFor();
});

test('a dish that is free of allergens without its options says so in the search', async () => {
  const page = await showOrder();
  await press(page, 'Search dishes');
  await page.getByRole('searchbox').fill('Pizza');
  await says(page, 'None of the 14 allergens, not counting its options');
});

test('options that the server rejects are named with their dish, and chosen again', async () => {
  const defect = { index: 1, reason: 'unknown', group_id: null, option_id: 52, parent_option_id: null };
  const page = await showOrder({ placeOrder: fails('options_invalid', { members: { items: [defect] } }) });
  await addDish(page, 'Feijoada');
  await addDish(page, 'Bife');
  await press(page, 'Remarks for Bife');
  await choose(page, 'Mal passada');
  await press(page, /^Done, /);
  await sendOrder(page);
  await says(page, /^Bife: Mal passada is no longer available\. Nothing was ordered\./);
  await press(page, 'Change it');
  const line = page.getByRole('region', { name: 'Bife' });
  await says(line, 'Mal passada');
});

test('an order for a guest with allergies is reviewed first if a dish or an option does not list its allergens', async () => {
  const page = await showOrder();
  await addDish(page, 'Bife');
  await page.getByRole('link', { name: /^Review · 1 item/ }).click();
  await page.locator('.waiter-main textarea').fill('amendoim');
  await page.getByRole('link', { name: 'Add more' }).click();
  await page.getByRole('button', { name: 'Send to kitchen' }).waitFor();
  await addDish(page, 'Pizza');
  await choose(page, 'Quatro queijos');
  await press(page, /^Add, /);
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await says(page, 'Allergens not listed. Ask the kitchen: Pizza');
});

test('a draft for guests who have left is not sent to the next guests', async () => {
  const page = await showOrder();
  await addDish(page, 'Feijoada');
  await dock(page).waitFor();
  await stand.emit('table.changed', {
    table: { ...newTable('12', 95, { version: 9 }) },
    reason: 'opened',
    previous_seating: 88,
  });
  await says(page, 'Unsent order for earlier guests at table 12:');
  expect(await dock(page).count()).toBe(0);
  await press(page, 'Start over');
  await page.getByRole('button', { name: 'Add Feijoada' }).waitFor();
});

test('taking an order with options fits and has no axe violation', async () => {
  const dish = newDish({ ...pizza, name: longWord.slice(0, 40), option_group_ids: [4, 5, 6] });
  const state = stateWith({ listMenu: [dish, steak, fish, wine, ...menu] });
  const page = await stand.show(state, '#/waiter/order/12', phone);
  const { check, found } = checkScreens(page, { looks: dishLooks, shoot: stand.shoot, name: 'options' });
  const tile = (name: string) => page.locator('.waiter-dish').filter({ hasText: name }).locator('.waiter-dish-add');
  await tile(dish.name).first().click();
  await page.locator('.option-group').first().waitFor();
  await check('empty');
  await choose(page, 'Calabresa');
  await choose(page, 'Portuguesa');
  await check('chosen');
  await page.locator('.waiter-sheet-foot .button-primary').click();
  await tile('Robalo').first().click();
  await page.locator('.dialog .field-input').first().fill('1432');
  await check('weight');
  await page.locator('.waiter-sheet-foot .button-primary').click();
  await tile('Bife').first().click();
  await check('dock');
  await page.evaluate(() => (location.hash = '#/waiter/order/12/review'));
  await page.locator('.waiter-ticket-line').first().waitFor();
  await check('review');
  expect(found).toEqual([]);
});
