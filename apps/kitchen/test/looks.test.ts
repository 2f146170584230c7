/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { brokenWordsOf, checkScreens, overflowOf } from '@comanda/testing/page-checks';
import type { Locator, Page } from 'playwright-core';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says } from './support/page.ts';

let app: KitchenApp;
const longWord = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesschnitzel';
const table = 'Varanda-Norte-12';
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

const looks = {
  'at-195': { viewport: { width: 195, height: 844 } },
  small: { viewport: { width: 320, height: 640 } },
  phone,
  tablet: { viewport: { width: 768, height: 1024 } },
  desk: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
} as const;
const idOf = async (name: string): Promise<number> =>
  ((await app.manager('GET', '/menu')).body as Order[]).find((dish) => dish.name === name).id;
/** What is cut or broken: of the page, and of what scrolls in it. */
async function faultsOf(page: Page): Promise<string[]> {
  const inside = await page.evaluate(() =>
    [...document.querySelectorAll('main, form, .manager-scroll')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1)
      .map((each) => `cut: ${each.tagName} ${each.className}`),
  );
  return [...(await brokenWordsOf(page)), ...inside, ...((await overflowOf(page)) > 0 ? ['it scrolls sideways'] : [])];
}
const withoutAxe = { measure: faultsOf, examine: async () => [] };
/** The longest table, dish, quantity and sum. */
async function placeLongest(): Promise<Order> {
  const order = await app.place(table, [{ name: longWord, quantity: 99, remarks: 'sem cebola' }, 'Moqueca de peixe']);
  await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device: 'kitchen-1' } });
  for (const item of [0, 1]) for (const status of ['preparing', 'ready']) await app.setItem(order, item, status);
  return order;
}

test('when the sum of a table is as long as it may be, then a waiter reads each amount and each short word in one line', async () => {
  const order = await placeLongest();
  const { page } = await app.openAt('waiter', waiter, looks['at-195']);
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'looks', ...withoutAxe });
  for (const [to, content] of [
    ['ready', '.waiter-card'],
    ['tables', '.waiter-tables a'],
    [`tables/${table}`, '.waiter-order'],
    [`bill/${order.bill_id}`, '.bill-line'],
    [`bill/${order.bill_id}/pay`, '.pay-methods'],
  ] as const) {
    await app.goTo(page, `waiter/${to}`);
    await page.locator(content).first().waitFor();
    await check(to.replaceAll('/', '-'));
  }
  await press(page, 'Cash');
  await check('cash');
  expect(found).toEqual([]);
}, 60_000);

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
  await placeLongest();
  const { page } = await openManager(app, 'evening', looks['at-195']);
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'looks', ...withoutAxe });
  for (const [to, content] of [
    ['evening', '.evening-table a'],
    ['menu', '.menu-row'],
    [`menu/${await idOf(longWord)}`, '.dish-form'],
    ['people', '.person'],
    ['audit', 'tbody td'],
  ] as const) {
    await app.goTo(page, `manager/${to}`);
    await page.locator(`.manager-main ${content}`).first().waitFor();
    await check(to.replaceAll('/', '-'));
  }
  expect(found).toEqual([]);
}, 60_000);

test.each(['en-US', 'pt-BR'])('when a shift starts on a tablet in %s, then its button is in view', async (locale) => {
  const { page } = await app.open({ viewport: { width: 1024, height: 768 }, locale });
  await app.shoot(page, `looks-start-${locale}`);
  const button = await page.locator('button.shift-start').boundingBox();
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(768);
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
