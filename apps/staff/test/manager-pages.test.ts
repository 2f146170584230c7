/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { caller } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import type { Locator } from 'playwright-core';
import { startStaffApp, type StaffApp, type Order } from './support/staff-app.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says } from './support/page.ts';
import { photograph, shownIn } from './support/photograph.ts';

// The managers' tasks that need no PIN, with all services running, and their effects for guests and boards.

let app: StaffApp;
// If the machine has no browser, the first run downloads one.
beforeAll(async () => {
  app = await startStaffApp('manager-pages');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const menu = async (): Promise<Order[]> => (await app.stack.call('GET', '/menu')).body as Order[];
const dishOf = async (name: string): Promise<Order> => (await menu()).find((dish) => dish.name === name);

describe('the menu', () => {
  test('shows guests every change that a manager makes', async () => {
    const { page } = await openManager(app, 'menu');
    await page.getByRole('link', { name: 'Add dish' }).click();
    const form = page.getByRole('form', { name: 'New dish' });
    await press(form, 'Add to menu');
    await says(form, 'Enter a name.');
    await says(form, 'Enter an amount, such as 74.00');
    await form.getByLabel('Name', { exact: true }).fill('Vatapá');
    await form.getByLabel('Price (R$)').fill('58,5');
    await form.getByLabel('Category', { exact: true }).fill('Pratos');
    await form.getByText('Position and picture address').click();
    await form.getByLabel('Picture address').fill('/dishes/moqueca-de-peixe.svg');
    await says(form, 'No allergens listed.');
    await press(form, 'crustaceans');
    await press(form, 'Add to menu');
    await says(page, 'Vatapá saved.');
    await page.getByRole('link', { name: 'Edit Vatapá' }).waitFor();
    const mains = (await menu()).filter(({ category, name }) => category === 'Pratos' && name !== 'Vatapá');
    expect((await dishOf('Vatapá')).position).toBe(Math.max(...mains.map(({ position }) => position)) + 1);

    const guest = await page.context().newPage();
    await guest.goto(app.url);
    const card = guest.getByRole('article', { name: 'Vatapá', exact: true });
    await says(card, 'R$ 58.50');
    await says(card, 'Contains crustaceans');

    await page.getByRole('link', { name: 'Edit Vatapá' }).click();
    const edit = page.getByRole('form', { name: 'Vatapá' });
    await edit.getByLabel('Portions left').fill('2');
    await press(edit, 'Save');
    await until(async () => (await dishOf('Vatapá')).portions_left === 2, { what: 'the portions' });
    await guest.reload(); // Without a sign-in, the page has no live feed, so it must be reloaded.
    await says(card, '2 left');
    await page.getByRole('switch', { name: 'Available: Vatapá' }).click();
    await until(async () => (await dishOf('Vatapá'))?.available === false, { what: 'the end of the sale' });
    await guest.reload();
    await says(card, 'Sold out');
    expect(await dishOf('Vatapá')).toMatchObject({ available: false, portions_left: 2, allergens: ['crustaceans'] });

    await page.getByRole('link', { name: 'Edit Vatapá' }).click();
    await press(edit, 'Remove from menu');
    await press(page.getByRole('group', { name: 'Remove Vatapá?' }), 'Yes, remove');
    await until(async () => (await dishOf('Vatapá')) === undefined, { what: 'its end' });
    await guest.reload();
    await guest.getByRole('article').first().waitFor();
    await card.waitFor({ state: 'detached' });
  });

  test("shows guests a dish's translation and picture as in the form's preview", async () => {
    const body = { name: 'Canjica', price: '15.00', category: 'Doces da casa' };
    const { body: dish } = await app.manager('POST', '/menu', { body });
    await app.manager('POST', '/menu', { body: { ...body, name: 'Cocada' } });
    const { page } = await openManager(app, `menu/${dish.id}`);
    const form = page.getByRole('form', { name: 'Canjica' });
    await form.getByLabel('Name in English').fill('Sweet hominy');
    await form.getByLabel('Description in English').fill('With coconut milk');
    await form.getByLabel('Category in English').fill('Sweets of the house');
    const choose = async (): Promise<void> =>
      form.getByLabel('Upload a picture').setInputFiles(await photograph(page, { width: 900, height: 600 }));
    await choose();
    await press(form, 'Remove the picture');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('file');
    await choose();
    expect(await shownIn(form)).toContain('/menu-pictures/');
    await form.getByLabel('Picture address').waitFor({ state: 'detached' });
    await press(form, 'Save');
    await says(page, 'Canjica saved.');
    expect((await dishOf('Canjica')).image_url).toMatch(/^\/menu-pictures\/[0-9a-f]{64}$/);
    const row = page.locator('.menu-row', { hasText: 'Cocada' });
    await says(row, 'not in English');
    // Screen readers need the language here, because the page is in English but the restaurant's menu is not.
    expect(await row.getByText('Cocada', { exact: true }).getAttribute('lang')).toBe('pt-BR');

    const guest = await page.context().newPage();
    await guest.setViewportSize(phone.viewport);
    await guest.goto(app.url);
    const sweets = guest.getByRole('region', { name: 'Sweets of the house' });
    await sweets.getByRole('article', { name: 'Cocada' }).waitFor();
    const card = sweets.getByRole('article', { name: 'Sweet hominy' });
    await says(card, 'With coconut milk');
    await card.scrollIntoViewIfNeeded();
    expect(await shownIn(card)).toMatch(/\?width=400$/);

    await page.getByRole('link', { name: 'Edit Canjica' }).click();
    const shapeOf = (element: Locator): Promise<number> =>
      element.evaluate((each) => each.clientWidth / each.clientHeight);
    const [asRow, asPage] = [
      page.locator('.picture-field-as-row > span'),
      page.locator('.picture-field-as-page > span'),
    ];
    expect(await shapeOf(asRow)).toBeCloseTo(await shapeOf(card.locator('.dish-image')), 1);
    await card.getByRole('link', { name: 'Sweet hominy' }).click();
    await shownIn(guest.locator('.dish-hero'));
    expect(await shapeOf(asPage)).toBeCloseTo(await shapeOf(guest.locator('.dish-hero')), 1);

    await page.getByRole('link', { name: 'Edit Cocada' }).click();
    const other = page.getByRole('form', { name: 'Cocada' });
    expect(await other.getByLabel('Category in English').inputValue()).toBe('Sweets of the house');
    await other.getByLabel('Category', { exact: true }).fill('Pratos');
    expect(await other.getByLabel('Category in English').inputValue()).toBe('Mains');
    await press(other, 'Save');
    await says(page, 'Cocada saved.');
    expect(await dishOf('Cocada')).toMatchObject({ name_translations: {}, category_translations: { en: 'Mains' } });
  });
});

test('a new table code replaces the printed one', async () => {
  const tokenOf = async (name: string): Promise<string> =>
    ((await app.manager('GET', '/tables')).body as Order[]).find(({ table }) => table === name).table_token;
  const scan = async (token: string) =>
    (await app.stack.call('POST', '/auth/guest', { body: { table_token: token } })).status;
  const { page } = await openManager(app, 'tables');
  await press(page, 'Add tables');
  await press(page, 'One');
  await page.getByLabel('Name of the new table').fill('Varanda-1');
  await press(page.getByRole('form'), 'Add table');
  const card = page.getByRole('article', { name: 'Table Varanda-1' });
  await card.getByRole('img', { name: 'QR code of table Varanda-1' }).waitFor();
  const old = await tokenOf('Varanda-1');
  expect(await scan(old)).toBe(200);

  const path = await card.locator('path').first().getAttribute('d');
  await press(card, 'More for table Varanda-1');
  await press(card, 'New code for table Varanda-1');
  await says(card, 'The printed code stops working');
  expect(await scan(old)).toBe(200);
  await press(card, 'Replace');
  await says(card, /^New code since \d\d:\d\d\. Print it\.$/);
  expect(await card.locator('path').first().getAttribute('d')).not.toBe(path);
  expect(await scan(old)).toBe(401);
  expect(await scan(await tokenOf('Varanda-1'))).toBe(200);
});

test("a pause rejects guests' orders until the manager resumes", async () => {
  const guest = await app.stack.customer('Bia');
  const order = () =>
    caller(app.stack.gatewayUrl, { token: guest.token })('POST', '/orders', {
      body: { items: [{ name: 'Feijoada', quantity: 1 }], table: '1' },
    });
  const { page } = await openManager(app, 'ordering');
  await says(page, 'Guests can order.');
  await press(page, '15 min');
  await page.getByLabel('Reason', { exact: true }).fill('A cozinha está cheia');
  await press(page, 'Pause orders');
  await says(page, /^Paused until (.+, )?\d\d:\d\d\.$/);
  expect(await order()).toMatchObject({ status: 503, body: { reason: 'A cozinha está cheia' } });
  await press(page, 'Resume now');
  await says(page, 'Guests can order.');
  expect((await order()).status).toBe(201);
});

test('the Screens page lists a working board with its station and faults', async () => {
  const { page: board } = await app.startShift();
  const { page } = await openManager(app, 'screens');
  const name = await board.evaluate(() => localStorage.getItem('comanda.kitchen.device') ?? '');
  const card = page.getByRole('article', { name, exact: true });
  await says(card, /^On$/);
  await says(card, 'All stations, Wagner');
  await board.getByRole('button', { name: /^Sound/ }).click();
  await says(card, 'Its sounds are off');
  await app.place('4', ['Feijoada']);
  await page.getByRole('rowheader', { name }).waitFor();
});
