/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { checkScreens } from '@comanda/testing/page-checks';
import { newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, type State } from '@comanda/testing/stand/state';
import { moneyLooks } from '../support/looks.ts';
import { phone, press, says, smallPhone } from '../support/page.ts';
import { newCount, newDrawer } from './day-states.ts';
import { newTable, onDuty } from './states.ts';

// Cash on the waiters' screen: blind counts, and the cash drawer that this device uses.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const drawers = [
  newDrawer('main', { moved: true }),
  newDrawer('bar', { label: 'Bar' }),
  newDrawer('old', { label: 'Old', status: 'retired' }),
];
const order = newOrder({ seating: 88, items: ['Feijoada'] });
const bill = newBill([order]);
const atBill = (answers: State['answers'] = {}): State =>
  onDuty({
    orders: [order],
    bills: [bill],
    tables: [newTable('12', 88)],
    answers: { getBill: bill, listCashDrawers: drawers, payBill: never, ...answers },
  });
const counting = (answers: State['answers'] = {}): State =>
  onDuty({ answers: { listCashDrawers: drawers, countCashDrawer: newCount(), ...answers } });

test('a waiter counts without ever seeing an expected sum or a difference', async () => {
  const page = await stand.show(counting(), '#/waiter', phone);
  await press(page, 'Menu');
  await press(page, 'Count cash');
  await page.getByRole('heading', { name: 'Count cash' }).waitFor();
  await press(page, 'Bar');
  await press(page, 'Main drawer');
  expect(await page.locator('main').textContent()).not.toMatch(/\d\.\d\d/);
  await page.getByLabel('Counted (R$)').fill('860');
  await press(page, 'Save count: R$ 860.00');
  await says(page, /Main drawer: R\$.860\.00 saved at \d\d:\d\d\./);
  expect(await page.locator('main').textContent()).not.toMatch(/862|2\.00|missing|Expected/);
  const [call] = await stand.calls('countCashDrawer');
  expect(call).toMatchObject({ input: { name: 'main', counted: '860' }, key: expect.any(String) });
  await press(page, 'Count again');
  expect(await page.getByLabel('Counted (R$)').inputValue()).toBe('');
});

test('what a waiter has typed is kept over a reload, but not shown to the next person on a tablet', async () => {
  const page = await stand.show(counting(), '#/waiter/cash', phone);
  await page.getByLabel('Counted (R$)').fill('860');
  await page.reload();
  expect(await page.getByLabel('Counted (R$)').inputValue()).toBe('860');
  const typed = await page.evaluate(() => sessionStorage.getItem('comanda.manager.counts') ?? '');
  const tab = { 'comanda.manager.counts': typed };
  const ana = { userId: 9, role: 'waiter', name: 'Ana' } as const;
  await stand.show({ ...counting(), tab, who: ana }, '#/waiter/cash', phone);
  expect(await page.getByLabel('Counted (R$)').inputValue()).toBe('');
});

test('cash goes into the drawer that was chosen once for this device', async () => {
  const page = await stand.show(atBill(), `#/waiter/bill/${bill.id}/pay`, phone);
  await press(page, 'Cash');
  await press(page, 'To: Main drawer');
  expect(await page.getByRole('button', { name: 'Old' }).count()).toBe(0);
  await press(page, 'Bar');
  await page.reload();
  await press(page, 'Cash');
  await page.getByRole('button', { name: 'To: Bar' }).waitFor();
  await press(page, /^Record cash/);
  expect((await stand.calls('payBill')).at(-1)?.input).toMatchObject({ method: 'cash', cash_drawer: 'bar' });

  const device = { 'comanda.waiter.cash-drawer': JSON.stringify({ name: 'bar', label: 'Bar' }) };
  const retired = [newDrawer('main'), newDrawer('bar', { label: 'Bar', status: 'retired' })];
  await stand.show({ ...atBill({ listCashDrawers: retired }), device }, `#/waiter/bill/${bill.id}/pay`, phone);
  await press(page, 'Cash');
  await page.getByRole('button', { name: 'To: Bar' }).waitFor({ state: 'detached' });
  await press(page, /^Record cash/);
  expect((await stand.calls('payBill')).at(-1)?.input).not.toHaveProperty('cash_drawer');
});

test('a payment into a drawer that was retired says so', async () => {
  const state = atBill({ payBill: fails('unprocessable_content') });
  const device = { 'comanda.waiter.cash-drawer': JSON.stringify({ name: 'bar', label: 'Bar' }) };
  const page = await stand.show({ ...state, device }, `#/waiter/bill/${bill.id}/pay`, phone);
  await press(page, 'Cash');
  await press(page, /^Record cash/);
  await says(page, 'This drawer was retired.');
});

test('every page for cash fits and has no axe violation', async () => {
  const long = newDrawer('terrace', { label: 'Balcão da varanda norte, junto à churrasqueira e ao bar' });
  const answers = { listCashDrawers: [...drawers, long] };
  const { check, found } = checkScreens(stand.page, { looks: moneyLooks, shoot: stand.shoot, name: 'count-cash' });
  const show = (state: State, path: string) => stand.show(state, path, smallPhone);
  const page = await show(counting(answers), '#/waiter/cash');
  await page.locator('.count-form button').first().click();
  await page.locator('.pieces input').first().fill('4');
  await check('form');
  await page.locator('.count-form [type=submit]').click();
  await page.locator('.count-cash-saved').waitFor();
  await check('saved');
  await show(atBill(answers), `#/waiter/bill/${bill.id}/pay`);
  await page.locator('.pay-methods button').first().click();
  await page.locator('.choose-drawer button').click();
  await check('choose');
  expect(found).toEqual([]);
});
