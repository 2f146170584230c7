import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { PixCharge } from '@comanda/contracts/pix';
import { checkScreens, inBothLanguages, misfitsOf } from '@comanda/testing/page-checks';
import { dishNamed, minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { longWord, looks } from '../support/looks.ts';
import { phone, press, says, tablet } from '../support/page.ts';
import { newPayment } from './manager-states.ts';
import { manager, newCall, newTable, onDuty } from './states.ts';

// Payments by Pix on the waiters' pages.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const order = newOrder({ seating: 88, items: [{ dish: dishNamed('Feijoada'), status: 'delivered' }] });
const open = newBill([order]);
const reserved = newPayment({
  method: 'pix',
  status: 'reserved',
  amount: '68.20',
  total: '68.20',
  settled_at: null,
  expires_at: minutesAgo(-10),
  pix: { confirmed_by: null, end_to_end_id: null },
});
const withPayment = (payment: BillPayment, version = 2) =>
  newBill([order], {
    version,
    payments: [payment],
    ...(payment.status === 'reserved' && { reserved: payment.amount }),
    ...(payment.status === 'paid' && { paid: payment.amount, remaining: '0.00' }),
  });
const charge: PixCharge = {
  payment_id: 77,
  txid: '7d9f0335d6c64f3b8f3b0c2a1e4d5f60',
  code: '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca255204000053039865802BR5914CANTINA DA ANA6009SAO PAULO62070503***6304FB29',
  amount: '68.20',
  mode: 'bank',
  expires_at: minutesAgo(-10),
};
const paidBy = (confirmedBy: 'bank' | 'staff'): BillPayment => ({
  ...reserved,
  status: 'paid',
  settled_at: minutesAgo(0),
  pix: { confirmed_by: confirmedBy, end_to_end_id: null },
});

const atTable = (shown = open, { answers, ...more }: Partial<State> = {}): State =>
  onDuty({
    orders: [order],
    bills: [shown],
    tables: [newTable('12', 88)],
    ...more,
    answers: { getPix: { mode: 'bank' }, getBill: shown, createPixCharge: charge, ...answers },
  });
const show = (path: string, shown = open, more: Partial<State> = {}): Promise<Page> =>
  stand.show(atTable(shown, more), `#/waiter/${path}`, phone);
const emit = (payment: BillPayment, version: number): Promise<void> =>
  stand.emit('bill.changed', {
    bill: withPayment(payment, version),
    change: { kind: 'payment_paid' },
    actor: { id: 7, role: 'customer' },
  });

describe('a payment by Pix', () => {
  test('shows its code to the guest, and that it is paid, as soon as the feed says so', async () => {
    const page = await show('bill/312/pay', open, { answers: { payBill: reserved } });
    await press(page, 'Pix');
    await stand.answer({ getBill: withPayment(reserved) });
    await press(page, 'Show Pix code · R$ 68.20');
    await page.getByRole('img', { name: 'Pix QR code for R$ 68.20' }).waitFor();
    await says(page.getByRole('status', { name: 'Payment' }), /^Waiting for the bank · valid until \d\d:\d\d$/);
    expect((await stand.calls('payBill'))[0]?.input).toEqual({
      id: 312,
      method: 'pix',
      part: { rest: true },
      expected_amount: '68.20',
      tip: '0.00',
    });
    // A waiter can't confirm it in place of the bank.
    expect(await page.getByRole('button', { name: /bank/ }).count()).toBe(0);
    await emit(paidBy('bank'), 3);
    await page.getByRole('heading', { name: /^R\$ 68\.20 paid at \d\d:\d\d$/ }).waitFor();
    await says(page, 'Confirmed by the bank');
    await page.getByRole('button', { name: 'Close bill and free table 12' }).waitFor();
  });

  test('is offered only where the restaurant takes Pix', async () => {
    const page = await show('bill/312/pay', open, { answers: { getPix: { mode: 'off' } } });
    await page.getByRole('button', { name: 'Card', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Pix', exact: true }).count()).toBe(0);
  });

  test('of a guest is seen on the bill, with its code, before it is paid', async () => {
    const page = await show('bill/312', withPayment(reserved));
    await says(page, /· not paid yet/);
    await page.getByRole('link', { name: 'Show code: Pix R$ 68.20' }).click();
    await page.getByRole('img', { name: 'Pix QR code for R$ 68.20' }).waitFor();
  });

  test.each([
    ['bank', 'Table 12: Pix R$ 68.20 is paid.'],
    ['staff', 'Table 12: staff confirmed Pix R$ 68.20.'],
  ] as const)('tells on every page that it is paid, as the %s says', async (confirmedBy, text) => {
    const page = await show('tables', withPayment(reserved));
    await page.getByRole('button', { name: 'By need' }).waitFor();
    await emit(paidBy(confirmedBy), 3);
    await says(page, text);
  });

  test('is confirmed by staff where the restaurant looks into the bank’s app', async () => {
    const confirmed = { payment_id: 77, confirmed_by: 'staff' } as const;
    const page = await show('bill/312/pix/77', withPayment(reserved), {
      answers: {
        createPixCharge: { ...charge, mode: 'staff' },
        confirmPixCharge: { turns: [fails('payment_not_payable'), confirmed] },
      },
    });
    await press(page, 'It is in the bank’s app');
    await page.getByRole('textbox', { name: /^Reference/ }).fill('E0000');
    await press(page, 'Yes, R$ 68.20 is there');
    await says(page, 'This payment can no longer be confirmed.');
    await says(page, 'give it back in the bank’s app');
    await press(page, 'Yes, R$ 68.20 is there');
    expect((await stand.calls('confirmPixCharge'))[0]?.input).toEqual({ payment_id: 77, reference: 'E0000' });
    await emit(paidBy('staff'), 3);
    await says(page, 'Confirmed by staff');
  });

  test.each([
    ['expired', /code expired/, 'This code has expired'],
    ['cancelled', /code cancelled/, 'This Pix was cancelled'],
  ] as const)('is confirmed by staff even if it is %s', async (status, detail, title) => {
    const page = await show('bill/312', withPayment({ ...reserved, status, created_at: minutesAgo(5) }), {
      answers: {
        createPixCharge: { ...charge, mode: 'staff' },
        confirmPixCharge: { payment_id: 77, confirmed_by: 'staff' },
      },
    });
    await says(page, detail);
    await page.getByRole('link', { name: 'Show code: Pix R$ 68.20' }).click();
    await page.getByRole('heading', { name: title }).waitFor();
    await press(page, 'It is in the bank’s app');
    await press(page, 'Yes, R$ 68.20 is there');
    await emit(paidBy('staff'), 3);
    await says(page, 'Confirmed by staff');
  });

  test('is confirmed by a manager while the bank is down', async () => {
    const page = await show('bill/312/pix/77', withPayment(reserved), {
      who: manager,
      answers: { confirmPixCharge: fails('payment_not_payable') },
    });
    await press(page, 'The bank is down: confirm by hand');
    await press(page, 'Yes, R$ 68.20 is there');
    await says(page, 'This payment can no longer be confirmed.');
    await says(page, 'A manager finds the money under “Pix”.');
  });

  test('says that there is no code until there is one', async () => {
    const page = await show('bill/312/pix/77', withPayment(reserved), {
      answers: { createPixCharge: fails('service_unavailable', { retryAfterMs: 10 }) },
    });
    await page.getByRole('heading', { name: 'The code isn’t ready yet' }).waitFor();
    await stand.answer({ createPixCharge: charge });
    await page.getByRole('img', { name: /^Pix QR code/ }).waitFor();
  });

  test('is cancelled after a question', async () => {
    const cancelled = { ...reserved, status: 'cancelled' } as const;
    const page = await show('bill/312/pix/77', withPayment(reserved), {
      answers: { cancelBillPayment: cancelled },
    });
    await press(page, 'Cancel this Pix');
    await stand.answer({ getBill: withPayment(cancelled, 3) });
    await press(page, 'Not paid. Cancel it');
    await page.getByRole('heading', { name: 'This Pix was cancelled' }).waitFor();
    await page.getByRole('link', { name: 'Take payment again' }).click();
    await page.getByRole('button', { name: 'Pix', pressed: true }).waitFor();
    expect((await stand.calls('cancelBillPayment'))[0]?.input).toEqual({ id: 312, payment_id: 77 });
  });
});

test('a call with an amount says it, and opens the payment of it', async () => {
  const call = newCall({ kind: 'bill', method: 'card', amount: '30.00', note: 'plus a R$ 3.00 tip' });
  const taken = { ...call, status: 'taken', taken_by: { id: 2, role: 'waiter' }, version: 2 } as const;
  const page = await show('ready', open, { answers: { listCalls: [call], updateCall: taken } });
  await page.getByRole('heading', { name: 'Table 12 wants to pay R$ 30.00 by card' }).waitFor();
  await press(page, 'I’ll go');
  await page.getByRole('link', { name: 'Take payment' }).click();
  await page.getByRole('button', { name: 'Record card R$ 30.00' }).waitFor();
});

test('a wish of more than is left is filled in as what is left, without a tip', async () => {
  const page = await show('bill/312/pay/cash/75.00');
  await page.getByRole('button', { name: 'Cash R$ 68.20, close bill' }).waitFor();
});

test('a bill is not closed while a Pix for its rest is not paid', async () => {
  const page = await show('bill/312', newBill([order], { payments: [reserved], reserved: '68.20', remaining: '0.00' }));
  await says(page, 'A Pix is not paid yet');
  expect(await page.getByRole('button', { name: /^Close bill/ }).count()).toBe(0);
});

test('a manager gives back on another page what the bank has confirmed', async () => {
  const page = await show('bill/312', withPayment(paidBy('bank')), { who: manager });
  await says(page, /confirmed by the bank/);
  const link = page.getByRole('link', { name: 'Refund Pix R$ 68.20' });
  expect(await link.getAttribute('href')).toBe('#/manager/pix/312/77');
});

test('every state of a Pix fits on every screen', async () => {
  const large = newPayment({
    ...reserved,
    amount: '99999.99',
    tip: '9999.99',
    total: '109999.98',
    payer: { id: 7, name: longWord },
    expires_at: minutesAgo(-10),
  });
  const all = inBothLanguages({ ...looks, tablet, kiosk: { viewport: { width: 1024, height: 768 } } });
  const measure = async (page: Page): Promise<string[]> =>
    (page.viewportSize()?.width ?? 0) < 320 ? [] : misfitsOf(page);
  const found: string[] = [];
  const states: Readonly<Record<string, [BillPayment, Partial<State>, string, string]>> = {
    code: [large, {}, 'bill/312/pix/77', '.qr-code'],
    staff: [large, { answers: { createPixCharge: { ...charge, mode: 'staff' } } }, 'bill/312/pix/77', '.qr-code'],
    late: [
      large,
      { answers: { createPixCharge: fails('service_unavailable', { retryAfterMs: 10 }) } },
      'bill/312/pix/77',
      'section h2',
    ],
    paid: [{ ...large, ...paidBy('bank'), total: '109999.98' }, {}, 'bill/312/pix/77', '.pix-paid'],
    expired: [{ ...large, status: 'expired' }, {}, 'bill/312/pix/77', '.pay-record'],
    bill: [large, {}, 'bill/312', '.bill-payment'],
    method: [{ ...large, status: 'expired' }, {}, 'bill/312/pay/pix', '.pay-record .button-primary'],
  };
  for (const [state, [payment, more, path, ready]] of Object.entries(states)) {
    const page = await stand.show(
      atTable(newBill([order], { version: 2, payments: [payment] }), more),
      `#/waiter/${path}`,
      looks['at-195'],
    );
    await page.locator(ready).first().waitFor();
    if (state === 'staff') await page.locator('.button-primary').click();
    const screen = checkScreens(page, { looks: all, shoot: stand.shoot, name: 'waiter-pix', measure });
    await screen.check(state);
    found.push(...screen.found);
  }
  expect(found).toEqual([]);
});
