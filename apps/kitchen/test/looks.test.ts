/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { checkScreens } from '@comanda/testing/page-checks';
import type { Locator, Page } from 'playwright-core';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { longWord, looks, withoutAxe } from './support/looks.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says } from './support/page.ts';
import { sendOrder, tablesOf } from './support/waiter-page.ts';

let app: KitchenApp;
const table = 'Varanda-Norte-12';
const manager = { ...waiter, email: 'manager@comanda.test' };
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('kitchen-looks');
  await app.manager('PUT', `/tables/${table}`);
  await app.manager('POST', `/tables/${table}/open`);
  const category = longWord.slice(0, 64);
  await app.manager('POST', '/menu', { body: { name: longWord, price: '99999.99', station: 'kitchen', category } });
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const idOf = async (name: string): Promise<number> =>
  ((await app.manager('GET', '/menu')).body as Order[]).find((dish) => dish.name === name).id;
/** The longest table, dish, quantity and sum. */
async function placeLongest(): Promise<Order> {
  const order = await app.place(table, [{ name: longWord, quantity: 99, remarks: 'sem cebola' }, 'Moqueca de peixe']);
  await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device: 'kitchen-1' } });
  for (const item of [0, 1]) for (const status of ['preparing', 'ready']) await app.setItem(order, item, status);
  return order;
}

/** The same for people who sit there, have called, and have paid a part. */
async function seatLongest(): Promise<Order> {
  await app.manager('POST', `/tables/${table}/open`);
  const { seating } = await tablesOf(app).tableOf(table);
  const call = { kind: 'bill', method: 'card', note: 'W'.repeat(100), table, seating };
  await app.manager('POST', '/calls', { body: call });
  const order = await placeLongest();
  const payment = { method: 'cash', part: { amount: '1000000.00' }, expected_amount: '1000000.00', tip: '99.90' };
  await app.manager('POST', `/bills/${order.bill_id}/payments`, { body: payment });
  return order;
}
// In Portuguese, whose words are longer; a manager may do all that a waiter may.
test('when the sum of a table is as long as it may be, then a waiter reads each amount and each short word in one line', async () => {
  const { id, bill_id: bill } = await seatLongest();
  const { page } = await app.openAt('waiter', manager, { ...looks['at-195'], locale: 'pt-BR' });
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'looks', ...withoutAxe });
  for (const [to, content, opened] of [
    ['ready', '.waiter-card'],
    ['order', '.waiter-table-choice'],
    ['tables/Nowhere-9', '.waiter-page-head'],
    ['tables', '.waiter-tables a'],
    [`tables/${table}`, '.waiter-order'],
    [`bill/${bill}`, '.bill-line'],
    [`bill/${bill}`, '.bill-line-discount', 'discount'],
    [`bill/${bill}`, '.bill-payment button', 'refund'],
    [`bill/${bill}/pay`, '.pay-methods'],
    [`bill/${bill}/pay`, '.pay-methods button', 'cash'],
  ] as const) {
    await app.goTo(page, `waiter/${to}`);
    await page.locator(content).first().waitFor();
    if (opened !== undefined) await page.locator(content).first().click();
    await check(opened ?? to.replaceAll('/', '-'));
  }
  await page.locator('.pay-cash input').fill('99999999');
  await page.locator('.pay-ways .chip').nth(1).click();
  await check('shares');
  await app.setOrder(id, 'delivered'); // what is paid in part cannot be cancelled
  expect(found).toEqual([]);
});

test('when the system chooses the colours, then what a table wants, its bill and their buttons have an edge', async () => {
  const { id, bill_id: bill } = await seatLongest();
  const { page } = await app.openAt('waiter', waiter, { ...phone, forcedColors: 'active' });
  const edges = page.locator('.waiter-call, .waiter-call-buttons button');
  await edges.first().waitFor();
  await app.setOrder(id, 'delivered');
  const widthsOf = (all: Locator): Promise<string[]> =>
    all.evaluateAll((each) => each.map((one) => getComputedStyle(one).borderTopWidth));
  expect(await widthsOf(edges)).not.toContain('0px');
  await app.goTo(page, `waiter/bill/${bill}`);
  await page.locator('.bill-end').waitFor();
  expect(await widthsOf(page.locator('.waiter-panel, .bill-end'))).not.toContain('0px');
});

test('when an order is refused in the dark, then the request id is as easy to read as the rest', async () => {
  const { page, context } = await app.openAt(`waiter/order/${table}`, waiter, { ...phone, colorScheme: 'dark' });
  expectErrors(page, /status of 403 .*\/orders$/);
  const refusal = {
    status: 403,
    contentType: 'application/problem+json',
    body: JSON.stringify({ code: 'forbidden', request_id: '0197f3a0-5f0e-7c3a-9d6e-3f6a1c2b4d5e' }),
  };
  await context.route('**/orders', (route) =>
    route.request().method() === 'POST' ? route.fulfill(refusal) : route.fallback(),
  );
  await press(page, 'Add Feijoada');
  await sendOrder(page);
  const strip = page.locator('.waiter-not-sent');
  const colorOf = (element: Locator): Promise<string> => element.evaluate((each) => getComputedStyle(each).color);
  expect(await colorOf(strip.locator('.request-id'))).toBe(await colorOf(strip));
});

test.each(['waiter/ready', 'manager/menu'])(
  'when the menu of the app is opened at %s on a phone at 200 %, then all of it is in view',
  async (at) => {
    const { page } = await openManager(app, 'menu', looks['at-195']);
    await app.goTo(page, at);
    await press(page, 'Menu');
    const list = await page.locator('.app-menu-list').boundingBox();
    expect(list?.x).toBeGreaterThanOrEqual(0);
    expect((list?.x ?? 0) + (list?.width ?? 195)).toBeLessThanOrEqual(195);
  },
);

test('when dish, category and sum are as long as they may be, then a manager’s pages show all of them', async () => {
  const { id } = await placeLongest();
  await app.setOrder(id, 'cancelled');
  await placeLongest();
  const { page } = await openManager(app, 'evening', { ...looks['at-195'], locale: 'pt-BR' });
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'looks', ...withoutAxe });
  for (const [to, content] of [
    ['evening', '.evening-table a'],
    ['menu', '.menu-row'],
    [`menu/${await idOf(longWord)}`, '.dish-form'],
    ['people', '.person'],
    ['screens', 'tbody td'],
    ['audit', 'tbody td'],
  ] as const) {
    await app.goTo(page, `manager/${to}`);
    await page.locator(`.manager-main ${content}`).first().waitFor();
    await check(to.replaceAll('/', '-'));
  }
  expect(found).toEqual([]);
});

test.each(['en-US', 'pt-BR'])('when a shift starts on a tablet in %s, then its button is in view', async (locale) => {
  const { page } = await app.open({ viewport: { width: 1024, height: 768 }, locale });
  await app.shoot(page, `looks-start-${locale}`);
  const button = await page.locator('button.shift-start').boundingBox();
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(768);
});

test('when a shift starts on any screen, then all of it fits, and the form of a station with the longest dish too', async () => {
  const { page } = await app.openAt('board', manager, { ...looks['at-195'], locale: 'pt-BR' });
  await page.locator('.shift-check').nth(4).waitFor();
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'looks', ...withoutAxe });
  await check('start');
  await press(page, 'Cozinha');
  await press(page, 'Toques e limites desta praça');
  await page.locator('.station-form-dish').first().waitFor();
  await check('station-form');
  expect(found).toEqual([]);
});

test('when the board is opened on a phone, then its tools, its drawers and each word in them are whole', async () => {
  const phones = { 'at-195': looks['at-195'], small: looks.small };
  const { page } = await app.startShift({ ...looks['at-195'], locale: 'pt-BR' });
  const { check, found } = checkScreens(page, { looks: phones, shoot: app.shoot, name: 'looks', ...withoutAxe });
  await page.locator('.board-empty h2').waitFor();
  await check('board-empty');
  await app.place('7', [{ name: longWord, quantity: 99 }, 'Feijoada']);
  await page.locator('.ticket').first().waitFor();
  const spoken = page.locator('.board > [role=status]');
  await spoken.getByText('1 pedido novo').waitFor({ state: 'attached' });
  const choose = async (language: string): Promise<void> => {
    await page.locator('.app-menu > .tool-icon').click();
    await press(page, language);
  };
  await choose('English');
  await page.getByRole('button', { name: 'All-day' }).waitFor();
  expect(await spoken.textContent()).toBe('');
  await choose('Português');
  for (const name of ['Totais', 'Esgotados']) {
    await press(page, name);
    await page.locator('.drawer :is(.all-day, .dishes)').waitFor();
    await check(name);
    await page.keyboard.press('Escape');
  }
  await app.manager('PUT', '/ordering', { body: { paused_until: new Date(Date.now() + 600_000).toISOString() } });
  await says(page, /^Clientes não podem pedir até /);
  await check('paused');
  await app.manager('PUT', '/ordering', { body: {} });
  expect(found).toEqual([]);
});

test('when a shift starts on a wall of 4K, then its button is as large as on one of 1080 lines', async () => {
  const { page } = await app.open();
  const widthAt = async (width: number, height: number): Promise<number> => {
    await page.setViewportSize({ width, height });
    await app.shoot(page, `looks-start-${width}`);
    return (await page.locator('button.shift-start').boundingBox())?.width ?? 0;
  };
  const small = await widthAt(1_920, 1_080);
  expect((await widthAt(3_840, 2_160)) / small).toBeCloseTo(2, 1);
});

describe('the picture of a dish', () => {
  const chooser = (page: Page, label = 'Upload a picture'): Locator => page.getByLabel(label);
  const shapeOf = (element: Locator): Promise<number> =>
    element.evaluate((each) => each.clientWidth / each.clientHeight);

  test('when a manager looks at the form, then the picture has the shapes that a guest’s phone shows', async () => {
    const { page } = await openManager(app, `menu/${await idOf('Feijoada')}`);
    await page.locator('.dish-form').waitFor();
    const guest = await page.context().newPage();
    await guest.setViewportSize(phone.viewport);
    await guest.goto(app.url);
    const row = guest.getByRole('article', { name: 'Feijoada', exact: true });

    expect(await shapeOf(page.locator('.picture-field-as-row > span'))).toBeCloseTo(
      await shapeOf(row.locator('.dish-image')),
      1,
    );
    await row.getByRole('link', { name: 'Feijoada' }).click();
    expect(await shapeOf(page.locator('.picture-field-as-page > span'))).toBeCloseTo(
      await shapeOf(guest.locator('.dish-hero')),
      1,
    );
  });

  test('when the picture of a form is not stored any more, then saving says so at the picture, until there is another', async () => {
    const { page } = await openManager(app, `menu/${await idOf('Feijoada')}`);
    expectErrors(page, /status of 404 .*\/menu-pictures\//);
    expectErrors(page, /status of 422 .*\/menu\/\d+$/);
    await page.getByLabel('Address of the picture').fill(`/menu-pictures/${'0'.repeat(64)}`);
    await press(page, 'Save');

    await says(page.getByRole('group', { name: 'Picture' }), /This picture is not stored any more/);
    await page.locator('input[type=file]:focus').waitFor();
    await app.shoot(page, 'looks-picture-gone');
    await press(page, 'Remove the picture');
    await page.getByText(/This picture is not stored any more/).waitFor({ state: 'detached' });
  });

  test.each([
    { locale: 'en-US', label: 'Upload a picture', refusal: /This is a HEIC photo.*save it as a JPEG/ },
    { locale: 'pt-BR', label: 'Enviar uma imagem', refusal: /Esta é uma foto HEIC.*salve-a antes como JPEG/ },
  ])(
    'when a HEIC photograph is chosen in $locale, then it is not sent, and the field says what to do',
    async (each) => {
      const { page } = await openManager(app, `menu/${await idOf('Feijoada')}`, { locale: each.locale });
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      const buffer = Buffer.from('....ftypheic');
      // Some systems do not know the type, and say nothing.
      for (const mimeType of ['image/heic', 'application/octet-stream']) {
        await chooser(page, each.label).setInputFiles({ name: 'IMG_2041.HEIC', mimeType, buffer });
        await says(page.getByRole('alert'), each.refusal);
      }

      expect(sent.filter((url) => url.endsWith('/menu-pictures'))).toEqual([]);
      // Safari makes a JPEG of it only if HEIC is not accepted.
      expect(await chooser(page, each.label).getAttribute('accept')).toBe('image/jpeg,image/png,image/webp,image/avif');
    },
  );
});
