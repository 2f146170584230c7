import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import { pin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { enterPin } from '../support/customer.ts';
import { guestPage } from '../support/guest.ts';
import {
  afterPaymentPin,
  customer,
  guest,
  newAccount,
  newPayment,
  newTransfer,
  paying,
  seated,
  wrongPinWith,
} from './states.ts';

// Payments for the bill from an account: the page at each step, and the calls that it makes.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

async function show(state: State, path = '#/pay/pin') {
  const page = await stand.show(state, path);
  const pad = page.getByRole('group', { name: 'PIN' });
  return {
    page,
    pad,
    ...guestPage(page),
    /** Waits until the line with the payment's status contains this text. */
    says: (text: string | RegExp) => page.getByRole('status', { name: 'Payment' }).getByText(text).waitFor(),
    enter: () => enterPin(pad, pin),
  };
}
const paid = newTransfer({ kind: 'bill_payment', amount: '68.20', payment_id: 77 });
/** The stored data on a device that sent the PIN and got no response. */
const sent = { payment: newPayment(), payKey: 'pay', isSent: true };
describe('before the PIN is entered', () => {
  test('a guest who has signed in reaches the PIN pad in three taps', async () => {
    const orders = [newOrder({ items: ['Feijoada'] })];
    const { answers } = paying();
    const state = seated({ who: customer, orders, bills: [newBill(orders)], answers });
    const { page, pad, button } = await show(state, '#/orders');
    await page.getByRole('link', { name: 'Bill · R$ 68.20 left' }).click();
    await button(/^Pay · /).click();
    await button('From my account').click();
    await pad.waitFor();
    expect(await stand.calls('payBill')).toMatchObject([
      { input: { id: 312, method: 'account', part: { rest: true }, expected_amount: '68.20', tip: '0.00' } },
    ]);
  });
  test('a customer without a PIN is asked to create one', async () => {
    const { button } = await show(paying({ answers: { transactionPassword: { status: 'absent' } } }));
    await button('Choose a PIN').waitFor();
    expect(await stand.calls('payBill')).toEqual([]);
  });
  test('a customer without an account pays another way', async () => {
    const { page, button } = await show(paying({ answers: { listAccounts: [] } }));
    await page.getByRole('heading', { name: 'You don’t have an account here' }).waitFor();
    await button('Pay another way').click();
    await page.getByRole('heading', { name: 'Pay', exact: true }).waitFor();
    await button('Cash').waitFor();
    expect(await button('From my account').count()).toBe(0);
    expect(await stand.calls('payBill')).toEqual([]);
  });
  test('a customer with several accounts chooses the one that pays', async () => {
    const accounts = [newAccount(), newAccount({ id: 22, name: 'Viagem' }), newAccount({ id: 23, balance: '1.00' })];
    const answers = { listAccounts: accounts, ...afterPaymentPin(paid) };
    const { button, enter, says, page } = await show(paying({ answers }));
    await button('Account 22, Viagem').waitFor();
    expect(await page.locator('.pay-ways button').count()).toBe(2);
    await button('Account 22, Viagem').click();
    await enter();
    await says(/^Paid/);
    expect((await stand.calls('payBillFromAccount'))[0]?.input).toMatchObject({ from_account_id: 22, payment_id: 77 });
  });
  test('a customer who has paid a share sees how much', async () => {
    const orders = [newOrder({ items: ['Feijoada'] })];
    const payments = [newPayment({ status: 'paid', part: { shares: 1, of: 2 }, amount: '34.10', total: '34.10' })];
    const split = { mode: 'shares', shares_of: 2, shares_taken: 1 } as const;
    const bill = newBill(orders, { payments, split, paid: '34.10', remaining: '34.10' });
    const { sees } = await show(
      seated({ who: customer, orders, bills: [bill], answers: { listAccounts: [] } }),
      '#/pay',
    );
    await sees('You’ve paid R$ 34.10 of this bill.');
  });
  test('a guest who lost their seat by signing in continues with one tap', async () => {
    const seat = JSON.stringify({ table: '12', at: Date.now(), token: 'scanned' });
    const { page, pad, button } = await show(
      paying({
        who: guest,
        signsIn: customer,
        device: { 'comanda.seat': seat },
        answers: { takeSeat: { turns: [unreachable, {} as never] } },
      }),
    );
    await button('Sign in').waitFor();
    await stand.signIn({ userId: 5, role: 'customer', name: 'Lia', isGuest: false });
    await page.getByRole('heading', { name: 'We couldn’t keep your place at the table.' }).waitFor();
    await button('Try again').click();
    await pad.waitFor();
    expect((await stand.calls('takeSeat'))[1]?.input).toEqual({ table_token: 'scanned' });
  });
  test('a changed amount is shown beside the old one', async () => {
    const changed = fails('bill_changed', { members: { amount: '38.20' } });
    const { sees, button, pad } = await show(
      paying({ answers: { payBill: { turns: [changed, newPayment({ amount: '38.20', total: '38.20' })] } } }),
    );
    await sees('R$ 68.20');
    await button('Continue with R$ 38.20').click();
    await pad.waitFor();
    const calls = await stand.calls('payBill');
    expect(calls.map(({ input }) => input['expected_amount'])).toEqual(['68.20', '38.20']);
    expect(new Set(calls.map(({ key }) => key)).size).toBe(2);
  });
  test('a guest who leaves the PIN pad releases the reserved share', async () => {
    const { pad, button, page } = await show(paying());
    await pad.waitFor();
    await button('Change').click();
    await pad.waitFor({ state: 'detached' });
    expect(await stand.calls('cancelBillPayment')).toMatchObject([{ input: { id: 312, payment_id: 77 } }]);
    expect(new URL(page.url()).hash).toBe('#/pay');
  });
  test('a guest who leaves before the accounts are loaded reserves nothing', async () => {
    const { page, button } = await show(paying({ answers: { listAccounts: never } }));
    await page.getByText('Loading…').waitFor();
    await button('Change').click();
    await page.getByText('Loading…').waitFor({ state: 'detached' });
    expect(await stand.calls('payBill')).toEqual([]);
  });
  test('a payment cannot be started while transfers are stopped', async () => {
    const { page, sees, button } = await show(paying({ device: { 'comanda.bill-payment': 'null' } }), '#/pay');
    const stopped = { since: minutesAgo(0), reason: 'The balances are being checked' };
    await button('From my account').waitFor();
    // The page listens from when it loads the stops, shortly after it is shown.
    await until(async () => (await stand.calls('getStops')).length > 0, { what: 'the stops to be loaded' });
    await stand.emit('stops.changed', { transfers: stopped, sign_ups: null, version: 2 });
    await sees('The balances are being checked');
    expect(await button('From my account').isDisabled()).toBe(true);
    expect(await button('Card').isDisabled()).toBe(false);
    await stand.emit('stops.changed', { transfers: null, sign_ups: null, version: 3 });
    await page.getByText('Transfers are paused').waitFor({ state: 'detached' });
    expect(await button('From my account').isDisabled()).toBe(false);
  });
  test('no account can be opened while sign-ups are stopped', async () => {
    const getStops = { transfers: null, sign_ups: { since: minutesAgo(0), reason: null }, version: 2 };
    const { sees, button, page } = await show(seated({ answers: { getStops } }), '#/account');
    await button('Create an account').click();
    await sees('No new accounts for now');
    expect(await page.getByRole('button', { name: 'Create account', exact: true }).isDisabled()).toBe(true);
    await button('I already have an account').click();
    expect(await page.getByRole('button', { name: 'Sign in', exact: true }).isDisabled()).toBe(false);
  });
});

describe('the PIN', () => {
  test('authorizes the amount and account shown on the page', async () => {
    const { page, enter, says } = await show(paying({ answers: afterPaymentPin(paid) }));
    await says(/^Reserved until \d\d:\d\d$/);
    await enter();
    await page.getByRole('heading', { name: /^Paid R\$ 68\.20 at \d\d:\d\d$/ }).waitFor();
    expect(await stand.calls('stepUp')).toMatchObject([
      {
        input: {
          transaction_password: pin,
          authorization_details: [{ amount: '68.20', from_account_id: 21, payment_id: 77 }],
        },
      },
    ]);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(new RegExp(`\\b${pin}\\b`));
  });
  test('shows how many attempts are left', async () => {
    const blocked = fails('transaction_password_blocked', { members: { blocked_until: minutesAgo(-30) } });
    const answers = { ...afterPaymentPin(never), stepUp: { turns: [wrongPinWith(2), wrongPinWith(1), blocked] } };
    const { page, enter, sees } = await show(paying({ answers }));
    for (const left of ['2 tries', '1 try']) {
      await enter();
      await page.getByRole('alert').getByText(`Wrong PIN, ${left} left.`).waitFor();
      await sees('You weren’t charged.');
    }
    await enter();
    await page.getByRole('heading', { name: /^Your PIN is blocked until \d\d:\d\d$/ }).waitFor();
    expect(await stand.calls('cancelBillPayment')).toHaveLength(1);
  });
  test.each([
    ['insufficient_funds', 'There isn’t enough money in your account.'],
    ['transfers_stopped', 'The restaurant has paused payments from accounts.'],
  ] as const)('moves no money when the server rejects the payment (%s)', async (code, reason) => {
    const { page, enter, says, button, pad } = await show(paying({ answers: afterPaymentPin(fails(code)) }));
    await enter();
    await says('You weren’t charged');
    await page.getByRole('alert').getByText(reason).waitFor();
    await button('Start again').click();
    await pad.waitFor();
    const keys = (await stand.calls('payBill')).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });
  test('is requested again if the payment may not have arrived', async () => {
    const { enter, sees, says } = await show(
      paying({
        answers: {
          ...afterPaymentPin(fails('step_up_required'), paid),
          stepUp: { turns: [unreachable, { step_up_token: 'token' } as never] },
        },
      }),
    );
    await enter();
    await sees('Your PIN didn’t reach the server.');
    await says(/^Reserved until/);
    await enter();
    await says(/^Paid/);
    const keys = (await stand.calls('payBillFromAccount')).map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
  });
  test('cannot be entered after the reservation has expired', async () => {
    const answers = { payBill: { turns: [newPayment({ expires_at: minutesAgo(0) }), newPayment()] } };
    const { sees, says, button, pad } = await show(paying({ answers }));
    await says('You weren’t charged');
    await sees('Your reservation expired.');
    await button('Start again').click();
    await pad.waitFor();
  });
});

describe('a payment without a response', () => {
  test('is shown as neither paid nor failed until the server responds', async () => {
    const answers = { payBillFromAccount: unreachable, getBillPayment: unreachable };
    const { says, sees, button, page } = await show(paying({ saved: sent, answers }));
    await says('No reply yet. Don’t pay again; we’re still checking.');
    await button('Bill').click();
    await sees('Your payment isn’t confirmed yet');
    expect(await page.getByText('All is paid').count()).toBe(0);
    await button('View').click();
    await stand.answer({ payBillFromAccount: paid });
    // The page may already have checked on its own, without this tap.
    await Promise.any([button('Check now').click(), says(/^Paid/)]);
    await says(/^Paid/);
    expect((await stand.calls('payBillFromAccount')).every(({ key }) => key === 'pay')).toBe(true);
  });
  test('is shown as being confirmed once the server has claimed it', async () => {
    const answers = { payBillFromAccount: unreachable, getBillPayment: newPayment({ status: 'claimed' }) };
    const { says, sees, page, button } = await show(paying({ saved: sent, answers }));
    await stand.answer({ payBillFromAccount: fails('step_up_required') });
    await button('Check now').click();
    await says('Being confirmed');
    expect(await page.getByText(/^Paid|You weren’t charged/).count()).toBe(0);
    await stand.answer({ getBillPayment: newPayment() });
    const found = 'Your PIN didn’t reach the server.';
    await Promise.any([button('Check now').click(), sees(found)]);
    await sees(found);
  });
  test('is not shown as paid if staff have cancelled its reservation', async () => {
    const answers = { payBillFromAccount: unreachable, getBillPayment: newPayment({ status: 'cancelled' }) };
    const { says } = await show(paying({ saved: sent, answers }));
    await says('You weren’t charged');
    const asked = (await stand.calls('payBillFromAccount')).length;
    expect(asked).toBe(1);
  });
});
