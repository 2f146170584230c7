import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { checkScreens } from '@comanda/testing/page-checks';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says, smallPhone, tablet } from './support/page.ts';
import { answerEarlier, tablesOf } from './support/waiter-page.ts';

let app: KitchenApp;
let at: ReturnType<typeof tablesOf>;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('waiter-tables', { TABLE_CLEANING: 'on' });
  at = tablesOf(app);
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

type Seated = { table: string; seating: number; order: Order };
/** A table whose guests have ordered a Feijoada, R$ 62.00. */
async function seated(): Promise<Seated> {
  const table = await at.newTable();
  await app.manager('POST', `/tables/${table}/open`);
  const { seating } = await at.tableOf(table);
  return { table, seating, order: await app.placeAt({ table, seating }, ['Feijoada']) };
}
const billOf = async ({ order }: Seated): Promise<Order> => (await app.manager('GET', `/bills/${order.bill_id}`)).body;
const pay = async ({ order }: Seated, part: object, expected: string): Promise<void> =>
  void created(
    await app.manager('POST', `/bills/${order.bill_id}/payments`, {
      body: { method: 'cash', part, expected_amount: expected },
    }),
  );
const callFrom = async ({ table, seating }: Seated, body: object): Promise<void> =>
  void created(await app.manager('POST', '/calls', { body: { ...body, table, seating } }));
const openTable = async (table: string, look: object = phone): Promise<Page> => {
  const { page } = await app.openAt(`waiter/tables/${table}`, waiter, look);
  await heading(page, table).waitFor();
  return page;
};
const heading = (page: Page, table: string) => page.getByRole('heading', { name: `Table ${table}`, exact: true });
const orderOf = (page: Page, { ticket }: Order) => page.getByRole('article', { name: `Order #${ticket}`, exact: true });
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

describe('guests who move', () => {
  test('when a waiter moves them, then their bill and what is not served go with them, and the table is to be cleaned', async () => {
    const party = await seated();
    const to = await at.newTable();
    const taken = await seated();
    const page = await openTable(party.table);

    await press(page, 'Move to');
    const choice = group(page, `Move the guests of table ${party.table} to which table?`);
    await says(choice, 'Their bill, their phones and what is not served go with them.');
    expect(await choice.getByRole('button', { name: `Table ${taken.table}, seated` }).count()).toBe(0);
    await press(choice, `Table ${to}`);

    await heading(page, to).waitFor();
    await says(page, `The guests of table ${party.table} are at table ${to} now.`);
    await until(async () => (await billOf(party)).table === to, { what: 'the bill at the other table' });
    expect(await app.order(party.order.id)).toMatchObject({ table: to, seating: party.seating });
    expect((await at.tableOf(to)).seating).toBe(party.seating);
    expect(await at.tableOf(party.table)).toMatchObject({ status: 'to_clean', seating: null });
    await page.getByRole('link', { name: 'Bill, R$ 62.00' }).waitFor();
  });

  test('when the page has not read the bills yet, then the bill follows all the same', async () => {
    const party = await seated();
    const to = await at.newTable();
    const { page } = await app.openAt('waiter/tables', waiter, phone);
    const list = Promise.withResolvers<void>();
    await page.getByRole('navigation', { name: 'Waiter' }).waitFor();
    await page.route(/\/bills\?/, async (route) => {
      if (!route.request().url().includes('seating=')) await list.promise;
      await route.fallback();
    });
    await page.goto(`${app.url}/kitchen#/waiter/tables/${party.table}`);
    await page.reload();
    await heading(page, party.table).waitFor();
    await press(page, 'Move to');
    await press(page, `Table ${to}`);
    await until(async () => (await billOf(party)).table === to, { what: 'the bill at the other table' });
    list.resolve();
    await page.getByRole('link', { name: 'Bill, R$ 62.00' }).waitFor();
  });

  test('when the page has not read the orders yet, then it does not say that nothing was ordered', async () => {
    const { table, order } = await seated();
    const { page } = await app.openAt('waiter/tables', waiter, phone);
    await says(page.getByRole('link', { name: `Table ${table}` }), '1 open order');
    const list = Promise.withResolvers<void>();
    await page.route(/\/orders\?/, (route) => list.promise.then(() => route.fallback()));
    await page.reload();
    await page.getByRole('link', { name: `Table ${table}` }).waitFor();
    expect(await page.getByText('Nothing ordered yet').count()).toBe(0);
    await says(page.locator('.waiter-total'), 'All tables …');
    await page.getByRole('link', { name: `Table ${table}` }).click();
    await says(page, 'Loading the orders…');
    list.resolve();
    await orderOf(page, order).waitFor();
  });

  test('when the page has not read yet what was served, then it says no sum that leaves it out', async () => {
    const party = await seated();
    for (const status of ['preparing', 'ready', 'delivered']) await app.setOrder(party.order.id, status);
    const page = await openTable(party.table);
    await says(page, 'Open total R$ 62.00');
    const list = Promise.withResolvers<void>();
    await page.route(/\/orders\?.*status=delivered/, (route) => list.promise.then(() => route.fallback()));
    await page.reload();
    await says(page, 'Loading the orders…');
    await says(page, 'Open total …');
    await says(page.locator('.waiter-total'), 'All tables …');
    list.resolve();
    await says(page, 'Open total R$ 62.00');
  });

  test('when the bill gets no answer, then it follows later, also after a reload', async () => {
    const party = await seated();
    const to = await at.newTable();
    const page = await openTable(party.table);
    expectErrors(page, /net::ERR_FAILED .*\/table$/);
    await page.context().route('**/bills/*/table', (route) => route.abort());
    await press(page, 'Move to');
    await press(page, `Table ${to}`);
    await heading(page, to).waitFor();
    expect((await billOf(party)).table).toBe(party.table);

    await page.context().unroute('**/bills/*/table');
    await page.reload();

    await until(async () => (await billOf(party)).table === to, { what: 'the bill at the other table' });
  });

  test('when somebody sits down at the other table first, then the waiter reads it, and nothing moves', async () => {
    const party = await seated();
    const to = await at.newTable();
    const page = await openTable(party.table);
    expectErrors(page, /409 .*\/move$/);
    await page.context().route('**/tables/*/move', async (route) => {
      await app.manager('POST', `/tables/${to}/open`);
      await route.continue();
    });
    await press(page, 'Move to');
    await press(page, `Table ${to}`);

    await page.getByRole('alert').first().waitFor();
    expect((await at.tableOf(party.table)).seating).toBe(party.seating);
    expect((await billOf(party)).table).toBe(party.table);
  });
});

describe('tables that are joined', () => {
  test('when something is paid of one bill, then the other is merged into it, and nothing is lost', async () => {
    const [party, other] = [await seated(), await seated()];
    await pay(party, { amount: '10.00' }, '10.00');
    const page = await openTable(party.table);

    await press(page, 'Join with');
    await press(page, `Table ${other.table}, seated`);
    const sure = group(page, `Join tables ${party.table} and ${other.table}?`);
    await says(sure, /have one bill then\. Nothing is sent to the kitchen again\./);
    await press(sure, 'Yes, join them');

    await says(page, `Tables ${party.table} and ${other.table} are joined.`);
    await until(async () => (await billOf(other)).status === 'merged', { what: 'the merged bill' });
    expect(await billOf(other)).toMatchObject({ merged_into: party.order.bill_id });
    expect(await billOf(party)).toMatchObject({ status: 'open', paid: '10.00', remaining: '114.00' });
    expect((await at.tableOf(other.table)).seating).toBe(party.seating);
    await says(page, `Joined with table ${other.table}`);
    await page.getByRole('link', { name: 'Bill, R$ 114.00' }).waitFor();
  });

  test('when something is paid of both bills, then the waiter reads that one was not merged, and both stay', async () => {
    const [party, other] = [await seated(), await seated()];
    await pay(party, { amount: '10.00' }, '10.00');
    await pay(other, { amount: '20.00' }, '20.00');
    const page = await openTable(other.table);
    expectErrors(page, /409 .*\/merge$/);

    await press(page, 'Join with');
    await press(page, `Table ${party.table}, seated`);
    await press(page, 'Yes, join them');

    await says(page, `The bill of table ${other.table} stays as it is. Someone has already paid a part.`);
    expect([(await billOf(party)).status, (await billOf(other)).status]).toEqual(['open', 'open']);
    await page.getByRole('link', { name: `Bill from order #${party.order.ticket}, R$ 52.00` }).waitFor();
    await page.getByRole('link', { name: `Bill from order #${other.order.ticket}, R$ 42.00` }).waitFor();
    // The orders of the seating that ended are still to be served.
    await says(page, 'Of guests who are gone, still in the kitchen');
    await orderOf(page, other.order).waitFor();
    await app.goTo(page, `waiter/tables/${party.table}`);
    await orderOf(page, party.order).waitFor();
  });

  test('when the other table is free, then it is joined with the guests of this one, whose bill stays', async () => {
    const party = await seated();
    const free = await at.newTable();
    const page = await openTable(party.table);

    await press(page, 'Join with');
    await press(page, `Table ${free}`);
    await press(page, 'Yes, join them');

    await says(page, `Joined with table ${free}`);
    expect((await at.tableOf(free)).seating).toBe(party.seating);
    expect(await page.getByRole('button', { name: 'Move to' }).count()).toBe(0);
    await press(page, 'Close table');
    await says(page, `Table ${free} is closed too.`);
    expect(await billOf(party)).toMatchObject({ status: 'open', seating: party.seating });
  });
});

test('when an order is for a table that does not exist, then the list has it, and it is moved to one that does', async () => {
  const table = await at.newTable();
  const order = await app.place('Nowhere-9', ['Feijoada']);
  const { page } = await app.openAt('waiter/tables', waiter, phone);

  await page.getByRole('link', { name: /^Table Nowhere-9\b.*There is no such table/ }).click();
  await says(page, /Move its orders to a table that exists/);
  await app.shoot(page, 'no-such-table');
  await press(orderOf(page, order), `Move order #${order.ticket}`);
  await press(orderOf(page, order), `Table ${table}`);

  await says(page, `Order #${order.ticket} is now at table ${table}.`);
  await orderOf(page, order).waitFor({ state: 'detached' });
  const { seating } = await at.tableOf(table);
  expect(await app.order(order.id)).toMatchObject({ table, seating });
  await app.goTo(page, 'waiter/tables');
  await page.getByRole('link', { name: new RegExp(`^Table ${table}\\b`) }).waitFor();
  expect(await page.getByRole('link', { name: /Nowhere-9/ }).count()).toBe(0);
});

test('when a bill is closed with its table, then the notice says that the table is to be cleaned', async () => {
  const party = await seated();
  await pay(party, { rest: true }, '62.00');
  const { page } = await app.openAt(`waiter/bill/${party.order.bill_id}`, waiter, phone);

  await press(page, `Close bill and free table ${party.table}`);

  await says(page, new RegExp(`^Bill \\d+ is closed, table ${party.table} is to be cleaned\\.$`));
});

describe('the list of tables', () => {
  test('when a table is to be cleaned, then one tap says that it is clean', async () => {
    const table = await at.newTable();
    await app.manager('POST', `/tables/${table}/open`);
    await app.manager('POST', `/tables/${table}/close`);
    const { page: managers } = await openManager(app, 'tables');
    const card = managers.getByRole('article', { name: `Table ${table}` });
    await card.waitFor();
    expect(await card.textContent()).toContain('To clean');
    const { page } = await app.openAt('waiter/tables', waiter, phone);
    await press(page, /^To clean/);

    await press(page, `Table ${table} is clean`);

    await says(page, `Table ${table} is clean.`);
    expect((await at.tableOf(table)).status).toBe('free');
    await page.getByRole('link', { name: `Table ${table}` }).waitFor({ state: 'detached' });
  });

  test('when tables want something, or have paid and still sit there, then each is found by its filter', async () => {
    const [calling, paid, other] = [await seated(), await seated(), await seated()];
    await callFrom(calling, { kind: 'bill', method: 'card' });
    await pay(paid, { rest: true }, '62.00');
    const { page } = await app.openAt('waiter/tables', waiter, phone);
    const link = ({ table }: Seated) => page.getByRole('link', { name: new RegExp(`^Table ${table}\\b`) });
    await link(other).waitFor();

    await press(page, /^Wants something/);
    await says(link(calling), 'wants to pay, card');
    expect([await link(paid).count(), await link(other).count()]).toEqual([0, 0]);
    await press(page, /^Seated, paid/);
    await says(link(paid), 'Paid 0 min ago');
    expect([await link(calling).count(), await link(other).count()]).toEqual([0, 0]);
    await press(page, /^Seated, paid/);
    await link(other).waitFor();
  });

  test('when guests who have called are moved, then the call names the table where they sit now', async () => {
    const party = await seated();
    await callFrom(party, { kind: 'waiter' });
    const to = await at.newTable();
    const { page } = await app.openAt('waiter', waiter, phone);
    await page.getByRole('article', { name: `Call, table ${party.table}, waiter` }).waitFor();

    await app.manager('POST', `/tables/${party.table}/move`, { body: { to } });

    await page.getByRole('article', { name: `Call, table ${to}, waiter` }).waitFor();
  });
});

test.each(['en-US', 'pt-BR'] as const)(
  'when nobody takes a call for 3 minutes, then the manager reads it (%s), until somebody does',
  async (locale) => {
    const looks = { light: { ...tablet, colorScheme: 'light' }, dark: { ...phone, colorScheme: 'dark' } } as const;
    const [late, recent] = [await seated(), await seated()];
    await callFrom(late, { kind: 'bill', method: 'card' });
    const { page, context } = await openManager(app, 'menu', { ...looks.light, locale });
    await context.route('**/calls', (route) => answerEarlier(route, 180_000));
    await app.goTo(page, 'manager');
    const calls = page.locator('.evening-calls');
    await says(calls, new RegExp(` ${late.table}$`));
    await callFrom(recent, { kind: 'waiter' });
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: `evening-calls-${locale}` });
    await check('page');
    expect(found).toEqual([]);
    const listed: Order[] = (await app.manager('GET', '/calls')).body;
    expect(await calls.getByText(recent.table).count()).toBe(0);
    const { id } = listed.find(({ table }) => table === late.table);

    await app.manager('PUT', `/calls/${id}`, { body: { status: 'taken' } });

    await calls.getByText(late.table).waitFor({ state: 'detached' });
  },
);

test.each([
  ['en-US', { phone, tablet: { ...tablet, colorScheme: 'dark' } }],
  ['pt-BR', { small: { ...smallPhone, colorScheme: 'dark' }, phone }],
] as const)(
  'when the pages of tables are looked at (%s), then axe finds nothing, and all of it fits',
  async (locale, looks) => {
    const [calling, paid] = [await seated(), await seated()];
    await callFrom(calling, { kind: 'bill', method: 'account' });
    await callFrom(calling, { kind: 'other', note: 'n'.repeat(100) });
    await pay(paid, { rest: true }, '62.00');
    const long = 'Varanda-do-norte'.slice(0, 16);
    await app.manager('PUT', `/tables/${long}`);
    await app.manager('POST', `/tables/${long}/open`);
    await app.manager('POST', `/tables/${long}/close`);
    const { page } = await app.openAt('waiter/tables', waiter, { ...Object.values(looks)[0], locale });
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: `tables-${locale}` });
    await page.locator('.table-state mark').first().waitFor();
    await check('list');
    await page.locator('.waiter-filters .chip').nth(2).click();
    await check('to-clean');
    await app.goTo(page, `waiter/tables/${long}`);
    await page.locator('.waiter-page-head').waitFor();
    await check('clean');
    await app.goTo(page, `waiter/tables/${calling.table}`);
    await page.locator('.waiter-page-head').waitFor();
    const actions = page.locator('.waiter-seating > .button');
    await actions.nth(0).click();
    await check('move');
    await actions.nth(1).click();
    await check('join');
    await page.locator('.waiter-table-choice .button').last().click();
    await check('join-sure');
    expect(found).toEqual([]);
  },
);
