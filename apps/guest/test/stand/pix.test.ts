import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dishNamed, minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable } from '@comanda/testing/stand/state';
import { guestPage } from '../support/guest.ts';
import { newCall, newPayment, newPix, newPixCharge, seated } from './states.ts';

// Payments by Pix: the page at each step, on the phone of the guest who pays and on that of another guest.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

/** Two guests at table 12. This phone has ordered a Feijoada (R$ 68.20 with service), and the other a milk flan. */
const own = newOrder({ id: 1042, items: [dishNamed('Feijoada').name] });
const other = newOrder({ id: 1043, items: ['Pudim de leite'], placed_by: { id: 8, name: 'Table 12' } });
const orders = [own, other];
const open = newBill(orders);
const part = { lines: [{ line_id: open.lines[0]?.id ?? 0, quantity: 1 }] };
const reserved = newPix({ part });
const withPix = (payment: typeof reserved, version = 2) =>
  newBill(orders, { version, payments: [payment], reserved: payment.status === 'reserved' ? payment.amount : '0.00' });
const pixAnswers = { getPix: { mode: 'bank' }, payBill: reserved, createPixCharge: newPixCharge() } as const;
const others = newPix({ id: 78, payer: { id: 8, name: 'Table 12' }, part: { shares: 1, of: 3 } });

async function show(path = '#/pay', { answers, bills = [open], ...more }: Parameters<typeof seated>[0] = {}) {
  const page = await stand.show(seated({ orders, bills, answers: { ...pixAnswers, ...answers }, ...more }), path);
  const guest = guestPage(page);
  return {
    page,
    ...guest,
    says: (text: string | RegExp) => page.getByRole('status', { name: 'Payment' }).getByText(text).waitFor(),
  };
}
const emit = (payment: typeof reserved, version: number, differs: Partial<typeof open> = {}): Promise<void> =>
  stand.emit('bill.changed', {
    bill: { ...withPix(payment, version), ...differs },
    change: { kind: 'payment_paid' },
    actor: { id: 9, role: 'waiter' },
  });
const paid = newPix({
  part,
  status: 'paid',
  settled_at: minutesAgo(0),
  pix: { confirmed_by: 'bank', end_to_end_id: null },
});
/** The data on the device of a guest who has reserved this payment and has its code. */
const keptPix = (payment: typeof reserved, charge: object | null = newPixCharge()) => ({
  'comanda.pix': JSON.stringify({
    plan: { billId: 312, currency: 'BRL', part, amount: '68.20', tip: '0.00' },
    userId: 7,
    key: 'reserve',
    payment,
    charge,
    at: Date.now(),
  }),
});

describe('the ways to pay', () => {
  test('have Pix only where the restaurant takes it', async () => {
    const { button } = await show('#/pay', { answers: { getPix: { mode: 'off' } } });
    await button('Card').waitFor();
    expect(await button('Pay with Pix').count()).toBe(0);
    expect(await button('From my account').count()).toBe(0);
  });
  test('select a guest’s own dishes at first', async () => {
    const { page, button } = await show();
    await page.locator('.pay-total').getByText('R$ 68.20').waitFor();
    expect(await button('Just my dishes').getAttribute('aria-pressed')).toBe('true');
  });
  test('are those for the code while this guest has one that is not paid', async () => {
    const cancelBillPayment = { ...reserved, status: 'cancelled' } as const;
    const { button, sees } = await show('#/pay', {
      bills: [withPix(reserved)],
      answers: { cancelBillPayment, getBill: open },
    });
    await sees('You’re paying R$ 68.20 by Pix');
    await button('Cancel it and choose again').click();
    await button('I’ve paid. Wait').click();
    expect(await stand.calls('cancelBillPayment')).toEqual([]);
    await button('Cancel it and choose again').click();
    await stand.answer({ getBill: newBill(orders, { version: 3 }) });
    await button('I haven’t paid. Cancel it').click();
    await emit({ ...reserved, status: 'cancelled' }, 3);
    await button('Pay with Pix').waitFor();
  });
});

describe('a Pix code', () => {
  test('is copied, and becomes a receipt once the bank has the money', async () => {
    const { page, button, says, sees } = await show();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Pay with Pix').click();
    await says(/^Waiting for the bank · valid until \d\d:\d\d$/);
    expect((await stand.calls('payBill'))[0]?.input).toMatchObject({
      id: 312,
      method: 'pix',
      part,
      expected_amount: '68.20',
      tip: '0.00',
    });
    expect((await stand.calls('createPixCharge'))[0]?.input).toEqual({
      payment_id: 77,
      amount: '68.20',
      currency: 'BRL',
    });
    await button('Copy Pix code').click();
    await sees('Copied. Now paste it in your bank’s app.');
    await page.getByRole('img', { name: 'Pix QR code for R$ 68.20' }).waitFor();
    await emit(paid, 3, { paid: '68.20', remaining: '19.80', reserved: '0.00' });
    await page.getByRole('heading', { name: /^Paid R\$ 68\.20 at \d\d:\d\d$/ }).waitFor();
    await sees('the bank');
    await sees('R$ 19.80 left on the bill');
    await button('View bill').click();
    await sees('Your part is paid. Thank you!');
    expect(await page.evaluate(() => localStorage.getItem('comanda.pix'))).toBeNull();
  });
  test('of another guest is the same on this phone', async () => {
    const charge = newPixCharge({ payment_id: 78 });
    const { page, sees, button } = await show('#/bill', {
      bills: [withPix(others)],
      answers: { createPixCharge: charge },
    });
    const list = page.getByRole('region', { name: 'Payments' });
    await list.getByText('Guest 1 · Pix').waitFor();
    await list.getByText('not paid yet · 1 of 3 shares').waitFor();
    await page.getByRole('link', { name: 'Show code: Guest 1 · Pix' }).click();
    await sees('Guest 1 pays');
    expect(await page.locator('.pix-code').textContent()).toBe(charge.code);
    await button('Copy Pix code').waitFor();
    // Only its payer can cancel it.
    expect(await button('Pay another way').count()).toBe(0);
  });
  test('of another guest that is not ready leads back without being cancelled', async () => {
    const createPixCharge = fails('service_unavailable', { retryAfterMs: 10 });
    const { page, button } = await show('#/pay/pix/78', { bills: [withPix(others)], answers: { createPixCharge } });
    await button('Pay another way').click();
    await page.getByRole('heading', { name: 'Pay', exact: true }).waitFor();
    expect(await stand.calls('cancelBillPayment')).toEqual([]);
  });
  test('stays readable without a network, even after a reload', async () => {
    const { page, sees } = await show('#/pay/pix', {
      bills: [],
      orders: [],
      feed: { status: 'stalled' },
      device: keptPix(reserved),
      answers: { listBills: unreachable, listOrders: unreachable, getPix: unreachable },
    });
    await page.getByRole('img', { name: 'Pix QR code for R$ 68.20' }).waitFor();
    await sees('You’re offline.');
  });
  test('is asked for until the bank responds, and the guest can pay another way', async () => {
    const { button, says, page } = await show('#/pay', {
      answers: { createPixCharge: fails('service_unavailable', { retryAfterMs: 10 }) },
    });
    await button('Pay with Pix').click();
    await page.getByRole('heading', { name: 'The code isn’t ready yet' }).waitFor();
    await says(/^No code on this phone yet\./);
    await button('Pay another way').click();
    await button('I’ve paid. Wait').click();
    expect(await stand.calls('cancelBillPayment')).toEqual([]);
    await stand.answer({ createPixCharge: newPixCharge() });
    await says(/^Waiting for the bank/);
  });
  test('that staff confirm is shown to the waiter, who is called with the amount', async () => {
    const answers = {
      createPixCharge: newPixCharge({ mode: 'staff' }),
      call: newCall({ method: null, amount: '68.20', note: 'Pix' }),
    };
    const { button, says, page } = await show('#/pay/pix', {
      bills: [withPix(reserved)],
      device: keptPix(reserved, null),
      answers,
    });
    await says(/^Show the waiter · valid until \d\d:\d\d$/);
    await button('I’ve paid. Call a waiter').click();
    await page
      .locator('main')
      .getByText(/^Waiter called at \d\d:\d\d$/)
      .waitFor();
    expect((await stand.calls('call'))[0]?.input).toEqual({ kind: 'bill', amount: '68.20', note: 'Pix' });
    const byStaff = { ...paid, pix: { confirmed_by: 'staff', end_to_end_id: null } } as const;
    await emit(byStaff, 3, { paid: '68.20', remaining: '19.80', reserved: '0.00' });
    await page.getByText('the restaurant').waitFor();
  });
  test('that has expired is replaced by a new one, and a late payment of it still shows', async () => {
    const expired = { ...reserved, expires_at: minutesAgo(1) };
    const { button, says, sees, page } = await show('#/pay/pix', {
      bills: [withPix(expired)],
      device: keptPix(expired, newPixCharge({ expires_at: minutesAgo(1) })),
      answers: { payBill: newPix({ id: 79, part }), createPixCharge: newPixCharge({ payment_id: 79 }) },
    });
    await page.getByRole('heading', { name: 'This code has expired' }).waitFor();
    await sees('Already paid? We will find it');
    await button('New Pix code').click();
    await says(/^Waiting for the bank/);
    expect((await stand.calls('payBill'))[0]?.input).toMatchObject({ part, expected_amount: '68.20', method: 'pix' });
  });
  test('that is paid leaves what others have not paid yet', async () => {
    const bill = newBill(orders, { payments: [paid, others], paid: '68.20', remaining: '0.00', reserved: '19.80' });
    const { sees } = await show('#/pay/pix/77', { bills: [bill] });
    await sees('R$ 19.80 left on the bill');
  });
  test('that staff confirm is shown to the waiter even after it has expired', async () => {
    const expired = newPix({ part, status: 'expired' });
    const call = newCall({ method: null, amount: '68.20', note: 'Pix' });
    const { button, sees } = await show('#/pay/pix', {
      bills: [withPix(expired)],
      device: keptPix(expired, newPixCharge({ mode: 'staff' })),
      answers: { getPix: { mode: 'off' }, call },
    });
    await sees('Show this page to a waiter');
    await button('I’ve paid. Call a waiter').click();
    await sees(/^Waiter called at \d\d:\d\d$/);
  });
  test('that was paid after its end becomes a receipt', async () => {
    const expired = newPix({ part, status: 'expired' });
    const { page, sees, button } = await show('#/pay/pix', { bills: [withPix(expired)], device: keptPix(expired) });
    await sees('Already paid? We will find it');
    await sees(/^Keep this page open\. .* as soon as the bank reports it\./);
    await sees('If you sent another amount, tell a waiter: the manager sees it and gives it back.');
    expect(await button('I’ve paid. Call a waiter').count()).toBe(0);
    await emit(paid, 3, { paid: '68.20', remaining: '19.80', reserved: '0.00' });
    await page.getByRole('heading', { name: /^Paid R\$ 68\.20/ }).waitFor();
  });
  test('asks before it is cancelled, and leads back to the ways to pay', async () => {
    const cancelBillPayment = { ...reserved, status: 'cancelled' } as const;
    const { page, button } = await show('#/pay/pix', {
      bills: [withPix(reserved)],
      device: keptPix(reserved),
      answers: { cancelBillPayment, getBill: newBill(orders, { version: 3 }) },
    });
    await button('Pay another way').click();
    await button('I haven’t paid. Cancel it').click();
    await page.getByRole('heading', { name: 'Pay', exact: true }).waitFor();
    expect(await stand.calls('cancelBillPayment')).toMatchObject([{ input: { id: 312, payment_id: 77 } }]);
  });
});

describe('a call for a waiter', () => {
  const byCard = newCall({ method: 'card', amount: '68.20' });
  const updateCall = { ...byCard, status: 'cancelled', version: 2 } as const;
  test('after a Pix replaces the one for a card', async () => {
    const createPixCharge = newPixCharge({ mode: 'staff' });
    const call = newCall({ id: 52, method: null, amount: '68.20', note: 'Pix' });
    const { button } = await show('#/pay/pix', {
      bills: [withPix(reserved)],
      device: keptPix(reserved, createPixCharge),
      answers: { createPixCharge, call, updateCall, listCalls: [byCard] },
    });
    await button('I’ve paid. Call a waiter').click();
    await button('I’ve paid. Call a waiter').waitFor({ state: 'detached' });
    expect(await stand.calls('updateCall')).toMatchObject([{ input: { id: 51, status: 'cancelled' } }]);
    expect(await stand.calls('call')).toMatchObject([{ input: { amount: '68.20', note: 'Pix' } }]);
  });
  test('for a card ends once the guest pays by Pix', async () => {
    const { button, says } = await show('#/pay', { answers: { updateCall, listCalls: [byCard] } });
    await button('Pay with Pix').click();
    await says(/^Waiting for the bank/);
    expect(await stand.calls('updateCall')).toMatchObject([{ input: { id: 51, status: 'cancelled' } }]);
  });
});

describe('a reservation by Pix', () => {
  test('shows the old amount beside the new one if the bill has changed', async () => {
    const changed = fails('bill_changed', { members: { amount: '38.20' } });
    const { page, button, says } = await show('#/pay', { answers: { payBill: { turns: [changed, reserved] } } });
    await button('Pay with Pix').click();
    await page.getByRole('heading', { name: 'The amount has changed' }).waitFor();
    await page.locator('main').getByText('R$ 68.20').waitFor();
    // A reload asks again.
    const kept = await page.evaluate(() => localStorage.getItem('comanda.pix'));
    expect(JSON.parse(kept ?? '')).toMatchObject({ plan: { amount: '68.20' } });
    await button('Continue with R$ 38.20').click();
    await says(/^Waiting for the bank/);
    const calls = await stand.calls('payBill');
    expect(calls.map(({ input }) => input['expected_amount'])).toEqual(['68.20', '38.20']);
    expect(new Set(calls.map(({ key }) => key)).size).toBe(2);
  });
  test('without a response is repeated with its key', async () => {
    const { button, says } = await show('#/pay', { answers: { payBill: { turns: [unreachable, reserved] } } });
    await button('Pay with Pix').click();
    await button('Try again').click();
    await says(/^Waiting for the bank/);
    expect(new Set((await stand.calls('payBill')).map(({ key }) => key)).size).toBe(1);
  });
  test('continues after a reload', async () => {
    const { says, page } = await show('#/pay', { answers: { payBill: never } });
    await page.getByRole('button', { name: 'Pay with Pix' }).click();
    await says('Reserving your part…');
    expect(await page.evaluate(() => localStorage.getItem('comanda.pix'))).toContain('"payment":null');
  });
});

test('the bill lists who pays which part, and how', async () => {
  const card = newPayment({
    id: 80,
    method: 'card',
    status: 'paid',
    payer: null,
    part: { amount: '10.00' },
    amount: '10.00',
    total: '10.00',
  });
  const byStaff = newPix({ ...paid, id: 81, pix: { confirmed_by: 'staff', end_to_end_id: null } });
  const bill = newBill(orders, { payments: [paid, card, others, byStaff], paid: '78.20', remaining: '9.80' });
  const { page } = await show('#/bill', { bills: [bill] });
  const rows = page.getByRole('region', { name: 'Payments' }).getByRole('listitem');
  await rows.nth(3).waitFor();
  const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(texts[0]).toMatch(/^You · Pix R\$ 68\.20 paid · Feijoada/);
  expect(texts[1]).toMatch(/^Card R\$ 10\.00 paid · a part of the bill/);
  expect(texts[2]).toMatch(/^Guest 1 · Pix .* Show code$/);
  expect(texts[3]).toMatch(/confirmed by the restaurant · Feijoada/);
});
