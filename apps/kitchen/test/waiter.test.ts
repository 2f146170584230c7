import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { overflowOf, smallTargetsOf, tabTo, violationsOf } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { startKitchenApp, waiter } from './support/kitchen-app.ts';
import type { KitchenApp, Order } from './support/kitchen-app.ts';

let app: KitchenApp;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('waiter', { SEATING_OPENED_BY: 'staff' });
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const phone = { viewport: { width: 390, height: 844 } };
const small = { viewport: { width: 360, height: 640 } };
let tables = 100;
/** A table that no other test uses. */
async function newTable(): Promise<string> {
  const table = String(++tables);
  await app.manager('PUT', `/tables/${table}`);
  return table;
}
const ordersOf = async (table: string): Promise<Order[]> =>
  (await app.manager('GET', `/orders?table=${table}&sort=created_at`)).body as Order[];
const tableOf = async (name: string): Promise<Order> =>
  ((await app.manager('GET', '/tables')).body as Order[]).find(({ table }: Order) => table === name);
const seen = (...orders: Order[]): Promise<unknown> =>
  app.manager('POST', '/orders/seen', { body: { order_ids: orders.map(({ id }) => id), device: 'kitchen-1' } });
async function makeReady(order: Order, item: number): Promise<void> {
  await app.setItem(order, item, 'preparing');
  await app.setItem(order, item, 'ready');
}
const card = (page: Page, table: string) => page.getByRole('article', { name: `Table ${table}`, exact: true });
const openPage = (page: Page, at: string): Promise<unknown> => page.goto(`${app.url}/kitchen#/${at}`);
const addDish = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name: `Add ${name}`, exact: true }).click();
async function sendOrder(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Review, / }).click();
  await page.getByRole('button', { name: 'Send to kitchen' }).click();
}
/** Only the browser knows the name that is not localhost. */
const reachable = (route: Route): string => route.request().url().replace('comanda.test', '127.0.0.1');
/** Answers as if all of it had happened earlier: nobody sleeps in a test. */
async function answerEarlier(route: Route, ms: number): Promise<void> {
  const answer = await route.fetch({ url: reachable(route) });
  const text = (await answer.text()).replaceAll(
    /"(at|created_at|updated_at)":"([^"]+)"/g,
    (_match, key: string, at: string) => `"${key}":"${new Date(Date.parse(at) - ms).toISOString()}"`,
  );
  await route.fulfill({ response: answer, body: text });
}
/** Orders arrive at the server, and their answers get lost until `stop` is called. `keys`: of all tries. */
async function loseAnswers(context: BrowserContext) {
  const lost = { keys: [] as string[], isLosing: true };
  await context.route('**/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    lost.keys.push((await route.request().headerValue('idempotency-key')) ?? '');
    if (!lost.isLosing) return route.continue();
    await route.fetch({ url: reachable(route) });
    return route.abort();
  });
  return { keys: lost.keys, stop: () => (lost.isLosing = false) };
}

describe('what is ready', () => {
  test('when dishes are ready, then the table says for how long and how many, and "Served" delivers them', async () => {
    const [table, other] = [await newTable(), await newTable()];
    const order = await app.place(table, [
      { name: 'Feijoada', quantity: 2 },
      { name: 'Picanha na brasa', quantity: 7 },
    ]);
    const later = await app.place(other, ['Pudim de leite', { name: 'Água com gás', remarks: 'sem gelo' }]);
    await seen(order, later);
    await makeReady(order, 0);
    await makeReady(later, 0);
    await makeReady(later, 1);
    const { page, errors } = await app.openAt('waiter', waiter, phone);
    await page.getByRole('status', { name: 'Live feed' }).getByText('Live', { exact: true }).waitFor();
    await card(page, table)
      .getByText(/^Waiting \d:\d\d$/)
      .waitFor();
    await card(page, table).getByText('7 not begun').waitFor();
    await card(page, other).getByText('sem gelo').waitFor();
    const names = await page.locator('.waiter-card').evaluateAll((all) => all.map((each) => each.ariaLabel));
    expect(names).toEqual([`Table ${table}`, `Table ${other}`]);

    await card(page, other).getByRole('button', { name: 'Mark served: 1 Água com gás sem gelo' }).click();
    await card(page, other)
      .getByRole('button', { name: `Mark 1 served, Table ${other}` })
      .click();
    await card(page, table)
      .getByRole('button', { name: `Mark 2 served, Table ${table}` })
      .click();
    await card(page, table).waitFor({ state: 'detached' });
    await until(async () => (await app.order(order.id)).items[0].status === 'delivered', { what: 'the dish, served' });
    await until(async () => (await app.order(later.id)).status === 'delivered', { what: 'the order, served' });
    expect((await app.order(order.id)).items[1].status).toBe('received');
    expect(errors).toEqual([]);
  });

  test("when dishes wait for three minutes by the server's time, then the table is amber", async () => {
    const table = await newTable();
    const order = await app.place(table, ['Feijoada']);
    await seen(order);
    await makeReady(order, 0);
    // The clock of this phone is ten minutes behind.
    const { page, context } = await app.openAt('board', waiter, phone);
    await page.locator('button.shift-start').waitFor();
    await context.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() - 600_000;
    });
    await openPage(page, 'waiter');
    await page.reload();
    await card(page, table)
      .getByText(/^Waiting 0:\d\d$/)
      .waitFor();
    await context.route('**/orders/*/history', (route) => answerEarlier(route, 185_000));
    await page.reload();
    await card(page, table)
      .getByText(/^Ready, waiting 3:\d\d$/)
      .waitFor();
  });

  test('when a tap was a mistake, then Undo brings the dish back', async () => {
    const table = await newTable();
    const order = await app.place(table, ['Feijoada']);
    await seen(order);
    await makeReady(order, 0);
    const { page } = await app.openAt('waiter', waiter, phone);
    await card(page, table)
      .getByRole('button', { name: /^Mark 1 served/ })
      .click();
    await until(async () => (await app.order(order.id)).status === 'delivered', { what: 'the dish, served' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await app.order(order.id)).status === 'ready', { what: 'the dish, ready again' });
    await card(page, table)
      .getByRole('button', { name: /^Mark 1 served/ })
      .waitFor();
  });

  test('when the network is down, then what was served is kept over a reload, and sent once', async () => {
    const table = await newTable();
    const order = await app.place(table, ['Feijoada']);
    await seen(order);
    await makeReady(order, 0);
    const { page, context } = await app.openAt('waiter', waiter, phone);
    await card(page, table).waitFor();
    await context.route('**/orders/**', (route) => route.abort());
    await card(page, table)
      .getByRole('button', { name: /^Mark 1 served/ })
      .click();
    await card(page, table).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Nothing is ready.').waitFor();
    expect((await app.order(order.id)).status).toBe('ready');
    await context.unroute('**/orders/**');
    await until(async () => (await app.order(order.id)).status === 'delivered', { what: 'the dish, served' });
    const history = (await app.manager('GET', `/orders/${order.id}/history`)).body as Order[];
    expect(history.filter(({ to, item_id: item }: Order) => to === 'delivered' && item === undefined)).toHaveLength(1);
  });

  test('when no screen has shown an order for 20 s, then it is an alarm until somebody is told, or a screen shows it', async () => {
    const [table, other] = [await newTable(), await newTable()];
    const [order, shown] = [await app.place(table, ['Caipirinha']), await app.place(other, ['Feijoada'])];
    const { page, context } = await app.openAt('waiter', waiter, phone);
    const alarmOf = ({ ticket }: Order, name: string) =>
      page.getByRole('region', { name: `Table ${name}, order #${ticket}`, exact: true });
    await page.getByText('In the kitchen').waitFor();
    expect(await page.locator('.waiter-alarm').count()).toBe(0);
    await context.route('**/orders?*', (route) => answerEarlier(route, 25_000));
    await page.reload();
    await alarmOf(order, table)
      .getByText(/^No bar screen shows it yet\. 0:\d\d$/)
      .waitFor();
    await alarmOf(order, table).getByRole('button', { name: 'Told the bar' }).click();
    await alarmOf(order, table).waitFor({ state: 'detached' });
    await alarmOf(shown, other).getByText('No kitchen screen shows it yet.').waitFor();
    await seen(shown);
    await alarmOf(shown, other).waitFor({ state: 'detached' });
  });
});

test('when an order names an allergy, then the waiter reads it where it is ready and at the table', async () => {
  const table = await newTable();
  const order = await app.place(table, ['Feijoada'], 'amendoim');
  const { page } = await app.openAt('waiter', waiter, phone);
  const allergy = page.getByText(`ALLERGY, order #${order.ticket}: amendoim`);
  await page.getByText('In the kitchen').waitFor();
  await allergy.waitFor();
  await makeReady(order, 0);
  await card(page, table).locator(allergy).waitFor();
  await openPage(page, `waiter/tables/${table}`);
  await page
    .getByRole('article', { name: `Order #${order.ticket}` })
    .locator(allergy)
    .waitFor();
});

test('when something was done, then the notice covers no button and hides by itself', async () => {
  const table = await newTable();
  const { page } = await app.openAt(`waiter/tables/${table}`, waiter, small);
  await page.getByRole('button', { name: 'Open table' }).click();
  const notice = page.getByText(`Table ${table} is open.`);
  await notice.waitFor();
  const [main, bar] = [await page.locator('.waiter-main').boundingBox(), await notice.boundingBox()];
  expect((main?.y ?? 0) + (main?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  await notice.waitFor({ state: 'detached', timeout: 8_000 });
});

describe('an order for a table', () => {
  test('when the typed allergy is in a chosen dish, then the review says so', async () => {
    const table = await newTable();
    const { page } = await app.openAt(`waiter/order/${table}`, waiter, phone);
    const cheeseBread = page.getByRole('listitem').filter({ hasText: 'Pão de queijo' });
    await cheeseBread.getByText(/^Contains .*milk/).waitFor();
    await addDish(page, 'Pão de queijo');
    await page.getByRole('link', { name: /^Review, / }).click();
    await page.getByLabel('Allergies of the guest').fill('amendoim');
    expect(await page.getByText('Pão de queijo contains milk.').count()).toBe(0);
    await page.getByLabel('Allergies of the guest').fill('Sem LACTOSE');
    await page.getByText('Pão de queijo contains milk.').waitFor();
  });

  test('when the first answer is lost, then the page says that it is not sent, and one order arrives, with its seating', async () => {
    const table = await newTable();
    const { page, context, errors } = await app.openAt('waiter/order', waiter, small);
    const lost = await loseAnswers(context);
    await page.getByRole('link', { name: `Table ${table}`, exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search a dish' }).fill('pao');
    await addDish(page, 'Pão de queijo');
    await page.getByRole('button', { name: 'One more' }).click();
    await page.getByRole('searchbox', { name: 'Search a dish' }).fill('');
    await addDish(page, 'Feijoada');
    await page.getByRole('link', { name: 'Review, 3 items, R$ 90.00' }).click();
    await page.getByLabel('Remarks for Feijoada').fill('sem pimenta');
    await page.getByLabel('Allergies of the guest').fill('amendoim');
    await page.getByRole('button', { name: 'Send to kitchen' }).click();
    await page.getByText(`Table ${table}: not sent yet.`).waitFor();
    await page.getByText('The kitchen has NOT got this.').waitFor();
    lost.stop();
    await page.getByText(/^Order #\d+ for table \d+ is sent\.$/).waitFor();
    const orders = await ordersOf(table);
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({
      seating: (await tableOf(table)).seating,
      allergies: 'amendoim',
      items: [
        { name: 'Pão de queijo', quantity: 2 },
        { name: 'Feijoada', quantity: 1, remarks: 'sem pimenta' },
      ],
    });
    expect(orders[0].seating).not.toBeNull();
    expect(lost.keys.length).toBeGreaterThan(1);
    expect(new Set(lost.keys).size).toBe(1);
    expect(errors).toEqual([]);
  });

  test('when the page is closed while an order has no answer, then the next page goes on with the same key, from the board too', async () => {
    const table = await newTable();
    const { page, context } = await app.openAt('waiter/order', waiter, phone);
    const lost = await loseAnswers(context);
    await openPage(page, `waiter/order/${table}`);
    await addDish(page, 'Feijoada');
    await sendOrder(page);
    await page.getByText(`Table ${table}: not sent yet.`).waitFor();
    await page.goto('about:blank');
    lost.stop();
    const answered = page.waitForResponse(
      (answer) => new URL(answer.url()).pathname === '/orders' && answer.request().method() === 'POST',
    );
    await openPage(page, 'board');
    expect(await (await answered).headerValue('idempotent-replayed')).toBe('true');
    expect(await ordersOf(table)).toHaveLength(1);
    expect(new Set(lost.keys).size).toBe(1);
  });

  test('when the server refuses it, then the page names the dish, and nothing typed is lost', async () => {
    const table = await newTable();
    const dish = ((await app.manager('GET', '/menu')).body as Order[]).find(
      ({ name }: Order) => name === 'Prato do dia',
    );
    const { page } = await app.openAt(`waiter/order/${table}`, waiter, phone);
    await addDish(page, 'Prato do dia');
    await page.getByRole('link', { name: /^Review, / }).click();
    await page.getByLabel('Remarks for Prato do dia').fill('pouco sal');
    await app.manager('PUT', `/menu/${dish.id}/availability`, { body: { available: false } });
    await page.getByRole('button', { name: 'Send to kitchen' }).click();
    await page.getByText('Prato do dia: sold out, or too few are left. Nothing was ordered.').waitFor();
    await page.getByRole('button', { name: 'Change it' }).click();
    expect(await page.getByLabel('Remarks for Prato do dia').inputValue()).toBe('pouco sal');
    await app.manager('PUT', `/menu/${dish.id}/availability`, { body: { available: true } });
  });
});

describe('a table', () => {
  test('when a waiter opens it, orders are moved to it and it is closed, then the server has done each, and the total is said', async () => {
    const [table, other] = [await newTable(), await newTable()];
    const { body: opened } = await app.manager('POST', `/tables/${other}/open`);
    const order = await app.place(table, ['Feijoada']);
    await seen(order);
    const { page, errors } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await page.getByRole('button', { name: 'Open with this order' }).click();
    await page.getByText(`Table ${table} is open.`).waitFor();
    expect((await tableOf(table)).seating).not.toBeNull();

    await page.getByRole('button', { name: `Move order #${order.ticket}` }).click();
    await page.getByRole('button', { name: `Table ${other}, seated`, exact: true }).click();
    await page.getByText(`Order #${order.ticket} is now at table ${other}.`).waitFor();
    expect(await app.order(order.id)).toMatchObject({ table: other, seating: opened.seating });

    await openPage(page, `waiter/tables/${other}`);
    await page.getByRole('article', { name: `Order #${order.ticket}` }).waitFor();
    await page.getByRole('button', { name: 'Close table' }).click();
    const asked = page.getByRole('group', { name: `Close table ${other}?` });
    await asked.getByText('Open total R$ 62.00.').waitFor();
    await asked.getByText('1 order is not served yet. The kitchen goes on with it. Close all the same?').waitFor();
    expect((await tableOf(other)).seating).not.toBeNull();
    await asked.getByRole('button', { name: 'Yes, close it' }).click();
    await page.getByText(`Table ${other} is closed.`).waitFor();
    expect((await tableOf(other)).seating).toBeNull();
    await page.getByRole('heading', { name: 'Of guests who are gone, still in the kitchen' }).waitFor();
    await page.getByRole('article', { name: `Order #${order.ticket}` }).waitFor();
    expect(errors).toEqual([]);
  });

  test('when an order is moved to a free table, then the table is opened and its bill has the order', async () => {
    const [table, other] = [await newTable(), await newTable()];
    const order = await app.place(table, ['Feijoada']);
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await page.getByRole('button', { name: `Move order #${order.ticket}` }).click();
    await page.getByRole('button', { name: `Table ${other}`, exact: true }).click();
    await page.getByText(`Order #${order.ticket} is now at table ${other}.`).waitFor();
    const { seating } = await tableOf(other);
    expect(seating).not.toBeNull();
    expect(await app.order(order.id)).toMatchObject({ table: other, seating });
  });

  test('when a table has orders and is not open, then opening it puts them on its bill, and it can be closed', async () => {
    const table = await newTable();
    const order = await app.place(table, ['Feijoada']);
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await page.getByRole('button', { name: 'Open with this order' }).click();
    await page.getByRole('button', { name: 'Close table' }).waitFor();
    expect((await app.order(order.id)).seating).toBe((await tableOf(table)).seating);
  });

  test('when staff open the seatings, then a guest joins only after "Open table"', async () => {
    const table = await newTable();
    const scan = async () => {
      const { table_token: token } = await tableOf(table);
      return (await app.stack.call('POST', '/auth/guest', { body: { table_token: token } })).status;
    };
    expect(await scan()).toBe(403);
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await page.getByRole('button', { name: 'Open table' }).click();
    await page.getByRole('button', { name: 'Close table' }).waitFor();
    expect(await scan()).toBe(200);
  });

  test('when the network is down, then closing says that there was no answer, and the table stays open here', async () => {
    const table = await newTable();
    await app.manager('POST', `/tables/${table}/open`);
    const { page, context } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await page.getByRole('button', { name: 'Close table' }).click();
    await context.route('**/tables/*/close', (route) => route.abort());
    await page.getByRole('button', { name: 'Yes, close it' }).click();
    await page.getByRole('alert').getByText('There is no connection.').waitFor();
    await page.getByRole('button', { name: 'Yes, close it' }).waitFor();
    expect((await tableOf(table)).seating).not.toBeNull();
  });
});

test.each([
  ['dark, 390 × 844', { ...phone, colorScheme: 'dark' }],
  ['light, 360 × 640, Portuguese', { ...small, colorScheme: 'light', locale: 'pt-BR' }],
] as const)('when every screen is visited (%s), then axe finds nothing, and all of it fits', async (name, options) => {
  const table = await newTable();
  await app.manager('POST', `/tables/${table}/open`);
  const lines = [{ name: 'Risoto de cogumelos', quantity: 2, remarks: 'um sem parmesão' }, 'Chope claro 300 ml'];
  const order = await app.place(table, lines, 'amendoim, muito');
  await makeReady(order, 0);
  const { page } = await app.openAt('waiter', waiter, options);
  const found: string[] = [];
  const check = async (screen: string): Promise<void> => {
    await app.shoot(page, `waiter-${name.slice(0, 4)}-${screen}`);
    const problems = [...(await violationsOf(page)), ...(await smallTargetsOf(page)).map((each) => `small: ${each}`)];
    const hidden = await page.locator('.waiter-main').evaluate((main) => main.scrollWidth - main.clientWidth);
    if ((await overflowOf(page)) + hidden > 0) problems.push('it scrolls sideways');
    found.push(...problems.map((problem) => `${screen}: ${problem}`));
  };
  await page.locator('.waiter-card').first().waitFor();
  await check('ready');
  await openPage(page, 'waiter/tables');
  await page.locator('.waiter-tables a').first().waitFor();
  await check('tables');
  await openPage(page, `waiter/tables/${table}`);
  await page.locator('.waiter-order button').first().click();
  await check('move');
  await page.locator('.waiter-actions button').click();
  await check('close');
  await openPage(page, 'waiter/order');
  await page.locator('.waiter-table-choice').waitFor();
  await check('which-table');
  await openPage(page, `waiter/order/${table}`);
  await page.locator('.waiter-dish .icon-button').first().click();
  await check('dishes');
  await page.locator('.waiter-review-bar').click();
  await page.locator('.waiter-review-line').waitFor();
  await page.locator('.waiter-main > .field input').fill('gluten, leite, ovo');
  await check('review');
  expect(found).toEqual([]);
});

test('when a waiter uses the keyboard only, then a dish is served and an order is sent', async () => {
  const table = await newTable();
  const order = await app.place(table, ['Feijoada']);
  await makeReady(order, 0);
  const { page } = await app.openAt('waiter', waiter, phone);
  await card(page, table).waitFor();
  await tabTo(page, new RegExp(`^Mark 1 served, Table ${table}$`));
  await page.keyboard.press('Enter');
  await until(async () => (await app.order(order.id)).status === 'delivered', { what: 'the dish, served' });
  await openPage(page, `waiter/order/${table}`);
  await page.getByRole('button', { name: 'Add Pudim de leite' }).waitFor();
  await tabTo(page, /^Add Pudim de leite$/);
  await page.keyboard.press('Space');
  await tabTo(page, /^Review, 1 item/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send to kitchen' }).waitFor();
  await tabTo(page, /^Send to kitchen$/);
  await page.keyboard.press('Enter');
  await until(async () => (await ordersOf(table)).length === 2, { what: 'the order, sent' });
});
