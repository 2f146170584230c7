import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { PixReceipt } from '@comanda/contracts/pix';
import { checkScreens, inBothLanguages, misfitsOf } from '@comanda/testing/page-checks';
import { minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, unreachable, type State } from '@comanda/testing/stand/state';
import { pin } from '@comanda/testing/step-up-calls';
import type { Page } from 'playwright-core';
import { longName, longWord, looks } from '../support/looks.ts';
import { press, says, tablet } from '../support/page.ts';
import { afterPin, managing, newPayment } from './manager-states.ts';

// The page on which managers sort out Pix that pay no bill, and give back those that do.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const newReceipt = (differs: Partial<PixReceipt> = {}): PixReceipt => ({
  end_to_end_id: 'E00000000202611202100abcdef12345',
  amount: '68.20',
  received_at: minutesAgo(3),
  txid: null,
  payment_id: null,
  state: 'unmatched',
  reason: 'no_charge',
  dismissed: null,
  note: null,
  refunds: [],
  version: 1,
  ...differs,
});
const order = newOrder({ items: ['Feijoada'] });
const bill = newBill([order]);
const small = newBill([newOrder({ id: 52, items: ['Pudim de leite'] })], { id: 313, table: '9' });
const settled = newReceipt({ state: 'settled', reason: null, payment_id: 77, version: 2 });
const state = (receipts: readonly PixReceipt[], answers: State['answers'] = {}): State =>
  managing({
    bills: [bill, small],
    answers: { getPix: { mode: 'bank' }, getBill: bill, listPixReceipts: [...receipts], ...answers },
  });
const show = (shown: State, path = 'pix', look: Parameters<Stand['show']>[2] = tablet): Promise<Page> =>
  stand.show(shown, `#/manager/${path}`, look);
async function enterPin(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'PIN' }).and(page.locator('[aria-busy=false]')).waitFor();
  await page.keyboard.type(pin);
  await press(page, 'Confirm');
}
const inputsOf = async (name: Parameters<Stand['calls']>[0]) => (await stand.calls(name)).map(({ input }) => input);

test('a Pix without a bill is assigned to the bill of its amount', async () => {
  const payBill = newPayment({ id: 90, method: 'pix', status: 'reserved' });
  const page = await show(state([newReceipt({ note: 'mesa 9' })], { payBill, assignPix: settled }));
  await says(page, 'Paid to your key, without a code');
  await says(page, 'Payer’s text: mesa 9');
  await press(page, 'Assign R$ 68.20');
  // The likeliest bill comes first.
  expect(await page.getByRole('radio').count()).toBe(1);
  await page.getByRole('radio', { name: /^Table 12 R\$ 68\.20 left to pay$/ }).check();
  await press(page, 'Assign to Table 12');
  await says(page, 'pays a bill');
  expect(await inputsOf('payBill')).toEqual([
    { id: 312, method: 'pix', part: { rest: true }, expected_amount: '68.20', tip: '0.00' },
  ]);
  expect(await inputsOf('assignPix')).toEqual([{ e2e: 'E00000000202611202100abcdef12345', payment_id: 90 }]);
});

test('a Pix of more than the rest of a bill leaves a tip', async () => {
  const payBill = newPayment({ id: 90, method: 'pix', status: 'reserved' });
  const page = await show(state([newReceipt({ amount: '75.00' })], { payBill, assignPix: settled }));
  await press(page, 'Assign R$ 75.00');
  await page.getByRole('radio', { name: /^Table 12 R\$ 68\.20 left to pay, R\$ 6\.80 as a tip$/ }).check();
  await press(page, 'Assign to Table 12');
  await says(page, 'pays a bill');
  expect(await inputsOf('payBill')).toMatchObject([{ part: { rest: true }, expected_amount: '68.20', tip: '6.80' }]);
});

test('a Pix that a bill does not accept says why, and its part is free again', async () => {
  const payBill = newPayment({ id: 90, method: 'pix', status: 'reserved' });
  const assignPix = newReceipt({ reason: 'already_paid', payment_id: 90, version: 2 });
  const cancelBillPayment = { ...payBill, status: 'cancelled' } as const;
  const page = await show(state([newReceipt()], { payBill, assignPix, cancelBillPayment }));
  await press(page, 'Assign R$ 68.20');
  await page.getByRole('radio', { name: /^Table 12 / }).check();
  await press(page, 'Assign to Table 12');
  await says(page, 'It wasn’t assigned: Paid twice');
  expect(await inputsOf('cancelBillPayment')).toEqual([{ id: 312, payment_id: 90 }]);
});

/** Assigns the Pix to table 12, gets no response, and assigns it again although its part has been reserved by then. */
async function assignAgain(answers: State['answers']): Promise<void> {
  const page = await show(state([newReceipt()], answers));
  await press(page, 'Assign R$ 68.20');
  await page.getByRole('radio', { name: /^Table 12 / }).check();
  await press(page, 'Assign to Table 12');
  await page.getByRole('alert').waitFor();
  await stand.emit('bill.changed', {
    bill: { ...bill, version: 2, remaining: '0.00', reserved: '68.20', payments: [reservedPart] },
    change: { kind: 'payment_reserved' },
    actor: { id: 1, role: 'manager' },
  });
  await press(page, 'Assign to Table 12');
  await says(page, 'pays a bill');
}
const reservedPart = newPayment({ id: 90, method: 'pix', status: 'reserved' });

test('a Pix whose assignment got no response is assigned again with the same payment', async () => {
  await assignAgain({ payBill: reservedPart, assignPix: { turns: [unreachable, settled] } });
  expect(await inputsOf('payBill')).toHaveLength(1);
  expect(await inputsOf('assignPix')).toHaveLength(2);
});

test('a part whose reservation got no response is reserved again with the same key', async () => {
  await assignAgain({ payBill: { turns: [unreachable, reservedPart] }, assignPix: settled });
  const [first, second] = await stand.calls('payBill');
  expect(second).toEqual(first);
  expect(first?.key).toBeDefined();
});

/** Assigns the Pix to table 12, gets no response to the reservation, and loads the page again. Returns the call, too. */
async function reloadUnfinished(answers: State['answers']) {
  const page = await show(state([newReceipt()], { payBill: unreachable }));
  await press(page, 'Assign R$ 68.20');
  await page.getByRole('radio', { name: /^Table 12 / }).check();
  await press(page, 'Assign to Table 12');
  await page.getByRole('alert').waitFor();
  const [reserved] = await stand.calls('payBill');
  await page.reload();
  await says(page, 'Assigning it to Table 12 isn’t finished. Try again, or give up and free its part of the bill.');
  expect(await page.getByRole('radio').count()).toBe(0);
  await stand.answer({ payBill: reservedPart, ...answers });
  return { page, reserved };
}

test('a part whose reservation got no response is still known after a reload, and pays its bill', async () => {
  const { page, reserved } = await reloadUnfinished({ assignPix: settled });
  await press(page, 'Assign to Table 12');
  await says(page, 'pays a bill');
  expect(await stand.calls('payBill')).toEqual([reserved]);
  expect(await inputsOf('assignPix')).toEqual([{ e2e: settled.end_to_end_id, payment_id: 90 }]);
  expect(await page.evaluate(() => sessionStorage.getItem('comanda.manager.pix-reservations'))).toBeNull();
});

test('a part whose reservation got no response can be given up, for another bill', async () => {
  const { page, reserved } = await reloadUnfinished({
    cancelBillPayment: { turns: [unreachable, { ...reservedPart, status: 'cancelled' }] },
  });
  await press(page, 'Give up');
  await page.getByRole('alert').waitFor();
  await press(page, 'Give up');
  await page.getByRole('radio', { name: /^Table 12 / }).waitFor();
  expect(await stand.calls('payBill')).toEqual([reserved]);
  expect(await inputsOf('cancelBillPayment')).toEqual([
    { id: 312, payment_id: 90 },
    { id: 312, payment_id: 90 },
  ]);
  await page.reload();
  await page.getByRole('button', { name: 'Assign R$ 68.20' }).waitFor();
});

test('a reservation that has ended by itself can be given up too', async () => {
  const cancelBillPayment = fails('payment_not_payable', { members: { payment_status: 'expired' } });
  const { page } = await reloadUnfinished({ cancelBillPayment });
  await press(page, 'Give up');
  await page.getByRole('radio', { name: /^Table 12 / }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a part whose release needs another sign-in stays reserved for the Pix', async () => {
  const { page } = await reloadUnfinished({ cancelBillPayment: fails('authentication_required') });
  await press(page, 'Give up');
  await page.getByRole('alert').waitFor();
  await page.reload();
  await says(page, /^Assigning it to Table 12 isn’t finished/);
});

test('a Pix that someone else has decided about leaves no part reserved', async () => {
  const payBill = newPayment({ id: 90, method: 'pix', status: 'reserved' });
  const assignPix = fails('pix_receipt_state', { members: { state: 'refunding' } });
  const cancelBillPayment = { ...payBill, status: 'cancelled' } as const;
  const page = await show(state([newReceipt()], { payBill, assignPix, cancelBillPayment }));
  await press(page, 'Assign R$ 68.20');
  await page.getByRole('radio', { name: /^Table 12 / }).check();
  await press(page, 'Assign to Table 12');
  await says(page, 'Someone else has already decided about this Pix.');
  expect(await inputsOf('cancelBillPayment')).toEqual([{ id: 312, payment_id: 90 }]);
});

test('a Pix is given back with the PIN, whose dialog says how much', async () => {
  const refunding = newReceipt({
    state: 'refunding',
    version: 2,
    refunds: [{ id: 'R1', status: 'processing', at: minutesAgo(0), by: { id: 1, name: 'Marta' } }],
  });
  const { turns, stepUp } = afterPin(refunding);
  const page = await show(state([newReceipt()], { refundPix: { turns }, stepUp }));
  await press(page, 'Give back R$ 68.20');
  await says(page, 'You give back R$ 68.20 to the account that paid it.');
  await enterPin(page);
  await says(page, 'being given back');
  await says(page.locator('.pix-receipt'), /^Marta, /);
  expect((await inputsOf('stepUp'))[0]).toMatchObject({
    authorization_details: [
      { type: 'pix_refund', end_to_end_id: 'E00000000202611202100abcdef12345', amount: '68.20', currency: 'BRL' },
    ],
  });
});

test('a Pix that is not the restaurant’s is dismissed with a reason', async () => {
  const dismissed = { reason: 'Rent', at: minutesAgo(0), by: { id: 1, name: 'Marta' } };
  const page = await show(
    state([newReceipt()], {
      dismissPix: {
        turns: [
          fails('pix_receipt_state', { members: { state: 'settled' } }),
          newReceipt({ state: 'dismissed', dismissed }),
        ],
      },
    }),
  );
  await press(page, 'R$ 68.20 is not ours');
  await page.getByLabel('Reason').fill('Rent');
  await press(page, 'Not ours');
  await says(page, 'Someone else has already decided about this Pix.');
  await press(page, 'Not ours');
  await says(page, 'Rent · Marta,');
});

test('a new Pix appears in the list by itself', async () => {
  const page = await show(state([]));
  await says(page, 'All sorted out.');
  await stand.answer({ listPixReceipts: [newReceipt()] });
  const { note: _note, ...receipt } = newReceipt();
  await stand.emit('pix.receipt_changed', { receipt });
  await page.getByRole('button', { name: 'Assign R$ 68.20' }).waitFor();
});

test('the Pix of one payment is found from its bill', async () => {
  const payment = newPayment({
    method: 'pix',
    pix: { confirmed_by: 'bank', end_to_end_id: settled.end_to_end_id },
  });
  const page = await show(state([], { getBillPayment: payment, getPixReceipt: settled }), 'pix/312/77');
  await page.getByRole('button', { name: 'Give back R$ 68.20' }).waitFor();
  expect(await page.getByRole('button', { name: /^Assign/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'All Pix' }).click();
  await says(page, 'All sorted out.');
});

test('the page is in the menu where the restaurant takes Pix or has received any', async () => {
  const page = await show(state([newReceipt()]), 'bills');
  // It says how many Pix there are to sort out.
  await page.getByRole('link', { name: 'Pix · 1' }).waitFor();
  await show(state([], { getPix: { mode: 'off' } }), 'bills');
  await page.getByRole('link', { name: 'Deposits' }).waitFor();
  expect(await stand.page.getByRole('link', { name: /^Pix/ }).count()).toBe(0);
  // Money may come after Pix was turned off.
  await show(state([newReceipt()], { getPix: { mode: 'off' } }), 'bills');
  await page.getByRole('link', { name: 'Pix · 1' }).waitFor();
  await show(state([], { getPix: { mode: 'off' }, listPixReceipts: { turns: [[], [settled]] } }), 'bills');
  await page.getByRole('link', { name: 'Pix', exact: true }).waitFor();
});

test('the menu counts up to 50 Pix without a bill', async () => {
  const receipts = Array.from({ length: 51 }, (_, index) => newReceipt({ end_to_end_id: `E${index}` }));
  const page = await show(state(receipts.slice(1)), 'bills');
  await page.getByRole('link', { name: 'Pix · 50', exact: true }).waitFor();
  await show(state(receipts), 'bills');
  await page.getByRole('link', { name: 'Pix · 50+' }).waitFor();
});

test('the page fits on every screen with the longest values', async () => {
  const receipts = [
    newReceipt({ amount: '99.99', reason: 'part_taken', note: longWord.repeat(2).slice(0, 140) }),
    newReceipt({ end_to_end_id: 'E2', amount: '99999999.99', state: 'settling', reason: null }),
    newReceipt({ end_to_end_id: 'E3', reason: 'a_new_reason' }),
    newReceipt({
      end_to_end_id: 'E4',
      state: 'dismissed',
      dismissed: { reason: longWord.repeat(3).slice(0, 200), at: minutesAgo(1), by: { id: 1, name: longName } },
    }),
  ];
  const answers = { payBill: { turns: [unreachable, reservedPart] }, cancelBillPayment: reservedPart };
  const page = await show(state(receipts, answers), 'pix', looks['at-195']);
  await page.locator('.pix-receipt').nth(3).waitFor();
  const measure = async (each: Page): Promise<string[]> =>
    (each.viewportSize()?.width ?? 0) < 320 ? [] : misfitsOf(each);
  const { check, found } = checkScreens(page, {
    looks: inBothLanguages(looks),
    shoot: stand.shoot,
    name: 'manager-pix',
    measure,
  });
  await check('list');
  await page.locator('.pix-receipt-acts .button').first().click();
  await page.locator('.pix-bills .choose-line').first().waitFor();
  await check('assign');
  await page.locator('.pix-bills input').first().check();
  await page.locator('.pix-receipt .manager-pair .button').nth(1).click();
  await page.getByRole('status').filter({ hasText: '12' }).waitFor();
  await check('unfinished');
  await page.locator('.pix-receipt .manager-pair .button').first().click();
  await page.locator('.pix-bills').waitFor();
  await page.locator('.pix-receipt .manager-pair .button').first().click();
  await page.locator('.pix-receipt-acts .button').nth(2).click();
  await check('dismiss');
  expect(found).toEqual([]);
});
