import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { created } from '@comanda/testing/call';
import { dishCard, seatGuest } from './support/guest.ts';
import { startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-translated-menu');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const addDish = async (body: Record<string, unknown>) =>
  (await app.manager('POST', '/menu', { body: { price: '10.00', position: 900, ...body } })).body;
const readIn = (page: Page, language: 'Português' | 'English') =>
  page.getByRole('button', { name: language, exact: true }).first().click();

test('when a guest reads English, then dishes, descriptions and categories are in English; in Portuguese after one tap', async () => {
  const { page } = await seatGuest(app);
  await dishCard(page, 'Milk flan').getByText('With caramel sauce.').waitFor();
  await page.getByRole('heading', { level: 2, name: 'Desserts' }).waitFor();
  await page.getByRole('button', { name: 'Desserts' }).waitFor();
  expect(await dishCard(page, 'Pudim de leite').count()).toBe(0);
  await app.shoot(page, 'menu-in-english');

  await readIn(page, 'Português');

  await dishCard(page, 'Pudim de leite').getByText('Com calda de caramelo.').waitFor();
  await page.getByRole('heading', { level: 2, name: 'Sobremesas' }).waitFor();
  await page.getByRole('heading', { level: 2, name: 'Entradas' }).waitFor();
  expect(await dishCard(page, 'Milk flan').count()).toBe(0);
  await app.shoot(page, 'menu-in-portuguese');
});

test('when a guest orders in English, then basket, progress and bill are in English, and the kitchen reads its own language', async () => {
  const guest = await seatGuest(app);
  const { page } = guest;
  await guest.add('Milk flan');
  await guest.openReview();
  await guest.button('Remove Milk flan').waitFor();
  await guest.send();
  await guest.orderCard().getByText('1× Milk flan').waitFor();
  expect((await guest.placed()).items[0].name).toBe('Pudim de leite');

  const [item] = (await guest.placed()).items;
  await app.manager('PUT', `/orders/${(await guest.placed()).id}/items/${item.id}`, { body: { status: 'preparing' } });
  await guest.hears('Milk flan: cooking');
  await page.goto(`${app.url}/#/bill`);
  await page.locator('.bill-line').getByText('Milk flan', { exact: true }).waitFor();
  await app.shoot(page, 'bill-in-english');
});

test('when a guest searches, then the words of the restaurant find a dish too', async () => {
  const { page, button } = await seatGuest(app);
  await button('Search dishes').click();
  const search = page.getByRole('searchbox');

  await search.fill('pudim');
  await dishCard(page, 'Milk flan').waitFor();
  await search.fill('flan');
  await dishCard(page, 'Milk flan').waitFor();
});

test('when a dish is not translated, then it is read as the restaurant writes it; once it is, the page shows it', async () => {
  const { page } = await seatGuest(app);
  const dishIn = (category: string, name: string) =>
    page.getByRole('region', { name: category, exact: true }).getByRole('article', { name, exact: true });
  await addDish({ name: 'Cocada', category: 'Doces', category_translations: { en: 'Candy' } });
  const { id } = await addDish({ name: 'Quindim', category: 'Doces' });
  await dishIn('Candy', 'Quindim').waitFor();

  const body = { name_translations: { en: 'Coconut custard' }, category_translations: { en: 'Sweets' } };
  await app.manager('PUT', `/menu/${id}`, { body });

  await dishIn('Sweets', 'Coconut custard').waitFor();
  await dishIn('Sweets', 'Cocada').waitFor();
});

describe('the language of what is not in that of the page', () => {
  /** What a screen reader is told of the language of these words, which stand in one element. */
  const langOf = async (page: Page, words: string): Promise<string> => {
    const element = page.getByText(words, { exact: true }).filter({ visible: true }).first();
    return element.evaluate((each) => each.closest('[lang]')?.getAttribute('lang') ?? '');
  };

  test('when a dish has no translation, then its words are marked on every page, and those of the page are not', async () => {
    await addDish({ name: 'Brigadeiro', description: 'De colher.', category: 'Da casa' });
    const guest = await seatGuest(app);
    const { page } = guest;
    await guest.add('Brigadeiro');
    for (const words of ['Brigadeiro', 'De colher.', 'Da casa']) expect(await langOf(page, words)).toBe('pt-BR');
    for (const words of ['Milk flan', 'With caramel sauce.', 'Desserts']) expect(await langOf(page, words)).toBe('en');
    await page.getByRole('link', { name: 'Brigadeiro' }).click();
    await page.getByRole('heading', { level: 1, name: 'Brigadeiro' }).waitFor();
    expect([await langOf(page, 'Brigadeiro'), await langOf(page, 'De colher.')]).toEqual(['pt-BR', 'pt-BR']);
    await page.goBack();
    await guest.add('Milk flan');
    await guest.openReview();
    expect([await langOf(page, 'Brigadeiro'), await langOf(page, 'Milk flan')]).toEqual(['pt-BR', 'en']);
    await guest.send();
    await guest.orderCard().waitFor();
    expect([await langOf(page, 'Brigadeiro'), await langOf(page, 'Milk flan')]).toEqual(['pt-BR', 'en']);
    await page.goto(`${app.url}/#/bill`);
    await page.locator('.bill-line').first().waitFor();
    expect([await langOf(page, 'Brigadeiro'), await langOf(page, 'Milk flan')]).toEqual(['pt-BR', 'en']);
  });

  test('when a restaurant writes in English, then a page in Portuguese says so of what has no translation', async () => {
    await addDish({ name: 'Treacle tart', category: 'Puddings' });
    await app.manager('PUT', '/restaurant', { body: { language: 'en' } });
    const { page } = await seatGuest(app, { locale: 'pt-BR' });
    await dishCard(page, 'Treacle tart').locator('[lang=en]').waitFor();
    await app.manager('PUT', '/restaurant', { body: { language: 'pt-BR' } });
  });
});

/** Does to the page what Google's translator does, with the same words: each text is taken out, another one stands there. */
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

test('counts, sums and states of a page that the browser has translated go on changing', async () => {
  const guest = await seatGuest(app);
  const { page, button } = guest;
  const reads = async (selector: string, text: string | RegExp): Promise<void> => {
    expect(await translate(page)).toBeGreaterThan(0);
    await page.locator(selector).getByText(text).first().waitFor();
  };
  await page.getByRole('link', { name: 'Feijoada', exact: true }).click();
  await page.getByRole('button', { name: 'Add Feijoada' }).waitFor();
  await translate(page);
  await button('One more').click();
  await button('One more').click();
  await page.locator('.dish-dock output').getByText('3', { exact: true }).waitFor();
  await page.locator('.dish-dock').getByText('R$ 186.00').waitFor();
  await button('Add Feijoada').click();
  await reads('.basket-button', '3 items · R$ 186.00');
  await guest.add('Cheese bread');
  await page.locator('.basket-button').getByText('4 items · R$ 200.00').waitFor();
  await guest.openReview();
  await translate(page);
  await button('One Cheese bread more').click();
  await page.locator('.slip-sum').getByText('R$ 214.00').waitFor();
  await guest.send();
  await guest.orderCard().waitFor();
  await translate(page);
  const order = await guest.placed();
  for (const { id } of order.items) {
    for (const status of ['preparing', 'ready'])
      await app.manager('PUT', `/orders/${order.id}/items/${id}`, { body: { status } });
  }
  await guest.orderCard().locator('.progress-status').getByText('ready', { exact: true }).nth(1).waitFor();
  expect(await guest.orderCard().getByText('received', { exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Bill' }).click();
  await page.locator('.bill-line').first().waitFor();
  await translate(page);
  const { item_id, seating } = { ...order.items[0], ...order };
  const body = { table: guest.seat.table, seating, items: [{ item_id, quantity: 1 }] };
  created(await app.manager('POST', '/orders', { body }));
  await page.getByText('R$ 276.00').first().waitFor();
  await translate(page);
  await button(/^Pay, /).click();
  await button('Split equally').click();
  await page.getByText(/^Each share/).waitFor();
  const shareOf2 = await page.getByText(/^Each share/).innerText();
  await translate(page);
  await button('One more: People').click();
  await page
    .getByText(/^Each share/)
    .filter({ hasNotText: shareOf2 })
    .waitFor();
});
