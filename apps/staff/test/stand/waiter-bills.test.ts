import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { checkScreens } from '@comanda/testing/page-checks';
import { dishNamed, minutesAgo, newBill, newOrder, nextOrder, restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { moneyLooks } from '../support/looks.ts';
import { goTo, phone, press, says, smallPhone } from '../support/page.ts';
import { newDrawer } from './day-states.ts';
import { manager, newTable, onDuty } from './states.ts';

// The waiters' pages for a bill and its payments.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const order = newOrder({ seating: 88, items: [{ dish: dishNamed('Feijoada'), quantity: 2 }, 'Pudim de leite'] });
/** A bill of R$ 156.20, which includes the service charge. */
const bill = newBill([order]);
const pudding = order.items[1]?.id ?? 0;
const discount = {
  id: 7,
  line_id: pudding,
  percent: '50.00',
  amount: '9.00',
  label: 'Esperou demais, sobremesa da casa para a mesa',
  reason: 'Cold',
  given_by: { id: 2, role: 'waiter', name: 'Wagner' },
  at: minutesAgo(1),
};
const cashPayment: BillPayment = {
  id: 9,
  bill_id: bill.id,
  method: 'cash',
  status: 'paid',
  part: { rest: true },
  amount: '156.20',
  tip: '0.00',
  total: '156.20',
  received: '200.00',
  change: '43.80',
  reference: null,
  payer: null,
  transfer_id: null,
  expires_at: null,
  recorded_by: { id: 2, role: 'waiter' },
  created_at: minutesAgo(1),
  settled_at: minutesAgo(1),
  refund: null,
};
const paidBill = newBill([order], { paid: '156.20', payments: [cashPayment], version: 2 });

const atBill = (shown: Bill, { answers, ...more }: Partial<State> = {}): State =>
  onDuty({
    orders: [order],
    bills: [shown],
    tables: [newTable('12', 88)],
    ...more,
    answers: { getRestaurant: { ...restaurant, waiter_discount_limit: '20.00' }, getBill: shown, ...answers },
  });
const showBill = (shown: Bill, more: Partial<State> = {}, path = ''): Promise<Page> =>
  stand.show(atBill(shown, more), `#/waiter/bill/${shown.id}${path}`, phone);
const inputsOf = async (name: Parameters<Stand['calls']>[0]) => (await stand.calls(name)).map(({ input }) => input);

test('a price change during a payment is announced', async () => {
  const page = await showBill(bill, {}, '/pay');
  await press(page, 'Cash');
  await page.getByRole('button', { name: 'Record cash R$ 156.20' }).waitFor();
  const more = newOrder({ id: 1043, seating: 88, items: ['Pudim de leite'] });
  const change = { kind: 'line_cancelled' } as never;
  const actor = { id: 2, role: 'waiter' } as const;
  const larger = newBill([order, more], { version: 2 });
  await stand.emit('bill.changed', { bill: larger, change, actor });
  await says(page, 'The bill has changed: it was R$ 156.20, now it’s R$ 176.00.');
});

test('two quick taps record one payment', async () => {
  const page = await showBill(bill, { answers: { payBill: cashPayment } }, '/pay');
  await press(page, 'Cash');
  const record = page.getByRole('button', { name: 'Record cash R$ 156.20' });
  await record.evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await page.getByRole('link', { name: 'Take payment' }).waitFor();
  await page.getByRole('link', { name: 'Tables' }).first().click();
  await page.getByRole('button', { name: 'By need' }).waitFor();
  expect(await inputsOf('payBill')).toHaveLength(1);
});

test('a refund needs a reason', async () => {
  const refunded: BillPayment = { ...cashPayment, status: 'refunded' };
  const answers = { refundBillPayment: refunded, getBill: { ...bill, payments: [refunded], version: 3 } };
  const page = await showBill(paidBill, { answers });
  await press(page, 'Refund Cash R$ 156.20');
  await press(page, 'Charged twice');
  await press(page, 'Refund R$ 156.20');
  await says(page.getByRole('status', { name: 'Left to pay' }), 'R$ 156.20');
  expect(await inputsOf('refundBillPayment')).toMatchObject([{ payment_id: cashPayment.id, reason: 'Charged twice' }]);
});

test('a card payment that a manager refunds in cash comes from the drawer of this device', async () => {
  const payment: BillPayment = { ...cashPayment, method: 'card', received: null, change: null };
  const device = { 'comanda.waiter.cash-drawer': JSON.stringify({ name: 'bar', label: 'Bar' }) };
  const listCashDrawers = [newDrawer('main'), newDrawer('bar', { label: 'Bar' })];
  const answers = { listCashDrawers, refundBillPayment: { turns: [fails('unreachable'), payment] } };
  const shown = newBill([order], { paid: '156.20', payments: [payment], version: 2 });
  const page = await showBill(shown, { answers, device, who: manager });
  await press(page, 'Refund Card R$ 156.20');
  await press(page, 'Charged twice');
  expect(await page.getByRole('button', { name: /^From: / }).count()).toBe(0);
  await press(page, 'Refund in cash');
  await page.getByRole('button', { name: 'From: Bar' }).waitFor();
  await press(page, 'Refund R$ 156.20');
  await page.getByRole('alert').waitFor();
  await press(page, 'From: Bar');
  await press(page, 'Main drawer');
  await press(page, 'Refund R$ 156.20');
  await page.getByRole('button', { name: 'Refund R$ 156.20' }).waitFor({ state: 'detached' });
  const refund = { payment_id: payment.id, reason: 'Charged twice', method: 'cash' };
  expect(await inputsOf('refundBillPayment')).toEqual([
    { id: bill.id, ...refund, cash_drawer: 'bar' },
    { id: bill.id, ...refund },
  ]);
});

test('closing a bill with dishes that are not served asks once', async () => {
  const closed = { ...paidBill, status: 'closed', number: 9, version: 3 } as const;
  const page = await showBill(paidBill, { answers: { closeBill: closed, closeTable: null as never } });
  const close = (): Promise<void> => press(page, 'Close bill and free table 12');
  await close();
  await says(page, '3 dishes aren’t served yet. Close the bill anyway?');
  await page.getByRole('button', { name: 'Close anyway', disabled: false }).waitFor();
  await press(page, 'Cancel');
  expect(await inputsOf('closeBill')).toEqual([]);
  await close();
  await press(page, 'Close anyway');
  await says(page, /^Bill 9 is closed\./);
  const served = newBill([nextOrder(order, 'delivered')], { paid: '156.20', payments: [cashPayment], version: 2 });
  await showBill(served, { answers: { closeBill: closed, closeTable: null as never } });
  await close();
  await says(page, /^Bill 9 is closed\./);
});

test('discounts and the service charge change the bill', async () => {
  const discounted = newBill([order], { version: 2, discounts: [discount] as never });
  const answers = {
    giveDiscount: { turns: [discounted, fails('forbidden')] },
    setServiceCharge: { ...discounted, version: 3, service_charge: { rate: '10.00', included: false, amount: '0.00' } },
    takeDiscountAway: { ...bill, version: 4 },
  };
  const page = await showBill(bill, { answers });
  const give = async (percent: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Percent' }).fill(percent);
    await page.getByRole('textbox', { name: /^Reason/ }).fill('Cold');
    await press(page, 'Apply discount');
  };
  await press(page, 'Discount');
  await page.getByRole('checkbox', { name: /Pudim de leite/ }).check();
  await give('50');
  await page.getByRole('switch', { name: /^Service/ }).click();
  await press(page, /^Remove discount/);
  await press(page, 'Discount');
  await give('21');
  await page.getByRole('alert').waitFor();
  expect(await inputsOf('giveDiscount')).toMatchObject([
    { line_id: pudding, percent: '50', reason: 'Cold' },
    { percent: '21', reason: 'Cold' },
  ]);
  expect(await inputsOf('setServiceCharge')).toEqual([{ id: bill.id, included: false }]);
  expect(await inputsOf('takeDiscountAway')).toEqual([{ id: bill.id, discount_id: discount.id }]);
});

test('a discount on several dishes is given once for each', async () => {
  const page = await showBill(bill, { answers: { giveDiscount: bill } });
  await press(page, 'Discount');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await press(page, 'As an amount');
  await page.getByRole('textbox', { name: 'Amount for each dish' }).fill('5');
  await page.getByRole('textbox', { name: /^Reason/ }).fill('Cold');
  await press(page, 'Apply discount');
  await page.getByRole('textbox').first().waitFor({ state: 'detached' });
  const ids = order.items.map(({ id }) => id);
  expect(await inputsOf('giveDiscount')).toMatchObject(ids.map((line_id) => ({ line_id, amount: '5' })));
});

test('the bill shows its sum once, and can be shown to the guest without controls', async () => {
  const page = await showBill(bill);
  const sums = page.getByText('R$ 156.20').locator('visible=true');
  await sums.first().waitFor();
  expect(await sums.count()).toBe(1);
  await press(page, 'Show to guest');
  const shown = page.getByRole('dialog', { name: 'Table 12, bill' });
  await shown.getByText('R$ 156.20').first().waitFor();
  expect(await shown.getByRole('button').allTextContents()).toEqual(['', 'Print']);
});

test('a paid bill offers no discount', async () => {
  const page = await showBill(paidBill);
  await page.getByRole('button', { name: /^Close bill/ }).waitFor();
  expect(await page.getByRole('button', { name: /^Discount/ }).count()).toBe(0);
});

test('every page for a bill fits and has no axe violation', async () => {
  const items = [{ dish: dishNamed('Feijoada'), quantity: 12 }, 'Pudim de leite', 'Caipirinha'];
  const large = newOrder({ seating: 88, items });
  const payment = {
    ...cashPayment,
    amount: '341.00',
    tip: '34.10',
    total: '375.10',
    received: '400.00',
    change: '24.90',
  };
  const shown = newBill([large], { paid: '341.00', payments: [payment], discounts: [discount] as never });
  const state = atBill(shown, { answers: { listOrders: [large] } });
  const { check, found } = checkScreens(stand.page, { looks: moneyLooks, shoot: stand.shoot, name: 'bill' });
  const page = await stand.show(state, '#/waiter/tables/12', smallPhone);
  await page.locator('a[href*="waiter/bill/"]').waitFor();
  await check('table');
  await goTo(page, `waiter/bill/${shown.id}`);
  await page.locator('.bill').first().waitFor();
  await check('bill');
  await page.locator('.bill-end > .button').first().click();
  await page.locator('dialog .bill').waitFor();
  await check('shown');
  await page.keyboard.press('Escape');
  await page.locator('.bill-discount').click();
  await check('discount');
  await goTo(page, `waiter/bill/${shown.id}/pay`);
  await page.locator('.pay-methods button').first().click();
  await check('cash');
  await page.locator('.pay-notes .chip').nth(1).click();
  await page.locator('.pay-ways .chip').nth(2).click();
  await page.locator('.choose-line input').first().check();
  await check('lines');
  await page.locator('.pay-ways .chip').nth(1).click();
  await check('shares');
  await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await check('shares-end');
  expect(found).toEqual([]);
});
