import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dishNamed, menu, newBill, newDish, newOrder, restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import type { Page } from 'playwright-core';
import { dishCard, guestPage } from '../support/guest.ts';
import { basketOf, seated } from './states.ts';

// The menu in the guest's language, and pages that the browser has translated.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const translated = { category: 'Doces', category_translations: { en: 'Candy' } };
const brigadeiro = newDish({ id: 91, name: 'Brigadeiro', description: 'De colher.', category: 'Da casa' });
const dishes = [
  ...menu,
  brigadeiro,
  newDish({ id: 92, name: 'Cocada', ...translated }),
  newDish({ id: 93, name: 'Quindim', category: 'Doces' }),
];
const answers = { listMenu: dishes };
const orders = [newOrder({ items: [{ dish: brigadeiro }, 'Pudim de leite'] })];
const ordered = { orders, bills: [newBill(orders)], answers };

describe('the menu in English', () => {
  test('shows dishes and categories in English, or in Portuguese after a tap', async () => {
    const page = await stand.show(seated({ answers }));
    await dishCard(page, 'Milk flan').getByText('With caramel sauce.').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Desserts' }).waitFor();
    await page.getByRole('button', { name: 'Desserts' }).waitFor();
    expect(await dishCard(page, 'Pudim de leite').count()).toBe(0);

    await guestPage(page).setting('Português');

    await dishCard(page, 'Pudim de leite').getByText('Com calda de caramelo.').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Sobremesas' }).waitFor();
    expect(await dishCard(page, 'Milk flan').count()).toBe(0);
  });
  test('finds a dish by its name in either language', async () => {
    const page = await stand.show(seated({ answers }));
    await page.getByRole('button', { name: 'Search dishes' }).click();
    for (const name of ['pudim', 'flan']) {
      await page.getByRole('searchbox').fill(name);
      await dishCard(page, 'Milk flan').waitFor();
    }
  });
  test("shows a dish without a translation in the restaurant's language", async () => {
    const page = await stand.show(seated({ answers }));
    const dishIn = (category: string, name: string) =>
      page.getByRole('region', { name: category, exact: true }).getByRole('article', { name, exact: true });
    await dishIn('Candy', 'Quindim').waitFor();
    const names = { name_translations: { en: 'Coconut custard' }, category_translations: { en: 'Sweets' } };
    const item = { ...newDish({ id: 93, name: 'Quindim', category: 'Doces', version: 2 }), ...names, deleted: false };
    await stand.emit('menu.item_changed', { item });
    await dishIn('Sweets', 'Coconut custard').waitFor();
    await dishIn('Sweets', 'Cocada').waitFor();
  });
  test('uses English dish names on all pages', async () => {
    const page = await stand.show(seated({ ...ordered, device: basketOf(['Pudim de leite']) }), '#/review');
    const { hears, orderCard, button } = guestPage(page);
    await button('Remove Milk flan').waitFor();
    await page.evaluate(() => void (location.hash = '#/orders'));
    await orderCard().getByText('1× Milk flan').waitFor();
    const [brigadeiroItem, flan] = orders[0]?.items ?? [];
    if (!orders[0] || !brigadeiroItem || !flan) throw new Error('The order has two dishes.');
    const items = [brigadeiroItem, { ...flan, status: 'preparing' } as const];
    const actor = { id: 9, role: 'waiter' } as const;
    const order = { ...orders[0], status: 'preparing', version: 2, items } as const;
    await stand.emit('order.status_changed', { order, from: 'received', to: 'preparing', actor });
    await hears('Milk flan: preparing');
    await page.evaluate(() => void (location.hash = '#/bill'));
    await page.locator('.bill-line').getByText('Milk flan', { exact: true }).waitFor();
  });
});

describe('the lang attribute', () => {
  /** Returns the language that screen readers use for this text. */
  const langOf = (page: Page, text: string): Promise<string> =>
    page
      .getByText(text, { exact: true })
      .filter({ visible: true })
      .first()
      .evaluate((each) => each.closest('[lang]')?.getAttribute('lang') ?? '');

  test.each([
    { place: 'the menu', path: '#/', marked: ['Brigadeiro', 'De colher.'], unmarked: ['Milk flan', 'Desserts'] },
    {
      place: 'the page of a dish',
      path: `#/dish/${brigadeiro.id}`,
      marked: ['Brigadeiro', 'De colher.'],
      unmarked: [],
    },
    { place: 'the order before it is sent', path: '#/review', marked: [], unmarked: ['Cheese bread'] },
    { place: 'the orders', path: '#/orders', marked: ['Brigadeiro'], unmarked: ['Milk flan'] },
    { place: 'the bill', path: '#/bill', marked: ['Brigadeiro'], unmarked: ['Milk flan'] },
  ])('marks exactly the untranslated texts on $place', async ({ path, marked, unmarked }) => {
    const page = await stand.show(seated({ ...ordered, device: basketOf(['Pão de queijo']) }), path);
    for (const text of marked) expect(await langOf(page, text)).toBe('pt-BR');
    for (const text of unmarked) expect(await langOf(page, text)).toBe('en');
  });
  test('marks English dishes on a Portuguese page', async () => {
    const listMenu = [newDish({ name: 'Treacle tart', category: 'Puddings' })];
    const english = { listMenu, getRestaurant: { ...restaurant, language: 'en' as const } };
    const page = await stand.show(seated({ answers: english }), '#/', { language: 'pt-BR' });
    await dishCard(page, 'Treacle tart').locator('[lang=en]').waitFor();
  });
});

/**
 * Changes the page as Google Translate does: replaces each text node with an element, but keeps the texts. Returns their number.
 */
const translate = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    const own = texts.filter(
      ({ data, parentElement }) =>
        data.trim() !== '' && !parentElement?.closest('[translate="no"], font, script, style'),
    );
    for (const text of own) {
      const font = document.createElement('font');
      font.appendChild(document.createElement('font')).textContent = text.data;
      text.replaceWith(font);
    }
    return own.length;
  });

describe('a page that the browser has translated', () => {
  test('still updates the counts and totals in the basket', async () => {
    const page = await stand.show(seated());
    const { button, add, openReview } = guestPage(page);
    await page.getByRole('link', { name: 'Feijoada', exact: true }).click();
    await page.getByRole('button', { name: 'Add Feijoada' }).waitFor();
    expect(await translate(page)).toBeGreaterThan(0);
    await button('One more').click();
    await button('One more').click();
    await page.locator('.dish-dock output').getByText('3', { exact: true }).waitFor();
    await page.locator('.dish-dock').getByText('R$ 186.00').waitFor();
    await button('Add Feijoada').click();
    await translate(page);
    await page.locator('.basket-button').getByText('3 items · R$ 186.00').waitFor();
    await add('Cheese bread');
    await page.locator('.basket-button').getByText('4 items · R$ 200.00').waitFor();
    await openReview();
    await translate(page);
    await button('Add one Cheese bread').click();
    await page.locator('.slip-sum').getByText('R$ 214.00').waitFor();
  });
  test("still updates the order statuses and the bill's totals", async () => {
    const own = newOrder({ items: ['Feijoada'] });
    const page = await stand.show(seated({ orders: [own], bills: [newBill([own])] }), '#/orders');
    const { button, orderCard } = guestPage(page);
    await orderCard().waitFor();
    await translate(page);
    const ready = newOrder({ items: [{ dish: dishNamed('Feijoada'), status: 'ready' }], version: 2 });
    const actor = { id: 9, role: 'waiter' } as const;
    await stand.emit('order.status_changed', { order: ready, from: 'received', to: 'ready', actor });
    await orderCard().locator('.progress-status').getByText('ready', { exact: true }).waitFor();
    expect(await orderCard().getByText('waiting', { exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Bill' }).click();
    await page.locator('.bill-line').first().waitFor();
    await translate(page);
    const more = newBill([own, newOrder({ id: 1043, items: ['Feijoada'] })], { version: 2 });
    await stand.emit('bill.changed', { bill: more, change: { kind: 'ordered' }, actor });
    await page.getByText('R$ 136.40').first().waitFor();
    await translate(page);
    await button(/^Pay · /).click();
    await button('Split equally').click();
    await page.getByText(/ each$/).waitFor();
    await translate(page);
    await button('One more: People').click();
    await page.getByText('R$ 45.47').first().waitFor();
  });
});
