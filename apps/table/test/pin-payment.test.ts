import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { caller, created } from '@comanda/testing/call';
import { pin, transferKey, wrongPin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { balanceOf, newCustomer, type Customer } from './support/customer.ts';
import { isBillPayment, restaurant, seatPayer, startPayApp } from './support/payer.ts';
import type { TableApp } from './support/table-app.ts';

// A guest pays a part of the bill from an account: with the whole stack, and nothing in its place.

let app: TableApp;
beforeAll(async () => {
  app = await startPayApp('table-pin-payment');
}, 300_000);
afterEach(async () => {
  app?.freezeBroker(false);
  await app?.closeScreens();
});
afterAll(() => app?.close());

/** Somebody with an account, and 100.00 in it. */
const richCustomer = (): Promise<Customer> => newCustomer(app, { money: '100.00', pin });

/** The customer spends so much elsewhere. */
async function spend({ user, call, account }: Customer, amount: string): Promise<void> {
  const other = await newCustomer(app);
  const token = await app.stack.auth.issueStepUpToken({ userId: user.id, endpointKey: transferKey });
  const body = { from_account_id: account, to_account_id: other.account, amount };
  created(await call('POST', '/accounts/internal-transfers', { body, headers: { 'x-step-up-token': token } }));
}

describe('a payment from an account', () => {
  test('when a guest chooses all and a tip, signs in and enters the PIN, then it is paid once, and the choice was kept', async () => {
    const lia = await richCustomer();
    const { page, button, sees, ...payer } = await seatPayer(app);
    await payer.choose();
    await button('10 %, R$ 6.82').click();
    await button('Pay R$ 75.02 with PIN').click();
    await payer.signIn(lia);
    await payer.says(/^Reserved until \d\d:\d\d$/);
    await page.getByText('R$ 75.02').waitFor();
    await page.getByText(`to ${restaurant}, table ${payer.seat.table}`).waitFor();
    await payer.tap(pin);
    await payer.says(/^Paid \d\d:\d\d$/);
    await page.getByRole('heading', { name: /^Paid R\$ 75\.02 at \d\d:\d\d$/ }).waitFor();
    await page.getByText('The whole bill is paid').waitFor();
    const download = page.waitForEvent('download');
    await button('Save receipt').click();
    expect((await download).suggestedFilename()).toMatch(/^comanda-receipt-\d+\.txt$/);
    await button('To the bill').click();
    await sees('All is paid. Thank you.');
    await sees('of it by you R$ 68.20');
    expect(await payer.payments()).toMatchObject([{ status: 'paid', total: '75.02', payer: { id: lia.user.id } }]);
    expect(await balanceOf(app, lia)).toBe('24.98');
  });

  test('when a guest has signed in before, then four taps and the PIN pay all that is left', async () => {
    const { page, ...payer } = await seatPayer(app);
    await page.goto(`${app.url}/#/account`);
    await payer.signIn(await richCustomer());
    await page.getByRole('status', { name: 'Balance' }).waitFor();
    await page.goto(`${app.url}/#/orders`);
    await page.getByRole('link', { name: 'Bill, R$ 68.20' }).waitFor();
    await page.evaluate(() => {
      const count = (event: Event): void => {
        if (event.target instanceof Element && event.target.closest('.pin-pad') === null)
          document.body.dataset['taps'] = String(Number(document.body.dataset['taps'] ?? 0) + 1);
      };
      addEventListener('click', count, { capture: true });
    });
    await payer.choose();
    await payer.openPin();
    await payer.enter(pin);
    await payer.says(/^Paid/);
    expect(await page.evaluate(() => document.body.dataset['taps'])).toBe('4');
    expect(await payer.payments()).toMatchObject([{ status: 'paid', total: '68.20' }]);
    await page.goto(`${app.url}/#/account/security`);
    await page.getByText('R$ 68.20 of a bill, to the restaurant').first().waitFor();
  });

  test('when the seat is not kept at the sign-in, then the page says so, and one tap goes on to the PIN', async () => {
    const payer = await seatPayer(app);
    expectErrors(payer.page, /net::ERR_CONNECTION_RESET .*\/auth\/seat$/);
    await payer.context.route('**/auth/seat', (route) => route.abort('connectionreset'));
    await payer.choose();
    await payer.openPin();
    await payer.signIn(await richCustomer());
    await payer.page.getByRole('heading', { name: 'Your seat at the table was not kept.' }).waitFor();
    await payer.looksWell('seat-not-kept');
    await payer.context.unroute('**/auth/seat');
    await payer.button('Try again').click();
    await payer.pad.waitFor();
    await payer.enter(pin);
    await payer.says(/^Paid/);
  });

  test('when the PIN is wrong, then nothing is taken, the tries that are left are said, and the third blocks it', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    await payer.toPad(lia);
    for (const left of ['2 tries', '1 try']) {
      await payer.enter(wrongPin);
      await payer.page.getByRole('alert').getByText(`Wrong PIN, ${left} left.`).waitFor();
      await payer.sees('Nothing was taken.');
    }
    await payer.enter(wrongPin);
    await payer.page.getByRole('heading', { name: /^Your PIN is blocked until \d\d:\d\d$/ }).waitFor();
    await payer.looksWell('blocked');
    await payer.isPayment('cancelled');
    expect(await balanceOf(app, lia)).toBe('100.00');
  });

  test('when the account has too little by the time of the PIN, then nothing is taken, and the part is free', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    expectErrors(payer.page, /status of 422 .*\/accounts\/bill-payments$/);
    await payer.toPad(lia);
    await spend(lia, '90.00');
    await payer.enter(pin);
    await payer.says('Nothing was taken');
    await payer.sees('There is not enough money in your account.');
    await payer.looksWell('not-paid');
    await payer.isPayment('failed');
    expect(await payer.bill()).toMatchObject({ remaining: '68.20', reserved: '0.00' });
    await payer.button('Begin again').click();
    await payer.sees('You need R$ 68.20.');
    await payer.looksWell('no-money');
    expect(await balanceOf(app, lia)).toBe('10.00');
  });

  test('when the answer is lost after the PIN, then the page says not to pay twice, asks on, and finds it paid once', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    await payer.toPad(lia);
    const network = await payer.breakPayments({ arrive: true, return: false });
    await payer.hideBill();
    await payer.enter(pin);
    await payer.says('Paying…');
    await payer.isPayment('paid');
    await payer.says('No answer yet. Do not pay twice. We keep asking.', { timeout: 20_000 });
    expect(await payer.page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(new RegExp(`\\b${pin}\\b`));
    await payer.button('Bill').click();
    await payer.sees('Your payment has no answer yet');
    expect(await payer.page.getByText('All is paid').count()).toBe(0);
    await payer.button('Look').click();
    network.return = true;
    await payer.says(/^Paid/, { timeout: 40_000 });
    expect(await balanceOf(app, lia)).toBe('31.80');
  });

  test('when the page is loaded again before the answer, then it asks on where it was, and nothing is paid twice', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    await payer.toPad(lia);
    const network = await payer.breakPayments({ arrive: false, return: false });
    const keys: unknown[] = [];
    payer.page.on('request', (request) => {
      if (isBillPayment(new URL(request.url()))) keys.push(request.headers()['idempotency-key']);
    });
    await payer.enter(pin);
    await payer.says('Paying…');
    await until(() => keys.length > 1, { what: 'a try with the PIN' });
    await payer.page.reload();
    await payer.says('No answer yet. Do not pay twice. We keep asking.');
    Object.assign(network, { arrive: true, return: true });
    // It has not arrived: the same PIN may be entered again, and pays with the same key.
    await payer.sees('The server has not got your PIN.');
    await payer.enter(pin);
    await payer.says(/^Paid/);
    expect(new Set(keys).size).toBe(1);
    expect(await balanceOf(app, lia)).toBe('31.80');
  });

  test('when the network is lost while the PIN is checked, then nothing is called failed or paid, and the PIN is asked for again', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    expectErrors(payer.page, /net::ERR_CONNECTION_RESET .*\/security\/step-up$/);
    await payer.toPad(lia);
    await payer.context.route('**/security/step-up', (route) => route.abort('connectionreset'), { times: 1 });
    await payer.enter(pin);
    await payer.sees('The server has not got your PIN.');
    await payer.looksWell('pin-again');
    await payer.says(/^Reserved until/);
    await payer.enter(pin);
    await payer.says(/^Paid/);
    expect(await balanceOf(app, lia)).toBe('31.80');
  });

  test('when the bill changes before the reservation, then old and new amount are side by side, and one tap goes on', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    expectErrors(payer.page, /status of 409 .*\/bills\/\d+\/payments$/);
    await payer.choose();
    await payer.openPin();
    await payer.isPaidBySomebody('30.00');
    await payer.signIn(lia);
    await payer.sees('R$ 68.20');
    await payer.button('Go on with R$ 38.20').click();
    await payer.says(/^Reserved until/);
    await payer.enter(pin);
    await payer.says(/^Paid/);
    expect(await balanceOf(app, lia)).toBe('61.80');
  });

  test('when the guest leaves the pad, then the part is free at once, and what was chosen is still there', async () => {
    const payer = await seatPayer(app);
    await payer.toPad(await richCustomer());
    expect(await payer.bill()).toMatchObject({ reserved: '68.20' });
    await payer.button('Change it').click();
    await payer.button('Pay R$ 68.20 with PIN').waitFor();
    await payer.isPayment('cancelled');
    // What the guest has ordered before is theirs.
    await payer.button('Only mine').click();
    await payer.page.getByRole('checkbox', { name: /Feijoada/, checked: true }).waitFor();
  });

  test('when the guest leaves before the accounts were read, then nothing is reserved, and the part can be paid', async () => {
    const payer = await seatPayer(app);
    const held = Promise.withResolvers<void>();
    const isRead = (url: URL): boolean => url.pathname === '/accounts';
    await payer.context.route(isRead, (route) => held.promise.then(() => route.fallback()), { times: 1 });
    const asked = payer.page.waitForRequest((request) => isRead(new URL(request.url())));
    await payer.choose();
    await payer.openPin();
    await payer.signIn(await richCustomer());
    const reading = await asked;
    await payer.button('Change it').click();
    await payer.button(/ with PIN$/).waitFor();
    held.resolve();
    await (await reading.response())?.finished();
    expect(await payer.bill()).toMatchObject({ reserved: '0.00' });

    await payer.openPin();
    await payer.says(/^Reserved until/);
    expect(await payer.bill()).toMatchObject({ reserved: '68.20' });
    await payer.enter(pin);
    await payer.says(/^Paid/);
  });

  test('when nobody enters the PIN in time, then the page says so, and one tap begins again', async () => {
    const payer = await seatPayer(app);
    await payer.context.route(
      /\/bills\/\d+\/payments$/,
      async (route) => {
        const response = await route.fetch();
        const expiresAt = new Date(Date.now() + 1500).toISOString();
        await route.fulfill({ response, json: { ...(await response.json()), expires_at: expiresAt } });
      },
      { times: 1 },
    );
    await payer.toPad(await richCustomer());
    await payer.says('Nothing was taken');
    await payer.sees('The time of your reservation is over.');
    await payer.button('Begin again').click();
    await payer.says(/^Reserved until/);
    await payer.enter(pin);
    await payer.says(/^Paid/);
  });

  test('when the payment is claimed, then it is called neither paid nor failed, until the server has decided', async () => {
    const payer = await seatPayer(app);
    await payer.toPad(await richCustomer());
    const network = await payer.breakPayments({ arrive: false, return: false });
    await payer.enter(pin);
    await payer.says('Paying…');
    const payment = /\/bills\/\d+\/payments\/\d+$/;
    await payer.context.route(payment, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), status: 'claimed' } });
    });
    await payer.page.reload();
    Object.assign(network, { arrive: true, return: true });
    await payer.says('Being confirmed');
    await payer.looksWell('claimed');
    expect(await payer.page.getByText(/^Paid|Nothing was taken/).count()).toBe(0);
    await payer.context.unroute(payment);
    const answer = 'The server has not got your PIN.';
    // The page may have asked by itself before.
    await Promise.any([payer.button('Ask now').click(), payer.sees(answer)]);
    await payer.sees(answer);
  });

  test('when staff give up a reservation whose PIN had no answer, then the page says that nothing was taken, and stops asking', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    await payer.toPad(lia);
    const [payment] = await payer.payments();
    await payer.breakPayments({ arrive: false, return: false });
    const sent = payer.page.waitForRequest((request) => 'x-step-up-token' in request.headers());
    await payer.enter(pin);
    await sent;
    await payer.page.reload();
    await payer.says('No answer yet. Do not pay twice. We keep asking.');

    await app.manager('POST', `/bills/${await payer.billId()}/payments/${payment?.id}/cancel`, { body: {} });

    await payer.says('Nothing was taken');
    expect(await balanceOf(app, lia)).toBe('100.00');
  });
});

describe('while something is stopped', () => {
  async function putStop(name: 'transfers' | 'sign_ups', stopped: boolean): Promise<void> {
    const { id: userId, token } = await app.stack.auth.manager();
    const stepUpToken = await app.stack.auth.issueStepUpToken({ userId, endpointKey: 'stop.manage' });
    const body = { stopped, ...(stopped && { reason: 'The balances are being checked' }) };
    const { status, text } = await caller(app.url, { token })('PUT', `/stops/${name}`, {
      body,
      headers: { 'x-step-up-token': stepUpToken },
    });
    if (status !== 200) throw new Error(text);
  }
  afterEach(async () => {
    await putStop('transfers', false);
    await putStop('sign_ups', false);
  });

  test('when transfers are stopped before the PIN, then nothing is taken, the part is free, and the page says how to pay', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    await payer.toPad(lia);
    await putStop('transfers', true);

    await payer.enter(pin);

    await payer.page.getByRole('alert').getByText('The restaurant has stopped payments by account.').waitFor();
    await payer.isPayment('cancelled');
    expect(await balanceOf(app, lia)).toBe('100.00');
    await payer.page.goto(`${app.url}/#/pay`);
    await payer.sees('The balances are being checked');
    await payer.button(/^Pay all that is left/).click();
    expect(await payer.button(/ with PIN$/).isDisabled()).toBe(true);
    await putStop('transfers', false);
    await payer.page.getByText('Transfers are stopped').waitFor({ state: 'detached' });
    expect(await payer.button(/ with PIN$/).isDisabled()).toBe(false);
  });

  test('when sign-ups are stopped, then the form of new accounts says so and cannot be sent, and signing in works', async () => {
    await putStop('sign_ups', true);
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    await payer.page.goto(`${app.url}/#/account`);
    await payer.page.getByRole('button', { name: 'I am new here' }).click();
    await payer.sees('No new accounts for now');
    expect(await payer.page.getByRole('button', { name: 'Register', exact: true }).isDisabled()).toBe(true);
    await payer.page.getByRole('button', { name: 'I have an account' }).click();
    await payer.signIn(lia);
    await payer.page.getByRole('status', { name: 'Balance' }).waitFor();
  });
});
