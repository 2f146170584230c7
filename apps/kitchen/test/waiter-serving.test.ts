import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { checkScreens } from '@comanda/testing/page-checks';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { phone, press, says, smallPhone, tapTwice } from './support/page.ts';
import { answerEarlier, card, tablesOf } from './support/waiter-page.ts';

let app: KitchenApp;
let at: ReturnType<typeof tablesOf>;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('waiter-serving', { SEATING_OPENED_BY: 'staff' });
  at = tablesOf(app);
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

describe('what is ready', () => {
  test('when dishes are ready, then the table says for how long and how many, and "Served" delivers them', async () => {
    const [table, other] = [await at.newTable(), await at.newTable()];
    const order = await app.place(table, [
      { name: 'Feijoada', quantity: 2 },
      { name: 'Picanha na brasa', quantity: 7 },
    ]);
    const later = await app.place(other, ['Pudim de leite', { name: 'Água com gás', remarks: 'sem gelo' }]);
    await at.seen(order, later);
    await at.makeReady(order, 0);
    await at.makeReady(later, 0);
    await at.makeReady(later, 1);
    const { page } = await app.openAt('waiter', waiter, phone);
    await page.getByRole('status', { name: 'Live feed' }).getByText('Live', { exact: true }).waitFor();
    await says(card(page, table), /^Waiting \d:\d\d$/);
    await says(card(page, table), '7 not begun');
    await says(card(page, other), 'sem gelo');
    const names = await page.locator('.waiter-card').evaluateAll((all) => all.map((each) => each.ariaLabel));
    expect(names).toEqual([`Table ${table}`, `Table ${other}`]);

    await press(card(page, other), 'Mark served: 1 Água com gás sem gelo');
    await page.waitForTimeout(500); // sooner it would be a double tap: the button has moved to where the dish was
    await press(card(page, other), `Mark 1 served, Table ${other}`);
    await press(card(page, table), `Mark 2 served, Table ${table}`);
    await card(page, table).waitFor({ state: 'detached' });
    await until(async () => (await app.order(order.id)).items[0].status === 'delivered', { what: 'the dish, served' });
    await until(async () => (await app.order(later.id)).status === 'delivered', { what: 'the order, served' });
    expect((await app.order(order.id)).items[1].status).toBe('received');
  });

  test('when a dish or a table is tapped twice, then the one that slides under the finger is not served', async () => {
    const orders: Order[] = [];
    for (let index = 0; index < 2; index++) {
      const order = await app.place(await at.newTable(), ['Feijoada', 'Pudim de leite']);
      await at.seen(order);
      for (const item of [0, 1]) await at.makeReady(order, item);
      orders.push(order);
    }
    const [first, second] = orders;
    const { page } = await app.openAt('waiter', waiter, phone);
    await card(page, second.table).waitFor();
    await tapTwice(
      card(page, first.table)
        .getByRole('button', { name: /^Mark served:/ })
        .first(),
    );
    await card(page, first.table)
      .getByRole('button', { name: /^Mark 1 served/ })
      .waitFor();
    await tapTwice(card(page, first.table).getByRole('button', { name: /^Mark 1 served/ }));
    await card(page, first.table).waitFor({ state: 'detached' });
    await card(page, second.table)
      .getByRole('button', { name: /^Mark 2 served/ })
      .waitFor();
  });

  test("when dishes wait for three minutes by the server's time, then the table is amber", async () => {
    const table = await at.newTable();
    const order = await app.place(table, ['Feijoada']);
    await at.seen(order);
    await at.makeReady(order, 0);
    // The clock of this phone is ten minutes behind.
    const { page, context } = await app.openAt('board', waiter, phone);
    await page.locator('button.shift-start').waitFor();
    await context.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() - 600_000;
    });
    await app.goTo(page, 'waiter');
    await page.reload();
    await says(card(page, table), /^Waiting 0:\d\d$/);
    await context.route('**/orders/*/history', (route) => answerEarlier(route, 185_000));
    await page.reload();
    await says(card(page, table), /^Ready, waiting 3:\d\d$/);
  });

  test('when a tap was a mistake, then Undo brings the dish back', async () => {
    const table = await at.newTable();
    const order = await app.place(table, ['Feijoada']);
    await at.seen(order);
    await at.makeReady(order, 0);
    const { page } = await app.openAt('waiter', waiter, phone);
    await press(card(page, table), /^Mark 1 served/);
    await until(async () => (await app.order(order.id)).status === 'delivered', { what: 'the dish, served' });
    await press(page, 'Undo');
    await until(async () => (await app.order(order.id)).status === 'ready', { what: 'the dish, ready again' });
    await card(page, table)
      .getByRole('button', { name: /^Mark 1 served/ })
      .waitFor();
  });

  test('when a station has not shown an order for 20 s, then it is an alarm until somebody is told, or a screen shows it', async () => {
    const [table, other] = [await at.newTable(), await at.newTable()];
    const [order, shown] = [await app.place(table, ['Feijoada', 'Caipirinha']), await app.place(other, ['Feijoada'])];
    // The kitchen has shown its dish, which is on the table; the bar knows nothing of the drink.
    const report = { order_ids: [order.id], device: 'kitchen-1', stations: ['kitchen'] };
    await app.manager('POST', '/orders/seen', { body: report });
    for (const status of ['preparing', 'ready', 'delivered']) await app.setItem(order, 0, status);
    const { page, context } = await app.openAt('waiter', waiter, phone);
    const alarmOf = ({ ticket }: Order, name: string) =>
      page.getByRole('region', { name: `Table ${name}, order #${ticket}`, exact: true });
    await says(page, 'In the kitchen');
    expect(await page.locator('.waiter-alarm').count()).toBe(0);
    await context.route('**/orders?*', (route) => answerEarlier(route, 25_000));
    await page.reload();
    const strip = page.getByRole('button', { name: /^2 orders not seen yet, oldest 0:\d\d$/ });
    await strip.waitFor();
    expect(await page.locator('.waiter-alarm').count()).toBe(0);
    await strip.click();
    await says(alarmOf(order, table), /^No bar screen shows it yet\. 0:\d\d$/);
    await tapTwice(alarmOf(order, table).getByRole('button'));
    await alarmOf(order, table).waitFor({ state: 'detached' });
    await says(alarmOf(shown, other), 'No kitchen screen shows it yet.');
    await at.seen(shown);
    await alarmOf(shown, other).waitFor({ state: 'detached' });
  });
});

test.each([
  ['en-US', 'light'],
  ['pt-BR', 'dark'],
] as const)(
  'when orders stand on no screen and tables call (%s), then the ready food is in view all the same',
  async (locale, colorScheme) => {
    const looks = { [colorScheme]: { ...smallPhone, colorScheme } };
    const tables = await Promise.all(Array.from({ length: 4 }, () => at.newTable()));
    const [table = '', ...others] = tables;
    const order = await app.place(table, ['Feijoada', 'Risoto de cogumelos']);
    await at.seen(order);
    await at.makeReady(order, 0);
    await at.makeReady(order, 1);
    for (const other of others) {
      await app.place(other, ['Picanha na brasa'], 'amendoim');
      const { seating } = (await app.manager('POST', `/tables/${other}/open`)).body;
      created(await app.manager('POST', '/calls', { body: { kind: 'bill', method: 'card', table: other, seating } }));
    }
    const { page, context } = await app.openAt('waiter', waiter, { ...smallPhone, colorScheme, locale });
    await page.locator('.waiter-card').waitFor();
    await context.route('**/orders?*', (route) => answerEarlier(route, 25_000));
    await page.reload();
    await page.locator('.fold-strip-alarm').waitFor();
    await page.locator('.fold-strip-call').waitFor();
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'waiter-busy' });
    await check('folded');
    const served = await page.locator('.waiter-card .waiter-served').first().boundingBox();
    const main = await page.locator('.waiter-main').boundingBox();
    expect((served?.y ?? 0) + (served?.height ?? 0)).toBeLessThanOrEqual((main?.y ?? 0) + (main?.height ?? 0));
    for (const strip of ['.fold-strip-alarm', '.fold-strip-call']) await page.locator(strip).click();
    expect(await page.locator('.waiter-call').count()).toBe(3);
    expect(await page.locator('.waiter-alarm').count()).toBe(3);
    await check('unfolded');
    expect(found).toEqual([]);
    for (const other of others) await app.manager('POST', `/tables/${other}/close`); // its call ends
  },
);

test('when a page is opened from the keyboard, then the focus is on its heading', async () => {
  const table = await at.newTable();
  const { page } = await app.openAt('waiter', waiter, phone);
  const heading = (name: string) =>
    page.getByRole('heading', { name, level: 1, exact: true }).and(page.locator(':focus'));
  await page.getByRole('link', { name: 'Tables' }).press('Enter');
  await heading('Tables').waitFor();
  await page.locator(`a[href="#/waiter/tables/${table}"]`).press('Enter');
  await heading(`Table ${table}`).waitFor();
  await page.getByRole('link', { name: 'New order' }).press('Enter');
  await page.getByRole('searchbox', { name: 'Search a dish' }).waitFor();
  await heading(`Table ${table}`).waitFor();
});

test('when an order names an allergy, then the waiter reads it where it is ready and at the table', async () => {
  const table = await at.newTable();
  const order = await app.place(table, ['Feijoada'], 'amendoim');
  const { page } = await app.openAt('waiter', waiter, phone);
  const allergy = page.getByText(`ALLERGY, order #${order.ticket}: amendoim`);
  await says(page, 'In the kitchen');
  await allergy.waitFor();
  await at.makeReady(order, 0);
  await card(page, table).locator(allergy).waitFor();
  await app.goTo(page, `waiter/tables/${table}`);
  await page
    .getByRole('article', { name: `Order #${order.ticket}` })
    .locator(allergy)
    .waitFor();
});

test('when something was done, then the notice covers no button and hides by itself', async () => {
  const table = await at.newTable();
  const { page } = await app.openAt(`waiter/tables/${table}`, waiter, smallPhone);
  await press(page, 'Open table');
  const notice = page.getByText(`Table ${table} is open.`);
  await notice.waitFor();
  const [main, bar] = [await page.locator('.waiter-main').boundingBox(), await notice.boundingBox()];
  expect((main?.y ?? 0) + (main?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  await notice.waitFor({ state: 'detached' });
});

test('when every screen is visited, then axe finds nothing, and all of it fits', async () => {
  const looks = { small: { ...smallPhone, colorScheme: 'light' }, dark: { ...phone, colorScheme: 'dark' } } as const;
  const table = await at.newTable();
  await app.manager('POST', `/tables/${table}/open`);
  const lines = [{ name: 'Risoto de cogumelos', quantity: 2, remarks: 'um sem parmesão' }, 'Chope claro 300 ml'];
  const order = await app.place(table, lines, 'amendoim, muito');
  await at.makeReady(order, 0);
  const { page } = await app.openAt('waiter', waiter, { ...looks.small, locale: 'pt-BR' });
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'waiter' });
  await page.locator('.waiter-card').first().waitFor();
  await check('ready');
  await app.goTo(page, 'waiter/tables');
  await page.locator('.waiter-tables a').first().waitFor();
  await check('tables');
  await app.goTo(page, `waiter/tables/${table}`);
  await page.locator('.waiter-order button').first().click();
  await check('move');
  await page.locator('.waiter-actions button').click();
  await check('close');
  await app.goTo(page, 'waiter/order');
  await page.locator('.waiter-table-choice').waitFor();
  await check('which-table');
  await app.goTo(page, `waiter/order/${table}`);
  await page.locator('.waiter-dish .icon-button').first().click();
  await check('dishes');
  await page.locator('.waiter-review-bar').click();
  await page.locator('.waiter-review-line').waitFor();
  await page.locator('.waiter-main > .field textarea').fill('gluten, leite, ovo');
  await check('review');
  expect(found).toEqual([]);
});
