import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { MenuItem } from '@comanda/contracts/menu';
import { tabTo } from '@comanda/testing/page-checks';
import { dishNamed, menu, minutesAgo, newDish, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import { dishCard, guestPage } from '../support/guest.ts';
import { basketOf, customer, seated } from './states.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());
async function show(state: State, path?: string, look?: StandLook) {
  const page = await stand.show(state, path, look);
  return { page, ...guestPage(page) };
}
const withMenu = (...dishes: Parameters<typeof newDish>): State =>
  seated({ answers: { listMenu: [...menu, ...dishes.map((dish) => newDish(dish))] } });
const emitItem = (name: string, differs: Partial<MenuItem>): Promise<void> =>
  stand.emit('menu.item_changed', {
    item: { ...(name === 'Cuscuz' ? newDish() : dishNamed(name)), deleted: false, version: 2, ...differs },
  });
const paused = (minutes: number) => ({ paused_until: minutesAgo(-minutes), reason: 'The oven is cold', version: 2 });

describe('a phone without a table', () => {
  test('shows the menu without a button to add dishes', async () => {
    const { page, sees, button } = await show(seated({ who: null }));
    await dishCard(page, 'Feijoada').waitFor();
    await sees('Scan the code on your table');
    expect(await button(/^Add /).count()).toBe(0);
  });
  test('explains what to do about a code that is no longer valid', async () => {
    const state = seated({ who: null, answers: { beGuest: fails('table_token_invalid') } });
    const { page, sees } = await show(state, '&t=bm9uc2Vuc2U#/');
    await sees('This code no longer works');
    await dishCard(page, 'Feijoada').waitFor();
    expect(page.url()).not.toContain('t=');
  });
  test('keeps the input when a password is too common', async () => {
    const answers: State['answers'] = {
      register: { turns: [fails('password_too_weak'), { id: 5 }] } as never,
      me: { must_change_password: false } as never,
      login: {} as never,
    };
    const { page, button } = await show(seated({ who: null, signsIn: customer, answers }), '#/account');
    await button('Create an account').click();
    for (const [name, value] of Object.entries({ Name: 'Lia', 'E-mail': 'lia@comanda.test', Password: 'password' }))
      await page.getByRole('textbox', { name }).fill(value);
    await button('Create account').click();
    await page.getByRole('alert').getByText('This password is too easy to guess.').waitFor();
    await page.getByRole('alert').getByText('Reference').waitFor();
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('lia@comanda.test');
  });
});

describe('the menu', () => {
  test('stays open if Ctrl opens a dish in another tab', async () => {
    const { page } = await show(seated());
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Feijoada' }).click({ modifiers: ['ControlOrMeta'] });
    await (await opened).close();
    await dishCard(page, 'Feijoada').waitFor();
    expect(new URL(page.url()).hash).toBe('#/');
  });
  test('adds no more portions of a dish than are left', async () => {
    const { page, ...guest } = await show(withMenu({ name: 'Torta', portions_left: 2 }));
    await dishCard(page, 'Torta').getByText('2 left').waitFor();
    await guest.add('Torta');
    await guest.add('Torta');
    await guest.button('Add Torta').click({ force: true });
    await guest.hears('No more Torta available.');
    await guest.seesBasket('2 items, R$ 40.00');
  });
  test('hides dishes with allergens that the guest avoids', async () => {
    const { page, avoid, sees } = await show(seated());
    await avoid('fish');
    await sees('2 dishes with fish hidden');
    expect(await dishCard(page, 'Fish moqueca').count()).toBe(0);
    await page.reload();
    await sees('2 dishes with fish hidden');
  });
  test('says which dishes have no list of allergens, and marks them once the guest avoids an allergen', async () => {
    const unstated = 'Allergens not listed. Ask a waiter.';
    const { page, avoid } = await show(withMenu({ name: 'Tapioca' }));
    await dishCard(page, 'Tapioca').getByText(unstated).waitFor();
    expect([await page.getByText(unstated).count(), await page.locator('.tag-few').count()]).toEqual([1, 0]);
    await avoid('gluten');
    await dishCard(page, 'Tapioca').locator('.tag-few').getByText(unstated).waitFor();
    expect(await dishCard(page, 'Cheese bread').getByText(unstated).count()).toBe(0);
    await page.getByRole('link', { name: 'Tapioca' }).click();
    await page.getByRole('heading', { name: unstated }).waitFor();
  });
  test('finds a dish even if its name is typed without accents', async () => {
    const { page, button, sees } = await show(seated());
    const searchbox = page.getByRole('searchbox', { name: 'Search dishes' });
    await button('Search dishes').click();
    await searchbox.fill('pao');
    await dishCard(page, 'Feijoada').waitFor({ state: 'detached' });
    expect(await page.getByRole('article').count()).toBe(1);
    await searchbox.fill('sushi');
    await sees('No dishes match “sushi”');
  });
  test.each([
    ['en', 360],
    ['pt-BR', 390],
  ] as const)('keeps the table and its buttons visible when scrolled (%s)', async (language, width) => {
    const { page } = await show(seated(), '#/', { viewport: { width, height: 640 }, language });
    await page.locator('.dish-add').first().waitFor();
    await page.evaluate(() => scrollTo(0, 900));
    await until(() => page.evaluate(() => scrollY > 400), { what: 'the scrolled menu' });
    const tops = await page
      .locator('.top-row h1, .top-tools button')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(tops.length).toBe(3);
    expect(tops.filter((top) => top < 0)).toEqual([]);
  });
  test('keeps the link to the orders in view when scrolled to the end', async () => {
    const { page, ...guest } = await show(seated({ orders: [newOrder({ items: ['Água com gás'] })] }), '#/orders');
    await guest.button('Order more').click();
    const link = page.getByRole('link', { name: /^Orders · / });
    await link.waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await guest.add('Sparkling water');
    const isInView = (): Promise<boolean> =>
      link.evaluate(
        (element) => scrollY > 500 && document.elementFromPoint(40, innerHeight - 50)?.closest('a') === element,
      );
    await until(isInView, { what: 'the link in view at the end of the menu' });
  });
  test('leaves half of the screen for the dishes on a phone at 200% zoom', async () => {
    const orders = [newOrder({ items: ['Feijoada'] })];
    const look = { viewport: { width: 195, height: 422 } };
    const { page } = await show(seated({ orders, device: basketOf(['Pão de queijo']) }), '#/', look);
    const dock = page.locator('.menu-basket');
    await dock.waitFor();
    const heightOf = (selector: string) =>
      page.locator(selector).evaluate((each) => each.getBoundingClientRect().height);
    expect(await heightOf('.restaurant-line')).toBeLessThan(50);
    expect(await heightOf('.menu-basket')).toBeLessThan(211);
  });
  test('follows a language change, even after a reload', async () => {
    const { page, setting } = await show(seated());
    const dish = dishCard(page, 'Feijoada');
    await dish.getByText('Contains celery, gluten, sulphites').waitFor();
    await setting('Português');
    await dish.getByText('Contém aipo, glúten e sulfitos').waitFor();
    await dish.getByText('R$ 62,00').waitFor();
    await setting('Escuro');
    await page.reload();
    await dish.getByText('R$ 62,00').waitFor();
    const { lang, theme } = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      theme: document.documentElement.dataset['theme'],
    }));
    expect([lang, theme]).toEqual(['pt-BR', 'dark']);
  });
});

describe('an unsent order', () => {
  test('stays in the basket after a reload', async () => {
    const guest = await show(seated());
    await guest.add('Feijoada');
    await guest.page.reload();
    await guest.seesBasket('1 item, R$ 62.00');
  });
  test("shows a dish's old and new price when the price changes", async () => {
    const guest = await show(withMenu({}));
    await guest.add('Cuscuz');
    await guest.openReview();
    await emitItem('Cuscuz', { price: '22.00' });
    await guest.sees('The price changed from R$ 20.00 to R$ 22.00.');
  });
  test('is sent without a sold-out dish', async () => {
    const answers = { placeOrder: newOrder({ items: ['Feijoada'] }) };
    const guest = await show({ ...seated({ answers, device: basketOf(['Feijoada', 'Pudim de leite']) }) }, '#/review');
    await guest.button('Send to kitchen').waitFor();
    await emitItem('Pudim de leite', { available: false });
    await guest.sees('Sold out. Remove it to send the rest.');
    await guest.page.locator('.slip-sum').getByText('R$ 62.00').waitFor();
    await guest.button('Send to kitchen').click({ force: true });
    await guest.hears('Not sent. Remove the sold-out dishes first.');
    expect(await stand.calls('placeOrder')).toEqual([]);
    await guest.button('Remove sold-out dishes').click();
    await guest.send();
    await guest.orderCard().waitFor();
    expect(await stand.calls('placeOrder')).toMatchObject([{ input: { items: [{ quantity: 1 }] } }]);
  });
  test('waits while the kitchen takes no orders', async () => {
    const guest = await show(seated({ device: basketOf(['Feijoada']) }), '#/review');
    await guest.button('Send to kitchen').waitFor();
    await stand.emit('ordering.changed', paused(60));
    await guest.sees(/The kitchen isn’t taking orders until \d\d:\d\d/);
    await guest.sees('The oven is cold');
    await guest.button('Send to kitchen').click({ force: true });
    expect(await stand.calls('placeOrder')).toEqual([]);
    await stand.emit('ordering.changed', { paused_until: null, reason: null, version: 3 });
    await guest.page.getByText('The oven is cold').waitFor({ state: 'detached' });
    await guest.button('Remove Feijoada').waitFor();
  });
  test('shows that the kitchen takes no orders, even if the feed was not live when the pause started', async () => {
    const state: State = { ...seated({ device: basketOf(['Feijoada']) }), feed: { status: 'connecting' } };
    const guest = await show(state, '#/review');
    await guest.button('Send to kitchen').waitFor();
    await stand.answer({ getOrdering: paused(60) });
    await stand.standing({ status: 'live' });
    await guest.sees('The oven is cold');
  });
  test('is placed once by two taps on "Send to kitchen"', async () => {
    const answers = { placeOrder: newOrder({ items: ['Feijoada'] }) };
    const guest = await show(seated({ answers, device: basketOf(['Feijoada']) }), '#/review');
    await guest.button('Send to kitchen').dblclick();
    await guest.orderCard().waitFor();
    expect(await stand.calls('placeOrder')).toHaveLength(1);
  });
  test('stays in the basket if the server rejects it because the table is closed', async () => {
    const answers = { placeOrder: fails('seating_closed') };
    const guest = await show(seated({ answers, device: basketOf(['Feijoada']) }), '#/review');
    await guest.send();
    await guest.sees('Nothing was ordered. Your basket is saved.');
    await guest.button('Review').click();
    await guest.button('Remove Feijoada').waitFor();
    expect(await guest.button('Send to kitchen').isDisabled()).toBe(true);
  });
  test('can be created and sent with only the keyboard', async () => {
    const answers = { placeOrder: newOrder({ items: ['Pão de queijo', 'Caldinho de feijão'] }) };
    const { page, ...guest } = await show(seated({ answers }));
    await tabTo(page, /^Add Cheese bread$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Black bean soup$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Black bean soup' }).waitFor();
    await tabTo(page, /^Add Black bean/);
    await page.keyboard.press('Space');
    await guest.seesBasket('2 items, R$ 30.50');
    await tabTo(page, /^Basket, 2 items/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Table 12' }).waitFor();
    await tabTo(page, /^Send to kitchen$/);
    await page.keyboard.press('Enter');
    await guest.orderCard().waitFor();
  });
  test('keeps the focus after a line is removed', async () => {
    const { page, button } = await show(seated({ device: basketOf(['Feijoada', 'Pão de queijo']) }), '#/review');
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName ?? '');
    const quantity = page.getByRole('status', { name: 'Feijoada', exact: true });
    await button('Add one Feijoada').press('Enter');
    await quantity.getByText('2').waitFor();
    await button('Remove one Feijoada').press('Enter');
    await quantity.getByText('1').waitFor();
    expect(await focused()).toBe('Remove Feijoada');
    await button('Remove Feijoada').press('Enter');
    await page.locator('.line').nth(1).waitFor({ state: 'detached' });
    expect(await focused()).toBe('Remove Cheese bread');
    await button('Remove Cheese bread').press('Enter');
    await page.getByText('Your basket is empty').waitFor();
    expect(await focused()).toBe('H1');
  });
});

describe('allergies', () => {
  test('cause a warning about a dish as soon as the guest types them', async () => {
    const written = 'Alergia a glúten!';
    const answers = { placeOrder: newOrder({ items: ['Feijoada'], allergies: written }) };
    const { page, ...guest } = await show(seated({ answers }), `#/dish/${dishNamed('Feijoada').id}`);
    await guest.allergies.fill('peanuts');
    expect(await page.getByText('Feijoada contains').count()).toBe(0);
    await guest.allergies.fill(written);
    await guest.sees('Feijoada contains gluten.');
    await guest.button(/^Add Feijoada/).click();
    await guest.add('Caipirinha');
    await guest.openReview();
    await page.getByRole('listitem').filter({ hasText: 'Feijoada' }).getByText('Feijoada contains gluten.').waitFor();
    await guest.sees('Feijoada contains gluten. Remove it, or send anyway.');
    expect(await page.getByText('Caipirinha contains').count()).toBe(0);
    await guest.send();
    await guest.sees(`The kitchen knows about your allergy: ${written}`);
    expect(await stand.calls('placeOrder')).toMatchObject([{ input: { allergies: written } }]);
  });
  test('cause a warning about dishes that were already selected', async () => {
    const guest = await show(seated({ device: basketOf(['Feijoada', 'Chope claro 300 ml']) }));
    await guest.avoid('gluten');
    await guest.openReview();
    await guest.sees('2 dishes contain something you can’t eat. Remove them, or send anyway.');
  });
  test('are sent to the kitchen with every order until the guest removes them', async () => {
    const placeOrder = newOrder({ items: ['Feijoada'], allergies: 'fish, kiwi' });
    const guest = await show(seated({ answers: { placeOrder } }));
    await guest.avoid('fish');
    await guest.add('Feijoada');
    await guest.openReview();
    expect(await guest.allergies.inputValue()).toBe('fish');
    await guest.allergies.fill('fish, kiwi');
    await guest.send();
    await guest.orderCard().waitFor();
    await guest.button('Order more').click();
    await guest.add('Caipirinha');
    await guest.openReview();
    expect(await guest.allergies.inputValue()).toBe('fish, kiwi');
    await guest.allergies.fill('');
    await guest.page.reload();
    await guest.button('Send to kitchen').waitFor();
    expect(await guest.allergies.inputValue()).toBe('');
  });
});
