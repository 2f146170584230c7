/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { startStaffApp, type Order, type StaffApp } from './support/staff-app.ts';
import { openManager, pin } from './support/manager-page.ts';
import { phone, press, says } from './support/page.ts';

// A manager counts the cash, closes the day with the PIN, and reads its report to the cent, with all services running.

let app: StaffApp;
// If the machine has no browser, the first run downloads one.
beforeAll(async () => {
  app = await startStaffApp('closing');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const cents = (amount: string): number => Math.round(Number(amount) * 100);
/** Formats cents as the page does. */
const shown = (amount: number): string => {
  const [whole = '', fraction = ''] = (Math.abs(amount) / 100).toFixed(2).split('.');
  return `${amount < 0 ? '-' : ''}R$\u00a0${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
};

/** Serves these dishes to a table and returns the path of its bill. */
async function serve(table: string, ...dishes: readonly string[]): Promise<string> {
  await app.manager('POST', '/tables', { body: { tables: [table] } });
  const order = await app.place(table, dishes);
  for (const status of ['preparing', 'ready', 'delivered']) await app.setOrder(order.id, status);
  return `/bills/${order.bill_id as number}`;
}
/** Pays all of a bill, and closes it. Returns the payment. */
async function settle(bill: string, method: 'cash' | 'card', tip = '0.00'): Promise<Order> {
  const { remaining } = (await app.manager('GET', bill)).body;
  const body = { method, part: { rest: true }, expected_amount: remaining, tip };
  const { body: payment } = await app.manager('POST', `${bill}/payments`, { body });
  await app.manager('POST', `${bill}/close`, { body: {} });
  return payment;
}

test('a manager counts, closes the day with the PIN and reads its report to the cent', async () => {
  const { page, goTo, enterPin, dialog } = await openManager(app, 'cash', phone);
  expectErrors(page, /status of 401 .*\/day\/close$/);
  const main = page.getByRole('region', { name: 'Main drawer' });
  await main.getByLabel('Counted (R$)').fill('200');
  await press(main, 'Save count: R$ 200.00');
  await says(main, 'First count: this is what was in it.');

  const cash = await settle(await serve('Jardim', 'Feijoada', 'Moqueca de peixe'), 'cash', '5.00');
  const card = await settle(await serve('Quintal', 'Feijoada'), 'card');
  const open = await serve('Terraco-2', 'Pudim de leite');
  await page.getByLabel('Amount (R$)').fill('80');
  await page.getByLabel('Reason').fill('Gelo');
  await press(page, 'Expense: R$ 80.00');
  await says(page, 'Expense: R$ 80.00, saved.');

  await goTo('today');
  await says(page.getByRole('region', { name: 'Ways of paying' }), 'Cash appears once it’s counted.');
  const byCard = page.getByRole('row').filter({ hasText: /^Card1 payment/ });
  await says(byCard, shown(cents(card.amount)));
  expect(await page.locator('main').textContent()).not.toContain(shown(cents(cash.amount)));

  await page.getByRole('link', { name: 'Close the day' }).click();
  const expected = 20_000 + cents(cash.amount) + 500 - 8_000;
  expect(await page.locator('main').textContent()).not.toContain(shown(expected));
  await main.getByLabel('Counted (R$)').fill(((expected - 200) / 100).toFixed(2));
  await press(main, `Save count: ${shown(expected - 200)}`);
  await says(main, 'R$ 2.00 missing');
  await main
    .getByRole('definition')
    .filter({ hasText: shown(expected) })
    .waitFor();
  await main.getByLabel('Left in it (R$)').fill('100');
  await press(main, `Take out ${shown(expected - 200 - 10_000)}`);
  await says(main, 'R$ 100.00 left in it.');

  await page.getByLabel('Note').fill('Calm evening');
  await press(page, 'Close the day, carry over 1 bill');
  await says(dialog, 'You’re closing day 1.');
  await enterPin(pin);

  const report = page.locator('.report');
  await says(report, /^Day 1 · /);
  const part = (name: string) => report.getByRole('region', { name, exact: true });
  const rows = async (name: string): Promise<(string | null)[]> => part(name).locator('.report-row').allTextContents();
  const total = cents(cash.amount) + cents(card.amount);
  expect((await rows('Sales')).slice(-2)).toEqual([`Total${shown(total)}`, 'Closed bills2No. 1 to 2']);
  expect(await rows('Payments')).toEqual([
    `1 × Card${shown(cents(card.amount))}`,
    `1 × Cash${shown(cents(cash.amount))}tips ${shown(500)}`,
    `Total${shown(total)}`,
    `Tips${shown(500)}`,
  ]);
  expect((await rows('Cash: Main drawer')).slice(0, 6)).toEqual([
    `At the start${shown(20_000)}`,
    `Payments${shown(cents(cash.amount) + 500)}`,
    `Expenses${shown(-8_000)}`,
    `Difference${shown(-200)}`,
    `Taken out${shown(10_200 - expected)}`,
    `Left in it${shown(10_000)}`,
  ]);
  await says(part('Report'), 'Calm evening');
  await part('Carried over')
    .getByRole('link', { name: `Bill ${open.replace('/bills/', '')}` })
    .waitFor();
  await says(part('Waiters'), 'Service charge of 2 bills');
  const { text, body } = await app.manager('GET', '/days/1');
  await says(part('Seal'), body.hash as string);
  expect((await app.manager('GET', '/days/1')).text).toBe(text);

  const saved = page.waitForEvent('download');
  await press(page.getByRole('form', { name: 'Download' }), 'Download');
  const file = await (await saved).createReadStream();
  const lines = (await new Response(file as never).text()).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^number,id,table,opened_at/);

  await goTo('today');
  await says(page.getByRole('region', { name: 'Open bills' }), 'Table Terraco-2');
});
