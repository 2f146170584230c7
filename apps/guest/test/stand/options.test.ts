import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import type { Order } from '@comanda/contracts/order';
import { dishNamed, newOrder } from '@comanda/testing/stand/data';
import { groupNamed, optionGroups } from '@comanda/testing/stand/option-groups';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, never, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import { dishCard, guestPage } from '../support/guest.ts';
import {
  acai,
  basketWith,
  choosing,
  chosen,
  combo,
  fish,
  halves,
  option,
  pizza,
  soldOut,
  steak,
} from './option-menu.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

async function show(state: State, path?: string, look?: StandLook) {
  const page = await stand.show(state, path, look);
  const group = (name: string) => page.getByRole('group', { name });
  return {
    page,
    ...guestPage(page),
    group,
    /** Taps an option as a person does: anywhere in its row. */
    choose: async (...names: string[]): Promise<void> => {
      for (const name of names) await page.locator('.option-main').filter({ hasText: name }).click();
    },
    sent: async () => (await stand.calls('placeOrder')).map(({ input }) => input['items']),
  };
}
/** Replaces the option groups on the server, and sends the event for the one with this name. */
async function change(name: string, groups: readonly OptionGroup[]): Promise<void> {
  const changed = groups.map((each) => ({ ...each, version: 2 }));
  const group = changed.find((each) => each.name === name);
  if (!group) throw new Error(`There is no group ${name}.`);
  await stand.answer({ listOptionGroups: changed, getOptionGroup: group });
  await stand.emit('option_group.changed', { group: { ...group, deleted: false } });
}
const placed = { placeOrder: newOrder({ items: [{ dish: pizza }] }) };
const dishPage = ({ id }: { id: number }): string => `#/dish/${id}`;

describe('a dish with options', () => {
  test('is ordered as a pizza in two halves, and its price follows each choice', async () => {
    const guest = await show(choosing({ answers: placed }));
    await dishCard(guest.page, 'Pizza').getByText('from R$ 36.00').waitFor();
    await guest.add('Pizza');
    await guest.button('Choose: Size').waitFor();
    await guest.choose('Large, 8 slices');
    await guest.button('Choose: Flavours').waitFor();
    await guest.group('Flavours, choose 1 to 2').waitFor();
    await guest.choose('Smoked sausage');
    await guest.button('Add Pizza, R$ 58.00').waitFor();
    await guest.choose('Ham, egg and onion');
    await guest.sees('Average of 2: R$ 61.00');
    await guest.page
      .getByRole('radio', { name: /^Catupiry cheese/ })
      .locator('..')
      .click();
    await guest.button('Add Pizza, R$ 73.00').click();
    await guest.seesBasket('1 item, R$ 73.00');
    await guest.openReview();
    for (const choice of ['Large, 8 slices', '1/2 Smoked sausage', '1/2 Ham, egg and onion', 'Catupiry cheese'])
      await guest.sees(choice);
    await guest.send();
    await guest.orderCard().waitFor();
    expect(await guest.sent()).toEqual([[{ item_id: pizza.id, quantity: 1, options: halves }]]);
  });
  test('says what is missing and goes there when “Add” is tapped', async () => {
    const guest = await show(choosing(), dishPage(combo));
    await guest.button('Choose: Drink').click();
    await guest.group('Drink, choose 1').getByText('Choose one.').waitFor();
    const isFocused = (): Promise<boolean> =>
      guest.page.evaluate(() => document.activeElement?.closest('.option-group-wrong') !== null);
    await until(isFocused, { what: 'the focus in the group' });
    await guest.choose('Guaraná');
    await guest.page.getByText('Choose one.').waitFor({ state: 'detached' });
    await guest.button('Add Cheeseburger combo, R$ 46.00').waitFor();
  });
  test('keeps the flavour when the size changes', async () => {
    const guest = await show(choosing(), dishPage(pizza));
    await guest.choose('Small, 4 slices', 'Four cheeses');
    await guest.button('Add Pizza, R$ 44.00').waitFor();
    await guest.choose('Large, 8 slices');
    await guest.button('Add Pizza, R$ 66.00').waitFor();
  });
  test('allows no third half, and says why', async () => {
    const guest = await show(choosing(), dishPage(pizza));
    await guest.choose('Large, 8 slices', 'Smoked sausage', 'Four cheeses');
    await guest.button('Add Pizza, R$ 62.00').waitFor();
    // Playwright waits until a checkbox is enabled, but a person can tap one that says why it isn't.
    await guest.page.locator('.option-main').filter({ hasText: 'Ham, egg' }).click({ force: true });
    await guest.sees('You’ve chosen 2. Remove one to choose another.');
    expect(await guest.page.getByRole('checkbox', { name: /Ham, egg/ }).isChecked()).toBe(false);
    await guest.button('Add Pizza, R$ 62.00').waitFor();
  });
  test('shows a sold-out option that can’t be chosen', async () => {
    const { page, choose } = await show(choosing(), dishPage(pizza));
    await choose('Large, 8 slices');
    expect(await page.getByRole('checkbox', { name: 'Courgette and garlic, Sold out' }).isDisabled()).toBe(true);
  });
  test('includes two toppings and charges the third', async () => {
    const guest = await show(choosing(), dishPage(acai));
    await guest.group('Toppings, up to 6, 2 included').waitFor();
    await guest.choose('Granola', 'Banana');
    await guest.button('Add Açaí bowl, R$ 24.00').waitFor();
    await guest.group('Quantity, Banana').getByRole('button', { name: 'One more' }).click();
    await guest.button('Add Açaí bowl, R$ 27.00').click();
    await guest.openReview();
    await guest.sees('2× Banana');
  });
  test('is added with one tap if it has defaults', async () => {
    const guest = await show(choosing());
    await dishCard(guest.page, 'Pizza').getByText('from R$ 36.00').waitFor();
    await guest.add('Grilled picanha');
    await guest.seesBasket('1 item, R$ 79.00');
    await guest.openReview();
    await guest.sees('Medium');
  });
  test('is another line of the basket with other options', async () => {
    const guest = await show(choosing());
    for (const drink of ['Guaraná', 'Guaraná', 'Sparkling water']) {
      await guest.add('Cheeseburger combo');
      await guest.choose(drink);
      await guest.button(/^Add Cheeseburger/).click();
    }
    await guest.openReview();
    const lines = guest.page.locator('.line');
    expect(await lines.count()).toBe(2);
    expect(await lines.first().locator('output').textContent()).toBe('2');
  });
  test('is changed in the basket', async () => {
    const device = basketWith({ dish: combo, asked: [option('Bebida do combo', 'Chope claro')] });
    const guest = await show(choosing({ answers: placed, device }), '#/review');
    await guest.button(/^Edit.*Cheeseburger/).click();
    await guest.choose('Sparkling water');
    await guest.button('Save Cheeseburger combo, R$ 46.00').click();
    await guest.send();
    await guest.orderCard().waitFor();
    const options = [option('Bebida do combo', 'Água com gás')];
    expect(await guest.sent()).toEqual([[{ item_id: combo.id, quantity: 1, options }]]);
  });
  test('has no button to add it if its price depends on its weight', async () => {
    const { page, sees } = await show(choosing());
    const card = dishCard(page, 'Grilled red snapper');
    await card.getByText('R$ 139.00/kg, ask us').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Grilled red snapper' }).click();
    await sees('It’s sold by weight');
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor();
    await page.getByRole('group', { name: 'Sides, choose 2' }).getByText('Fish and cassava purée').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
  test('has a price that is not below the button to add it, on a narrow card too', async () => {
    const { page } = await show(choosing(), '#/', { viewport: { width: 768, height: 1024 }, language: 'pt-BR' });
    const card = dishCard(page, 'Combo X-burger');
    const price = card.getByText('a partir de R$ 46,00');
    await price.waitFor();
    const right = await price.evaluate((text) => Math.max(...[...text.getClientRects()].map((line) => line.right)));
    expect(right).toBeLessThan((await card.getByRole('button').boundingBox())?.x ?? 0);
  });
  test('is sold out if a required group has too few options left', async () => {
    const { page } = await show(choosing());
    await dishCard(page, 'Pizza').getByText('from R$ 36.00').waitFor();
    await change('Bebida do combo', soldOut('Bebida do combo', 'Guaraná', 'Água com gás', 'Chope claro'));
    await dishCard(page, 'Cheeseburger combo').getByText('Sold out today').waitFor();
  });
  test('says that its options could not be loaded', async () => {
    const guest = await show(
      choosing({ answers: { listOptionGroups: fails('service_unavailable') } }),
      dishPage(pizza),
    );
    await guest.sees('The choices for this dish couldn’t be loaded.');
    await stand.answer({ listOptionGroups: [...optionGroups] });
    await guest.button('Try again').click();
    await guest.button('Choose: Size').waitFor();
  });
  test('waits for its options', async () => {
    const { sees } = await show(choosing({ answers: { listOptionGroups: never } }), dishPage(pizza));
    await sees('Loading the choices…');
  });
  test('waits for the groups that its options open, if the phone has stored only some', async () => {
    const device = { 'comanda.option-groups': JSON.stringify([groupNamed('Tamanho')]) };
    const { sees } = await show(choosing({ device, answers: { listOptionGroups: never } }), dishPage(pizza));
    await sees('Loading the choices…');
  });
  test('is added once by two taps on “Add”', async () => {
    const guest = await show(choosing(), dishPage(steak));
    await guest.page.locator('.option-main').first().waitFor();
    await guest.button('Add Grilled picanha, R$ 79.00').dblclick();
    await guest.seesBasket('1 item, R$ 79.00');
  });
});

describe('options in the basket', () => {
  const drink = basketWith({ dish: combo, asked: [option('Bebida do combo', 'Guaraná')] });
  const review = (device = drink) => show(choosing({ device }), '#/review');
  test('survive a reload, even while their groups are unknown', async () => {
    const state = choosing({ device: basketWith({ dish: pizza, asked: halves }) });
    const guest = await show({ ...state, answers: { ...state.answers, listOptionGroups: never } }, '#/review');
    await guest.sees('1/2 Ham, egg and onion');
    await guest.page.locator('.slip-sum').getByText('R$ 73.00').waitFor();
  });
  test('are shown in the guest’s language', async () => {
    const guest = await show(choosing({ device: basketWith({ dish: pizza, asked: halves }) }), '#/review', {
      language: 'pt-BR',
    });
    await guest.sees('1/2 Portuguesa');
  });
  test('that are gone are named, and must be changed before the order is sent', async () => {
    const guest = await review();
    await guest.sees('Guaraná');
    const without = ({ name, options, ...group }: OptionGroup): OptionGroup => ({
      ...group,
      name,
      options: name === 'Bebida do combo' ? options.slice(1) : options,
    });
    await change('Bebida do combo', optionGroups.map(without));
    await guest.sees('Guaraná is no longer available.');
    await guest.button('Send to kitchen').click({ force: true });
    await guest.hears('Not sent. Edit the dishes marked in red first.');
    await guest.button(/^Edit.*Cheeseburger/).click();
    await guest.sees('No longer available: Guaraná.');
    await guest.choose('Sparkling water');
    await guest.button(/^Save/).click();
    await guest.page.getByText('Guaraná is no longer').waitFor({ state: 'detached' });
    await guest.sees('Sparkling water');
  });
  test('that are sold out are named', async () => {
    const guest = await review();
    await guest.sees('Guaraná');
    await change('Bebida do combo', soldOut('Bebida do combo', 'Guaraná'));
    await guest.sees('Guaraná is sold out.');
  });
  test('that the server rejects are named at their line', async () => {
    const guest = await review();
    const { id } = groupNamed('Bebida do combo');
    const items = [{ index: 0, reason: 'too_few', group_id: id, option_id: null, parent_option_id: null }];
    await stand.answer({ placeOrder: fails('options_invalid', { members: { items } }) });
    await guest.send();
    await guest.sees('Some of your choices are no longer possible.');
    await guest.button('Review').click();
    await guest.page.locator('.line').getByText('Choose: Drink.').waitFor();
  });
  test('say that their allergens are not listed, even if others of the dish are', async () => {
    const unstated = optionGroups.map((group) => ({
      ...group,
      options: group.options.map((each) => (each.name === 'Calabresa' ? { ...each, allergens: null } : each)),
    }));
    const device = { ...basketWith({ dish: pizza, asked: halves }), 'comanda.avoided': 'nuts' };
    const guest = await show(choosing({ device, answers: { listOptionGroups: unstated } }), '#/review');
    await guest.page.locator('.line').getByText('Allergens not listed. Ask a waiter.').waitFor();
  });
  test('warn about allergens that the guest avoids', async () => {
    const guest = await show(choosing(), '#/');
    await guest.avoid('milk');
    await guest.page.getByRole('link', { name: 'Açaí bowl' }).click();
    const row = guest.page.locator('.option-main').filter({ hasText: 'Milk powder' });
    await row.getByText('Contains milk').waitFor();
    await row.click();
    await guest.sees('Milk powder contains milk.');
  });
});

test('an order says what staff have done with its dishes', async () => {
  const items = [
    { dish: combo, ...chosen(combo, [option('Bebida do combo', 'Chope claro')]) },
    { dish: dishNamed('Chope claro 300 ml'), part_of: 10_420, unit_price: '0.00' },
    { dish: dishNamed('Caipirinha'), quantity: 2 },
    { dish: fish, measure: { value: '0.432', unit: 'kg', price: '139.00' }, unit_price: '60.05' },
    { dish: steak, unit_price: '0.00', remake: { of: 1, reason: 'Queimou' } },
  ] as const;
  const order = newOrder({ items });
  const { page, sees } = await show(choosing({ orders: [order] }), '#/orders');
  await sees('Part of: Cheeseburger combo');
  await sees('0.432 kg × R$ 139.00');
  await sees('Made again, free of charge');
  const off = { ...newOrder({ items: ['Caipirinha'] }).items[0], id: 10_429, status: 'cancelled', split_from: 10_422 };
  const actor = { id: 3, role: 'waiter' } as const;
  const left = order.items.map((item) => (item.id === 10_422 ? { ...item, quantity: 1 } : item));
  const changed = { ...order, version: 2, items: [...left, off] } as Order;
  await stand.emit('order.status_changed', { order: changed, from: 'received', to: 'received', actor });
  await page.getByRole('listitem').filter({ hasText: 'Taken off by a waiter' }).getByText('cancelled').waitFor();
  await page.getByRole('status').getByText('1× Caipirinha: cancelled').waitFor({ state: 'attached' });
});
