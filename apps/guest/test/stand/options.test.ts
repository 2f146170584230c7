import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, never, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import { dishCard, guestPage } from '../support/guest.ts';
import { acai, choosing, combo, fish, groups, pizza, plate, steak } from './option-menu.ts';

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
/** Changes an option group on the server, and sends the event. */
async function changeGroup(id: number, differs: Partial<OptionGroup>): Promise<void> {
  const changed = groups.map((each) => (each.id === id ? { ...each, ...differs, version: 2 } : each));
  const group = changed.find((each) => each.id === id);
  if (!group) throw new Error(`There is no group ${id}.`);
  await stand.answer({ listOptionGroups: changed, getOptionGroup: group });
  await stand.emit('option_group.changed', { group: { ...group, deleted: false } });
}
const placed = { placeOrder: newOrder({ items: [{ dish: pizza }] }) };
const dishPage = ({ id }: { id: number }): string => `#/dish/${id}`;

describe('a dish with options', () => {
  test('is ordered as a pizza in two halves, and its price follows each choice', async () => {
    const guest = await show(choosing({ answers: placed }));
    await dishCard(guest.page, 'Pizza').getByText('from R$ 42.00').waitFor();
    await guest.add('Pizza');
    await guest.button('Choose: Size').waitFor();
    await guest.choose('Large, 8 slices');
    await guest.button('Choose: Flavours').waitFor();
    await guest.group('Flavours, choose 1 to 2').waitFor();
    await guest.choose('Smoked sausage');
    await guest.button('Add Pizza, R$ 58.00').waitFor();
    await guest.choose('Ham, egg and onion');
    await guest.sees('Average of 2: R$ 61.00');
    await guest.choose('Cream cheese');
    await guest.button('Add Pizza, R$ 73.00').click();
    await guest.seesBasket('1 item, R$ 73.00');
    await guest.openReview();
    for (const choice of ['Large, 8 slices', '1/2 Smoked sausage', '1/2 Ham, egg and onion', 'Cream cheese'])
      await guest.sees(choice);
    await guest.send();
    await guest.orderCard().waitFor();
    expect(await guest.sent()).toEqual([
      [
        {
          item_id: pizza.id,
          quantity: 1,
          options: [
            {
              id: 12,
              quantity: 1,
              options: [
                { id: 30, quantity: 1 },
                { id: 31, quantity: 1 },
              ],
            },
            { id: 41, quantity: 1 },
          ],
        },
      ],
    ]);
  });
  test('says what is missing and goes there when “Add” is tapped', async () => {
    const guest = await show(choosing(), dishPage(steak));
    await guest.button('Choose: How would you like it?').click();
    await guest.group('How would you like it?').getByText('Choose one.').waitFor();
    const isFocused = (): Promise<boolean> =>
      guest.page.evaluate(() => document.activeElement?.closest('.option-group-wrong') !== null);
    await until(isFocused, { what: 'the focus in the group' });
    await guest.choose('Rare');
    await guest.page.getByText('Choose one.').waitFor({ state: 'detached' });
    await guest.button('Add Ribeye steak, R$ 79.00').waitFor();
  });
  test('keeps the flavours when the size changes', async () => {
    const guest = await show(choosing(), dishPage(pizza));
    await guest.choose('Medium, 6 slices', 'Smoked sausage', 'Four cheeses');
    await guest.button('Add Pizza, R$ 45.00').waitFor();
    await guest.choose('Large, 8 slices');
    await guest.button('Add Pizza, R$ 62.00').waitFor();
  });
  test('allows no third half, and says why', async () => {
    const guest = await show(choosing(), dishPage(pizza));
    await guest.choose('Medium, 6 slices', 'Smoked sausage', 'Four cheeses');
    await guest.button('Add Pizza, R$ 45.00').waitFor();
    // Playwright waits until a checkbox is enabled, but a person can tap one that says why it isn't.
    await guest.page.locator('.option-main').filter({ hasText: 'Ham, egg' }).click({ force: true });
    await guest.sees('You’ve chosen 2. Remove one to choose another.');
    expect(await guest.page.getByRole('checkbox', { name: /Ham, egg/ }).isChecked()).toBe(false);
    await guest.button('Add Pizza, R$ 45.00').waitFor();
  });
  test('shows a sold-out option that can’t be chosen', async () => {
    const { page, choose } = await show(choosing(), dishPage(pizza));
    await choose('Medium, 6 slices');
    const prawns = page.getByRole('checkbox', { name: /Prawns/ });
    expect([await prawns.isDisabled(), await page.getByText('Sold out').count()]).toEqual([true, 1]);
  });
  test('includes two toppings and charges the third', async () => {
    const guest = await show(choosing({ answers: placed }), dishPage(acai));
    await guest.group('Toppings, up to 5, 2 included').waitFor();
    await guest.choose('Granola', 'Banana');
    await guest.button('Add Açaí bowl, R$ 18.00').waitFor();
    await guest.group('Quantity, Banana').getByRole('button', { name: 'One more' }).click();
    await guest.button('Add Açaí bowl, R$ 21.00').waitFor();
    await guest.button(/^Add Açaí/).click();
    await guest.openReview();
    await guest.sees('2× Banana');
  });
  test('is added with one tap if it has defaults', async () => {
    const guest = await show(choosing());
    await dishCard(guest.page, 'Pizza').getByText('from R$ 42.00').waitFor();
    await guest.add('Plate of the day');
    await guest.seesBasket('1 item, R$ 32.00');
    await guest.openReview();
    await guest.sees('Toasted cassava');
  });
  test('is another line of the basket with other options', async () => {
    const guest = await show(choosing());
    for (const point of ['Rare', 'Rare', 'Well done']) {
      await guest.add('Ribeye steak');
      await guest.choose(point);
      await guest.button(/^Add Ribeye steak/).click();
    }
    await guest.openReview();
    const lines = guest.page.locator('.line');
    expect(await lines.count()).toBe(2);
    expect(await lines.first().locator('output').textContent()).toBe('2');
  });
  test('is changed in the basket', async () => {
    const guest = await show(choosing({ answers: placed }));
    await guest.add('House combo');
    await guest.choose('Draught lager');
    await guest.button(/^Add House combo/).click();
    await guest.openReview();
    await guest.button(/^Edit.*House combo/).click();
    await guest.choose('Sparkling water');
    await guest.button('Save House combo, R$ 45.00').click();
    await guest.send();
    await guest.orderCard().waitFor();
    expect(await guest.sent()).toEqual([[{ item_id: combo.id, quantity: 1, options: [{ id: 72, quantity: 1 }] }]]);
  });
  test('has no button to add it if its price depends on its weight', async () => {
    const { page, sees } = await show(choosing());
    const card = dishCard(page, 'Grilled pirarucu');
    await card.getByText('R$ 79.90/kg, ask us').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: fish.name_translations?.en ?? '' }).click();
    await sees('It’s sold by weight');
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor();
  });
  test('is sold out if a required group has too few options left', async () => {
    const { page } = await show(choosing());
    await dishCard(page, 'Pizza').getByText('from R$ 42.00').waitFor();
    const options = groups.find(({ id }) => id === 6)?.options ?? [];
    await changeGroup(6, { options: options.map((each) => ({ ...each, available: false })) });
    await dishCard(page, 'Ribeye steak').getByText('Sold out today').waitFor();
  });
  test('says that its options could not be loaded', async () => {
    const answers = { listOptionGroups: fails('service_unavailable') };
    const guest = await show(choosing({ answers }), dishPage(pizza));
    await guest.sees('The choices for this dish couldn’t be loaded.');
    await stand.answer({ listOptionGroups: [...groups] });
    await guest.button('Try again').click();
    await guest.button('Choose: Size').waitFor();
  });
  test('waits for its options', async () => {
    const { sees } = await show(choosing({ answers: { listOptionGroups: never } }), dishPage(pizza));
    await sees('Loading the choices…');
  });
});

describe('options in the basket', () => {
  const order = async (dish: { id: number }, ...names: string[]) => {
    const guest = await show(choosing(), dishPage(dish));
    await guest.choose(...names);
    await guest.page.locator('.dish-dock .button-primary').click();
    await guest.openReview();
    return guest;
  };
  test('survive a reload, even while their groups are unknown', async () => {
    const guest = await order(pizza, 'Medium, 6 slices', 'Four cheeses');
    await guest.page.evaluate(() => localStorage.removeItem('comanda.option-groups'));
    await guest.page.reload();
    await guest.sees('Four cheeses');
    await guest.page.locator('.slip-sum').getByText('R$ 48.00').waitFor();
  });
  test('are shown in the guest’s language', async () => {
    const guest = await order(steak, 'Rare');
    await guest.page.evaluate(() => localStorage.setItem('comanda.language', 'pt-BR'));
    await guest.page.reload();
    await guest.sees('Mal passada');
  });
  test('that are gone are named, and must be changed before the order is sent', async () => {
    const guest = await order(steak, 'Rare');
    const options = groups.find(({ id }) => id === 6)?.options.slice(1) ?? [];
    await changeGroup(6, { options });
    await guest.sees('Rare is no longer available.');
    await guest.button('Send to kitchen').click({ force: true });
    await guest.hears('Not sent. Edit the dishes marked in red first.');
    await guest.button(/^Edit.*Ribeye steak/).click();
    await guest.sees('No longer available: Rare.');
    await guest.choose('Well done');
    await guest.button(/^Save/).click();
    await guest.page.getByText('Rare is no longer').waitFor({ state: 'detached' });
    await guest.sees('Well done');
  });
  test('that are sold out are named', async () => {
    const guest = await order(combo, 'Draught lager');
    const options = groups.find(({ id }) => id === 7)?.options ?? [];
    await changeGroup(7, { options: options.map((each) => ({ ...each, available: each.id !== 71 })) });
    await guest.sees('Draught lager is sold out.');
  });
  test('that the server rejects are named at their line', async () => {
    const guest = await order(plate);
    const items = [{ index: 0, reason: 'too_few', group_id: 8, option_id: null, parent_option_id: null }];
    await stand.answer({ placeOrder: fails('options_invalid', { members: { items } }) });
    await guest.send();
    await guest.sees('Some of your choices are no longer possible.');
    await guest.button('Review').click();
    await guest.page.locator('.line').getByText('Choose: Sides.').waitFor();
  });
  test('warn about allergens that the guest avoids', async () => {
    const guest = await show(choosing(), '#/');
    await guest.avoid('milk');
    await guest.add('Açaí bowl');
    await guest.page.getByRole('link', { name: 'Açaí bowl' }).click();
    const row = guest.page.locator('.option-main').filter({ hasText: 'Milk powder' });
    await row.getByText('Contains milk').waitFor();
    await row.click();
    await guest.sees('Milk powder contains milk.');
  });
});
