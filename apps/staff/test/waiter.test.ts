import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { tabTo } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { startStaffApp, waiter, type StaffApp, type Order } from './support/staff-app.ts';
import { phone, press, reachable, says, smallPhone } from './support/page.ts';
import {
  addDish,
  addWith,
  card,
  closeUnserved,
  loseAnswers,
  openDish,
  pressMore,
  sendOrder,
  tablesOf,
  type Party,
} from './support/waiter-page.ts';

let app: StaffApp;
let at: ReturnType<typeof tablesOf>;
// If the machine has no browser, the first run downloads one.
beforeAll(async () => {
  app = await startStaffApp('waiter', { SEATING_OPENED_BY: 'staff', TABLE_CLEANING: 'on' });
  at = tablesOf(app);
  await app.manager('PUT', '/restaurant', {
    body: { service_charge: { rate: '10.00', optional: true }, tip_suggestions: ['5.00', '10.00'] },
  });
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const seated = (...lines: Parameters<typeof at.seated>): Promise<Party> => at.seated(...lines);
const openTable = async (table: string): Promise<Page> => {
  const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
  await heading(page, table).waitFor();
  return page;
};
const openBill = async (table: string): Promise<Page> => {
  const page = await openTable(table);
  await page.getByRole('link', { name: /^Bill/ }).click();
  await page.getByRole('region', { name: 'Bill' }).waitFor();
  return page;
};
const heading = (page: Page, table: string) => page.getByRole('heading', { name: `Table ${table}`, exact: true });
const takePayment = (page: Page): Promise<void> => page.getByRole('link', { name: 'Take payment' }).click();
const leftToPay = (page: Page) => page.getByRole('status', { name: 'Left to pay' });
const pay = async ({ id }: Party, part: object, expected_amount: string): Promise<void> =>
  void created(await app.manager('POST', `/bills/${id}/payments`, { body: { method: 'card', part, expected_amount } }));

test('a waiter opens a table, moves its order and closes the table', async () => {
  const [table, other] = [await at.newTable(), await at.newTable()];
  const { body: opened } = await app.manager('POST', `/tables/${other}/open`);
  const order = await app.place(table, ['Feijoada']);
  await at.seen(order);
  const page = await openTable(table);
  await press(page, 'Open with this order');
  await says(page, `Table ${table} is open.`);
  const { seating } = await at.tableOf(table);
  expect(seating).not.toBeNull();
  await until(async () => (await app.order(order.id)).seating === seating, { what: 'the order on the bill' });

  await press(page, `Move order #${order.ticket}`);
  await press(page, `Table ${other}, seated`);
  await says(page, `Order #${order.ticket} is now at table ${other}.`);
  expect(await app.order(order.id)).toMatchObject({ table: other, seating: opened.seating });

  await app.goTo(page, `waiter/tables/${other}`);
  await page.getByRole('article', { name: `Order #${order.ticket}` }).waitFor();
  await pressMore(page, 'Close table');
  const asked = page.getByRole('group', { name: `Close table ${other}?` });
  await says(asked, 'Open total R$ 68.20.');
  await says(asked, /^1 order /);
  await press(asked, 'Yes, close it');
  await says(page, `Table ${other} is closed.`);
  expect(await at.tableOf(other)).toMatchObject({ seating: null, status: 'to_clean' });
  // The kitchen is still preparing an order of guests who have left.
  await page.getByRole('article', { name: `Order #${order.ticket}` }).waitFor();
});

test('a waiter removes one of three drinks, moves one with its bill, and has one made again', async () => {
  const party = await seated([{ name: 'Caipirinha', quantity: 3 }, 'Feijoada']);
  const other = await seated(['Pudim de leite']);
  const page = await openTable(party.table);
  await openDish(page, 'Caipirinha');
  await press(page, 'Take off Caipirinha');
  await says(page, /^Caipirinha removed from order/);
  await openDish(page, 'Caipirinha');
  await press(page, 'Move');
  await press(page.getByRole('dialog'), `Table ${other.table}, seated`);
  await says(page, `Caipirinha moved to table ${other.table}, with the bill.`);
  await openDish(page, 'Caipirinha');
  await press(page, 'Remake');
  await press(page, 'Dropped');
  await press(page, 'Remake Caipirinha');
  await says(page, /^The kitchen makes Caipirinha again/);
  const drinksOn = async ({ billNow }: Party): Promise<number[]> =>
    (await billNow()).lines.flatMap(({ name, quantity }: Order) => (name === 'Caipirinha' ? quantity : []));
  expect([await drinksOn(party), await drinksOn(other)]).toEqual([[1], [1]]);
  expect(await at.ordersOf(party.table)).toContainEqual(expect.objectContaining({ bill_id: null, total: '0.00' }));
});

test('a waiter orders a pizza in halves and fish by weight for the sum that the page has shown', async () => {
  const table = await at.newTable();
  const { page } = await app.openAt(`waiter/order/${table}`, waiter, phone);
  await addDish(page, 'Pizza');
  await addWith(page, 'Grande', 'Calabresa', 'Quatro queijos', 'Cheddar');
  await addDish(page, 'Pargo na brasa');
  await page.getByLabel('Weight, kg').fill('432');
  await addWith(page, 'Arroz', 'Farofa');
  await says(page.locator('.waiter-dock'), /2 items · R\$.134\.05/);
  await sendOrder(page);
  await says(page, /^0\.432.kg × R\$.139\.00$/);
  expect((await at.ordersOf(table))[0].total).toBe('134.05');
});

test('a waiter serves a dish and sends an order with only the keyboard', async () => {
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
  await tabTo(page, /^Send to kitchen$/);
  await page.keyboard.press('Enter');
  await until(async () => (await at.ordersOf(table)).length === 2, { what: 'the order, sent' });
});

test('an order without a response is retried by the next page', async () => {
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

test('a waiter accepts a call and completes it', async () => {
  const [first, second] = [await seated(), await seated()];
  const callFrom = async ({ table, seating }: Party, body: object): Promise<number> =>
    created(await app.manager('POST', '/calls', { body: { ...body, table, seating } })).id;
  const callOf = ({ table }: Party, kind: string) =>
    page.getByRole('article', { name: `Call, table ${table}, ${kind}`, exact: true });
  const id = await callFrom(first, { kind: 'bill', method: 'card', note: 'n'.repeat(100) });
  const { page } = await app.openAt('waiter', waiter, phone);
  await says(callOf(first, 'bill'), `Table ${first.table} wants to pay by card`);
  const other = await callFrom(second, { kind: 'waiter' });
  await callOf(second, 'waiter').waitFor();
  const names = await page.locator('.waiter-call').evaluateAll((all) => all.map((each) => each.ariaLabel));
  const [bill, wish] = [`Call, table ${first.table}, bill`, `Call, table ${second.table}, waiter`];
  expect(names.filter((name) => name === bill || name === wish)).toEqual([bill, wish]); // Other tests create calls too.

  await callOf(first, 'bill').getByRole('button').first().click();
  await callOf(first, 'bill').getByRole('link', { name: 'Take payment' }).waitFor();
  await callOf(first, 'bill').locator('.waiter-call-line').click();
  await callOf(first, 'bill').getByRole('button', { name: 'Done' }).click();
  await callOf(first, 'bill').waitFor({ state: 'detached' });
  const isListed = async (): Promise<boolean> =>
    (await app.manager('GET', '/calls')).body.some((each: { id: number }) => each.id === id);
  await until(async () => !(await isListed()), { what: 'the call, done' });
  await app.manager('PUT', `/calls/${other}`, { body: { status: 'taken' } });
  await says(callOf(second, 'waiter'), /colleague/);
  expect(await callOf(second, 'waiter').getByRole('button').count()).toBe(0);
});

describe('the guests at a table', () => {
  test('move with their bill and orders', async () => {
    const party = await seated();
    const to = await at.newTable();
    const page = await openTable(party.table);
    await pressMore(page, 'Move to');
    await press(page, `Table ${to}`);
    await heading(page, to).waitFor();
    await until(async () => (await party.billNow()).table === to, { what: 'the bill at the other table' });
    expect(await app.order(party.order.id)).toMatchObject({ table: to, seating: party.seating });
    expect((await at.tableOf(to)).seating).toBe(party.seating);
    expect(await at.tableOf(party.table)).toMatchObject({ status: 'to_clean', seating: null });
    await page.getByRole('link', { name: /^Bill.* R\$ 68\.20/ }).waitFor();
  });

  test('join another table, which merges the bills', async () => {
    const [party, other] = [await seated(), await seated()];
    await pay(party, { amount: '10.00' }, '10.00');
    const page = await openTable(party.table);
    await pressMore(page, 'Join with');
    await press(page, `Table ${other.table}, seated`);
    await press(page, 'Yes, join them');
    await says(page, `Tables ${party.table} and ${other.table} are joined.`);
    await until(async () => (await other.billNow()).status === 'merged', { what: 'the merged bill' });
    expect(await other.billNow()).toMatchObject({ merged_into: party.id });
    expect(await party.billNow()).toMatchObject({ status: 'open', paid: '10.00', remaining: '126.40' });
    expect((await at.tableOf(other.table)).seating).toBe(party.seating);
    await says(page, `Joined with table ${other.table}`);
  });
});

describe('the bill for a table', () => {
  test('is paid in cash with three taps', async () => {
    const { table, billNow } = await at.seatedWithThree();
    const page = await openBill(table);
    await page.getByRole('listitem').filter({ hasText: 'Feijoada' }).getByText('R$ 124.00').waitFor();
    await page.getByRole('definition').filter({ hasText: 'R$ 156.20' }).waitFor();

    await takePayment(page);
    await press(page, 'Cash');
    await page.getByRole('button', { name: 'Record cash R$ 156.20' }).waitFor();
    await press(page, 'R$ 200.00');
    await says(page.getByRole('status', { name: 'Change' }), 'R$ 43.80');
    await press(page, 'Record cash R$ 156.20');

    await says(page, 'Recorded: cash, R$ 156.20.');
    await says(leftToPay(page), 'R$ 0.00');
    await says(page.getByRole('listitem').filter({ hasText: 'Feijoada' }), 'paid');
    await closeUnserved(page, table);
    await says(page, new RegExp(`^Bill \\d+ is closed\\. Table ${table} needs cleaning\\.$`));
    expect(await billNow()).toMatchObject({
      status: 'closed',
      payments: [{ method: 'cash', amount: '156.20', received: '200.00', change: '43.80' }],
    });
    expect((await at.tableOf(table)).seating).toBeNull();
  });

  test("is paid at the server's prices", async () => {
    const { table, billNow } = await at.seatedWithThree();
    const page = await openBill(table);
    await takePayment(page);
    await press(page, 'Dishes');
    await page.getByRole('checkbox', { name: /Feijoada/ }).check();
    await press(page, 'One less: How many Feijoada');
    await press(page, 'Card');
    await press(page, 'Record card R$ 68.20');
    await says(leftToPay(page), 'R$ 88.00');

    await takePayment(page);
    await press(page, 'Dishes');
    await page.getByRole('checkbox', { name: /Pudim/ }).check();
    await press(page, 'Split this dish');
    await press(page, 'Other');
    await press(page, 'Record other R$ 9.90');
    await says(leftToPay(page), 'R$ 78.10');

    await takePayment(page);
    await press(page, 'Shares');
    await page.getByRole('spinbutton', { name: 'People' }).fill('3');
    await press(page, 'Card');
    await press(page, 'Tip');
    await press(page, '10% (R$ 2.60)');
    await press(page, 'Record card R$ 28.64');
    await says(leftToPay(page), 'R$ 52.06');

    await takePayment(page);
    await press(page, 'Amount');
    await page.getByRole('textbox', { name: 'Amount' }).fill('60');
    await says(page, 'Only R$ 52.06 is left to pay.');
    await page.getByRole('textbox', { name: 'Amount' }).fill('50');
    await press(page, 'Card');
    await press(page, 'Record card R$ 50.00');
    await says(leftToPay(page), 'R$ 2.06');
    const payments = ['68.20', '9.90', '26.04', '50.00'].map((amount) => ({ amount }));
    expect(await billNow()).toMatchObject({ payments, tips: '2.60' });
  });

  test('records a payment once if the response is lost', async () => {
    const { table, billNow } = await at.seatedWithThree();
    const page = await openBill(table);
    expectErrors(page, /net::ERR_FAILED .*\/payments$/);
    const keys: (string | null)[] = [];
    await page.context().route('**/payments', async (route) => {
      keys.push(await route.request().headerValue('idempotency-key'));
      if (keys.length > 1) return route.continue();
      await route.fetch({ url: reachable(route.request().url()) });
      return route.abort();
    });
    await takePayment(page);
    await press(page, 'Amount');
    await page.getByRole('textbox', { name: 'Amount' }).fill('10');
    await press(page, 'Card');
    await press(page, 'Record card R$ 10.00');
    await says(page, 'Recorded: card, R$ 10.00.');
    expect((await billNow()).payments).toHaveLength(1);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
  });

  test('stays separate from the table if other guests already sit there', async () => {
    const { table, id, billNow } = await at.seatedWithThree();
    await app.manager('POST', `/bills/${id}/payments`, {
      body: { method: 'card', part: { rest: true }, expected_amount: '156.20' },
    });
    const { page } = await app.openAt(`waiter/bill/${id}`, waiter, smallPhone);
    await page.getByRole('button', { name: `Close bill and free table ${table}` }).waitFor();
    await setOffline(page, true);
    await closeUnserved(page, table);
    await says(page, `Table ${table}: bill NOT CLOSED YET`);
    await app.manager('POST', `/tables/${table}/close`);
    const { body: others } = await app.manager('POST', `/tables/${table}/open`);
    await setOffline(page, false);
    await says(page, /^Bill \d+ is closed\.$/);
    expect((await billNow()).status).toBe('closed');
    expect((await at.tableOf(table)).seating).toBe(others.seating);
  });
});
