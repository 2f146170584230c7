import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { tabTo } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { phone, press, says, smallPhone } from './support/page.ts';
import { addDish, card, loseAnswers, sendOrder, tablesOf } from './support/waiter-page.ts';

let app: KitchenApp;
let at: ReturnType<typeof tablesOf>;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('waiter-orders', { SEATING_OPENED_BY: 'staff' });
  at = tablesOf(app);
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

describe('an order for a table', () => {
  test('when the typed allergy is in a chosen dish, then the review says so', async () => {
    const table = await at.newTable();
    const { page } = await app.openAt(`waiter/order/${table}`, waiter, phone);
    const cheeseBread = page.getByRole('listitem').filter({ hasText: 'Pão de queijo' });
    await cheeseBread.waitFor();
    // The list is short: allergens stand where somebody looks for a dish.
    expect(await cheeseBread.getByText(/^Contains/).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search a dish' }).fill('queijo');
    await says(cheeseBread, /^Contains .*milk/);
    await addDish(page, 'Pão de queijo');
    await page.getByRole('link', { name: /^Review, / }).click();
    await page.getByLabel('Allergies of the guest').fill('amendoim');
    expect(await page.getByText('Pão de queijo contains milk.').count()).toBe(0);
    await page.getByLabel('Allergies of the guest').fill('Sem LACTOSE');
    await says(page, 'Pão de queijo contains milk.');
  });

  test('when no table has the number, then the review says so before the order is sent; upper and lower case are one', async () => {
    await app.manager('PUT', '/tables/T9');
    const { page } = await app.openAt('waiter/order/no-such', waiter, phone);
    await addDish(page, 'Feijoada');
    await page.getByRole('link', { name: /^Review, / }).click();
    await says(page, /^There’s no table no-such in the list\./);
    expect(await page.getByText('The table is free').count()).toBe(0);
    await app.shoot(page, 'unknown-table');
    await press(page, 'Discard the order');
    await press(page, 'Yes, discard');
    await page.goto(`${new URL(page.url()).origin}/kitchen#/waiter/order/t9`);
    await addDish(page, 'Feijoada');
    await page.getByRole('link', { name: /^Review, / }).click();
    await says(page, 'Order for table T9');
  });

  test('when what was chosen is of another table, then it is taken for this one only if the waiter says so', async () => {
    const [first, second] = [await at.newTable(), await at.newTable()];
    const { page } = await app.openAt(`waiter/order/${first}`, waiter, phone);
    const open = (table: string) => page.goto(`${new URL(page.url()).origin}/kitchen#/waiter/order/${table}`);
    await addDish(page, 'Feijoada');
    await page.getByRole('link', { name: /^Review, / }).click();
    await page.getByLabel('Allergies of the guest').fill('amendoim');
    await open(second);
    await says(page, `This was chosen for table ${first}, and is not sent:`);
    await says(page, '1 Feijoada, amendoim');
    await app.shoot(page, 'draft-of-another-table');
    await page.getByRole('link', { name: `Back to table ${first}` }).click();
    await page.getByRole('link', { name: /^Review, 1 item/ }).waitFor();
    await open(second);
    await press(page, `Take it for table ${second}`);
    await page.getByRole('link', { name: /^Review, 1 item/ }).waitFor();
    await open(first);
    await press(page, 'Begin anew');
    await page.getByRole('searchbox', { name: 'Search a dish' }).waitFor();
    expect(await page.getByRole('link', { name: /^Review, / }).count()).toBe(0);
  });

  test('when the page is closed while an order has no answer, then the next page goes on with the same key, from the board too', async () => {
    const table = await at.newTable();
    const { page } = await app.openAt('waiter/order', waiter, phone);
    const lost = await loseAnswers(page);
    await app.goTo(page, `waiter/order/${table}`);
    await addDish(page, 'Feijoada');
    await sendOrder(page);
    await says(page, `Table ${table}: not sent yet.`);
    await page.goto('about:blank');
    lost.stop();
    const answered = page.waitForResponse(
      (answer) => new URL(answer.url()).pathname === '/orders' && answer.request().method() === 'POST',
    );
    await app.goTo(page, 'board');
    expect(await (await answered).headerValue('idempotent-replayed')).toBe('true');
    expect(await at.ordersOf(table)).toHaveLength(1);
    expect(new Set(lost.keys).size).toBe(1);
  });

  test('when the server refuses it, then the page names the dish, and nothing typed is lost, by a reload or by the order of the next table', async () => {
    const table = await at.newTable();
    const dish = ((await app.manager('GET', '/menu')).body as Order[]).find(
      ({ name }: Order) => name === 'Prato do dia',
    );
    const { page } = await app.openAt(`waiter/order/${table}`, waiter, phone);
    expectErrors(page, /status of 409 .*\/orders$/);
    await addDish(page, 'Prato do dia');
    await page.getByRole('link', { name: /^Review, / }).click();
    await page.getByLabel('Remarks for Prato do dia').fill('pouco sal');
    await app.manager('PUT', `/menu/${dish.id}/availability`, { body: { available: false } });
    await press(page, 'Send to kitchen');
    await says(page, 'Prato do dia: sold out, or too few are left. Nothing was ordered.');
    const next = await at.newTable();
    await app.goTo(page, `waiter/order/${next}`);
    await addDish(page, 'Feijoada');
    await page.reload();
    await says(page, 'Prato do dia: sold out, or too few are left. Nothing was ordered.');
    await says(page, 'To change it, first send or discard the order that you are taking.');
    expect(await page.getByRole('button', { name: 'Change it' }).count()).toBe(0);
    await sendOrder(page);
    await press(page, 'Change it');
    expect(await page.getByLabel('Remarks for Prato do dia').inputValue()).toBe('pouco sal');
    await until(async () => (await at.ordersOf(next)).length === 1, { what: 'the order of the next table' });
    await app.manager('PUT', `/menu/${dish.id}/availability`, { body: { available: true } });
  });
});

test.each([
  ['light', { ...smallPhone, colorScheme: 'light' as const }],
  ['dark', { ...phone, colorScheme: 'dark' as const, locale: 'pt-BR' }],
] as const)(
  'when a part of the menu is chosen (%s), then its dishes are in view, and the parts stay there',
  async (name, look) => {
    const { page } = await app.openAt(`waiter/order/${await at.newTable()}`, waiter, look);
    const parts = page.locator('.waiter-categories');
    await parts.waitFor();
    await app.shoot(page, `order-parts-${name}`);
    const rows = await page.locator('.waiter-dish').evaluateAll((all) => all.map((row) => row.clientHeight));
    expect(rows[0]).toBeLessThanOrEqual(58);
    const last = parts.getByRole('button').last();
    const title = await last.textContent();
    await last.click();
    const section = page.getByRole('region', { name: title ?? '', exact: true });
    const main = await page.locator('.waiter-main').boundingBox();
    const fits = async (): Promise<boolean> => {
      const [box, bar] = [await section.getByRole('heading').boundingBox(), await parts.boundingBox()];
      return (
        box !== null && bar !== null && box.y >= bar.y + bar.height && box.y < (main?.y ?? 0) + (main?.height ?? 0)
      );
    };
    await until(fits, { what: 'the part of the menu, in view' });
    await app.shoot(page, `order-part-${name}`);
  },
);

describe('a table', () => {
  test('when a waiter opens it, orders are moved to it and it is closed, then the server has done each, and the total is said', async () => {
    const [table, other] = [await at.newTable(), await at.newTable()];
    const { body: opened } = await app.manager('POST', `/tables/${other}/open`);
    const order = await app.place(table, ['Feijoada']);
    await at.seen(order);
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await press(page, 'Open with this order');
    await says(page, `Table ${table} is open.`);
    expect((await at.tableOf(table)).seating).not.toBeNull();

    await press(page, `Move order #${order.ticket}`);
    await press(page, `Table ${other}, seated`);
    await says(page, `Order #${order.ticket} is now at table ${other}.`);
    expect(await app.order(order.id)).toMatchObject({ table: other, seating: opened.seating });

    await app.goTo(page, `waiter/tables/${other}`);
    await page.getByRole('article', { name: `Order #${order.ticket}` }).waitFor();
    await press(page, 'Close table');
    const asked = page.getByRole('group', { name: `Close table ${other}?` });
    await says(asked, 'Open total R$ 62.00.');
    await says(asked, '1 order is not served yet. The kitchen goes on with it. Close all the same?');
    expect((await at.tableOf(other)).seating).not.toBeNull();
    await press(asked, 'Yes, close it');
    await says(page, `Table ${other} is closed.`);
    expect((await at.tableOf(other)).seating).toBeNull();
    await page.getByRole('heading', { name: 'Of guests who are gone, still in the kitchen' }).waitFor();
    await page.getByRole('article', { name: `Order #${order.ticket}` }).waitFor();
  });

  test('when a guest does not want a dish any more, then the waiter takes it off, after one question; served ones stay', async () => {
    const table = await at.newTable();
    const order = await app.place(table, [{ name: 'Feijoada', quantity: 2 }, 'Pudim de leite']);
    await at.makeReady(order, 1);
    await app.setItem(order, 1, 'delivered');
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, smallPhone);
    await press(page, 'Take Feijoada off');
    const asked = page.getByRole('group', { name: `Take 2 Feijoada off order #${order.ticket}?` });
    expect((await app.order(order.id)).items[0].status).toBe('received');
    await press(asked, 'Yes, take it off');
    await says(page, `Feijoada is off order #${order.ticket}. The kitchen sees it.`);
    expect((await app.order(order.id)).items.map(({ status }: Order) => status)).toEqual(['cancelled', 'delivered']);
    expect(await page.getByRole('button', { name: /^Take .* off$/ }).count()).toBe(0);
  });

  test('when an order is moved to a free table, then the table is opened and its bill has the order', async () => {
    const [table, other] = [await at.newTable(), await at.newTable()];
    const order = await app.place(table, ['Feijoada']);
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await press(page, `Move order #${order.ticket}`);
    await press(page, `Table ${other}`);
    await says(page, `Order #${order.ticket} is now at table ${other}.`);
    const { seating } = await at.tableOf(other);
    expect(seating).not.toBeNull();
    expect(await app.order(order.id)).toMatchObject({ table: other, seating });
  });

  test('when a table has orders and is not open, then opening it puts them on its bill, and it can be closed', async () => {
    const table = await at.newTable();
    const order = await app.place(table, ['Feijoada']);
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await press(page, 'Open with this order');
    await page.getByRole('button', { name: 'Close table' }).waitFor();
    const { seating } = await at.tableOf(table);
    await until(async () => (await app.order(order.id)).seating === seating, { what: 'the order on the bill' });
  });

  test('when staff open the seatings, then a guest joins only after "Open table"', async () => {
    const table = await at.newTable();
    const scan = async () => {
      const { table_token: token } = await at.tableOf(table);
      return (await app.stack.call('POST', '/auth/guest', { body: { table_token: token } })).status;
    };
    expect(await scan()).toBe(403);
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await press(page, 'Open table');
    await page.getByRole('button', { name: 'Close table' }).waitFor();
    expect(await scan()).toBe(200);
  });

  test('when the network is down, then closing says that there was no answer, and the table stays open here', async () => {
    const table = await at.newTable();
    await app.manager('POST', `/tables/${table}/open`);
    const { page, context } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
    await press(page, 'Close table');
    expectErrors(page, /net::ERR_FAILED .*\/close$/);
    await context.route('**/tables/*/close', (route) => route.abort());
    await press(page, 'Yes, close it');
    await page.getByRole('alert').getByText('No connection.').waitFor();
    await page.getByRole('button', { name: 'Yes, close it' }).waitFor();
    expect((await at.tableOf(table)).seating).not.toBeNull();
  });
});

test('when a waiter uses the keyboard only, then a dish is served and an order is sent', async () => {
  const table = await at.newTable();
  const order = await app.place(table, ['Feijoada']);
  await at.makeReady(order, 0);
  const { page } = await app.openAt('waiter', waiter, phone);
  await card(page, table).waitFor();
  await tabTo(page, new RegExp(`^Mark 1 served, Table ${table}$`));
  await page.keyboard.press('Enter');
  await until(async () => (await app.order(order.id)).status === 'delivered', { what: 'the dish, served' });
  await app.goTo(page, `waiter/order/${table}`);
  await page.getByRole('button', { name: 'Add Pudim de leite' }).waitFor();
  await tabTo(page, /^Add Pudim de leite$/);
  await page.keyboard.press('Space');
  await tabTo(page, /^Review, 1 item/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send to kitchen' }).waitFor();
  await tabTo(page, /^Send to kitchen$/);
  await page.keyboard.press('Enter');
  await until(async () => (await at.ordersOf(table)).length === 2, { what: 'the order, sent' });
});
