/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { brokenWordsOf, isInView, textFaultsOf } from '@comanda/testing/page-checks';
import { choosePin, tokenFor } from '@comanda/testing/step-up-calls';
import type { Locator, Page } from 'playwright-core';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { longWord, looks } from './support/looks.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says } from './support/page.ts';
import { placeRush } from './support/rush.ts';
import { tablesOf } from './support/waiter-page.ts';

let app: KitchenApp;
const table = 'Varanda-Norte-12';
const at195 = looks['at-195'];
const manager = { ...waiter, email: 'manager@comanda.test' };
const text = 'sem cebola, sem coentro; molho à parte, '.repeat(5);
beforeAll(async () => {
  app = await startKitchenApp('kitchen-looks-states');
  await app.manager('PUT', `/tables/${table}`);
  await app.manager('POST', '/menu', { body: { name: longWord, price: '99999.99', station: 'kitchen' } });
  created(await choosePin(app.manager));
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

async function seat(): Promise<Order> {
  await app.manager('POST', `/tables/${table}/open`);
  const { seating } = await tablesOf(app).tableOf(table);
  return app.placeAt({ table, seating }, [{ name: longWord, remarks: text }, 'Feijoada'], text);
}
const refusal = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ code, request_id: '0197f3a0-5f0e-7c3a-9d6e-3f6a1c2b4d5e' }),
});
/** Every change of an order is refused from now on. */
const refuse = (page: Page, answer: ReturnType<typeof refusal>): Promise<unknown> =>
  page
    .context()
    .route('**/orders/**', (route) => (route.request().method() === 'PUT' ? route.fulfill(answer) : route.fallback()));

describe('on a waiter’s phone', () => {
  test.each([at195, phone])(
    'when a dish cannot be taken off, or is, then a phone of $viewport.width px says so in view',
    async (look) => {
      const { ticket } = await seat();
      const { page, context } = await app.openAt(`waiter/tables/${table}`, manager, look);
      expectErrors(page, /status of 409 .*\/items\/\d+$/);
      const order = page.getByRole('article', { name: `Order #${ticket}`, exact: true });
      await order.getByRole('button', { name: `Take ${longWord} off` }).click();
      await refuse(page, refusal(409, 'version_mismatch'));
      await press(page, 'Yes, take it off');
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await isInView(alert.locator('.error-panel-title'))).toBe(true);

      await context.unrouteAll();
      await press(page, 'Yes, take it off');
      await says(page, new RegExp(`^${longWord} is off order`));
      expect(await isInView(page.locator('.waiter-notice').getByRole('button'))).toBe(true);
      expect(await textFaultsOf(page)).toEqual([]);
    },
  );

  test('when transfers are stopped for the longest reason, then what is ready stays in view, and the reason can be read', async () => {
    const order = await seat();
    for (const status of ['preparing', 'ready']) await app.setItem(order, 1, status);
    const stop = async (body: object) =>
      app.manager('PUT', '/stops/transfers', {
        body,
        headers: { 'x-step-up-token': await tokenFor(app.manager, 'stop.manage') },
      });
    await stop({ stopped: true, reason: text });
    const { page } = await app.openAt('waiter/ready', waiter, { ...phone, forcedColors: 'active' });
    await says(page, /^Transfers are paused/);
    await page.locator('.waiter-card').waitFor();
    expect(await isInView(page.locator('.waiter-card .waiter-line').first())).toBe(true);
    const strip = page.locator('.waiter-unsent');
    expect(await strip.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px');
    expect(await strip.getByText(text.trim()).isVisible()).toBe(false);
    await strip.getByText('Reason', { exact: true }).click();
    await says(strip, text.trim());
    await app.manager('PUT', '/ordering', { body: { paused_until: new Date(Date.now() + 600_000).toISOString() } });
    await says(page, /^Guests cannot order until /);
    await app.manager('PUT', '/ordering', { body: {} });
    await page.getByText(/^Guests cannot order until /).waitFor({ state: 'detached' });
    await stop({ stopped: false });
  });

  test('when all of a bill is paid, then no discount is offered', async () => {
    const { id: order, bill_id: id } = await seat();
    const { page } = await app.openAt(`waiter/bill/${id}`, manager, phone);
    await page.getByRole('button', { name: 'Discount', exact: true }).waitFor();
    const { remaining } = (await app.manager('GET', `/bills/${id}`)).body;
    const payment = { method: 'card', part: { rest: true }, expected_amount: remaining };
    created(await app.manager('POST', `/bills/${id}/payments`, { body: payment }));
    await page.getByRole('button', { name: /^Close bill/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Discount/ }).count()).toBe(0);
    // What is paid cannot be cancelled.
    for (const status of ['preparing', 'ready', 'delivered']) await app.setOrder(order, status);
    await app.manager('POST', `/bills/${id}/close`, { body: {} });
  });

  test('when something is ordered on a phone at 200 %, then the words of the way to the review are inside it', async () => {
    const { page } = await app.openAt('waiter/order/3', waiter, { ...at195, locale: 'pt-BR' });
    await press(page, 'Adicionar Pão de queijo');
    const bar = page.locator('.waiter-review-bar');
    const rest = await bar.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element.firstChild ?? element);
      return element.getBoundingClientRect().height - range.getBoundingClientRect().height;
    });
    expect(rest).toBeGreaterThanOrEqual(12);
  });
});

describe('on the board', () => {
  test.each([at195, { viewport: { width: 1_180, height: 820 } }])(
    'when a bump is kept at $viewport.width px, then that and both buttons are whole',
    async (look) => {
      const order = await app.place('2', ['Feijoada', 'Pudim de leite']);
      await placeRush(app, 12);
      const { page } = await app.startShift({ ...look, locale: 'pt-BR' });
      await page.locator('.ticket').nth(5).waitFor();
      await setOffline(page, true);
      await page.getByRole('button', { name: `Avançar comanda ${order.ticket}`, exact: true }).click();
      const foot = page.locator('.ticket-foot-kept').first();
      await foot.waitFor();
      expect(await foot.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      expect(await brokenWordsOf(page)).toEqual([]);
      await setOffline(page, false);
    },
  );
});

describe('when the language is changed', () => {
  const choosePortuguese = async (page: Page): Promise<void> => {
    await press(page, 'Menu');
    await press(page, 'Português');
    await page.locator('html[lang=pt-BR]').waitFor();
  };
  const error = (page: Page): Locator => page.locator('.field-error', { hasText: /./ });

  test.each([
    { at: 'ordering', label: 'Or until', typed: 'later' },
    { at: 'menu/new', label: 'Price', typed: 'much' },
  ])('then what is wrong with a field of manager/$at is said in it', async ({ at, label, typed }) => {
    const { page } = await openManager(app, at);
    await page.getByLabel(label).first().fill(typed);
    await page.keyboard.press('Enter');
    const before = await error(page).first().textContent();
    await choosePortuguese(page);
    expect(await error(page).first().textContent()).not.toBe(before);
  });

  test('then what is wrong with a picture is said in it', async () => {
    const { page } = await openManager(app, 'menu/new');
    const buffer = Buffer.from('....ftypheic');
    await page.getByLabel('Upload a picture').setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer });
    await says(page.getByRole('alert'), /This is a HEIC photo/);
    await choosePortuguese(page);
    await says(page.getByRole('alert'), /Esta é uma foto HEIC/);
  });

  test('then that an account was not found is said in it', async () => {
    const { page } = await openManager(app, 'deposits');
    expectErrors(page, /status of 404 .*\/accounts\/\d+$/);
    await page.locator('.manager-form input').fill('999999');
    await page.keyboard.press('Enter');
    await says(error(page), 'There is no account with this number.');
    await choosePortuguese(page);
    await says(error(page), 'Não há carteira com este número.');
  });

  test('then what is wrong with the cash of a bill is said in it', async () => {
    const { bill_id: bill } = await app.place('3', [{ name: 'Feijoada', remarks: 'sem couve' }]);
    const { page } = await app.openAt(`waiter/bill/${bill}/pay`, manager, phone);
    await page.locator('.pay-methods button').first().click();
    await page.locator('.pay-cash input').fill('much');
    const before = await error(page).textContent();
    await choosePortuguese(page);
    await page.getByRole('textbox', { name: 'Recebido' }).waitFor();
    expect(await error(page).textContent()).not.toBe(before);
  });

  test('then what is wrong with the name of a table is said in it', async () => {
    const { page } = await app.openAt('manager/tables', manager);
    await press(page, 'Add table');
    await page.getByLabel('Name of the new table').fill('no spaces');
    await page.keyboard.press('Enter');
    const before = await error(page).textContent();
    await choosePortuguese(page);
    await page.getByRole('heading', { name: 'Mesas' }).waitFor();
    expect(await error(page).textContent()).not.toBe(before);
  });
});
