import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { balanceOf, newCustomer, type Customer } from './support/customer.ts';
import { guestOn, scan, seatGuest } from './support/guest.ts';
import { isBillPayment, restaurant, seatPayer, startPayApp } from './support/payer.ts';
import type { GuestApp } from './support/guest-app.ts';

// Tests of a table's bill, and of payments for it from an account, with all services running. `stand/bill.test.ts` and
// `stand/pay.test.ts` check the pages in each state.

let app: GuestApp;
beforeAll(async () => {
  app = await startPayApp('table-bill');
}, 300_000);
afterEach(async () => {
  app?.freezeBroker(false);
  await app?.closeScreens();
});
afterAll(() => app?.close());

/** Creates a customer with an account, R$ 100.00 and a PIN. */
const richCustomer = (): Promise<Customer> => newCustomer(app, { money: '100.00', pin });

test('the bill shows who ordered and paid for each dish until it is closed', async () => {
  const ana = await seatGuest(app);
  await ana.order('Feijoada', 'Feijoada');
  await ana.orderCard().first().waitFor();
  const phone = await app.phone();
  await scan(app, phone.page, ana.seat);
  const rui = guestOn(app, phone, ana.seat);
  await rui.order('Milk flan');
  await until(async () => (await app.ordersOf(ana.seat)).length === 2, { what: 'both orders' });
  const [order] = await app.ordersOf(ana.seat);
  const id = order?.bill_id as number;
  const pay = (part: object, expected: string) =>
    app.manager('POST', `/bills/${id}/payments`, { body: { method: 'card', part, expected_amount: expected } });
  const all = [ana, rui];
  const left = async (amount: string): Promise<void> => {
    for (const { page } of all) await page.getByRole('status', { name: 'Left to pay' }).getByText(amount).waitFor();
  };

  for (const { page } of all) await page.getByRole('link', { name: 'Bill · R$ 156.20 left' }).click();
  await ana.page.getByRole('heading', { name: 'You' }).waitFor();
  await ana.page.getByRole('heading', { name: 'Guest 1' }).waitFor();
  await ana.button('Decline: Service charge (10%)').click();
  await ana.button('Yes, decline it').click();
  await left('R$ 142.00');
  const [feijoada] = (await app.manager('GET', `/bills/${id}`)).body.lines;
  await pay({ lines: [{ line_id: feijoada.id }] }, '124.00');
  await left('R$ 18.00');
  for (const { page } of all)
    await page.getByRole('listitem').filter({ hasText: 'Feijoada' }).getByText('paid', { exact: true }).waitFor();
  await pay({ rest: true }, '18.00');
  await rui.sees('All paid. Thank you!');
  const { number } = (await app.manager('POST', `/bills/${id}/close`, { body: {} })).body;
  await rui.sees(`Thank you! Bill no. ${number}.`);
});

describe('a payment from an account', () => {
  test('pays the rest of the bill and a tip once', async () => {
    const lia = await richCustomer();
    const { page, button, sees, ...payer } = await seatPayer(app);
    await payer.signIn(lia);
    await payer.choose();
    await button('10% (R$ 6.82)').click();
    await page.locator('.pay-total').getByText('R$ 75.02').waitFor();
    await payer.openPin();
    await payer.says(/^Reserved until \d\d:\d\d$/);
    expect(await payer.bill()).toMatchObject({ reserved: '68.20' });
    await page.getByText(`to ${restaurant}, table ${payer.seat.table}`).waitFor();
    await payer.tap(pin);
    await payer.says(/^Paid at \d\d:\d\d$/);
    await page.getByText('The whole bill is paid').waitFor();
    const download = page.waitForEvent('download');
    await button('Save receipt').click();
    expect((await download).suggestedFilename()).toMatch(/^comanda-receipt-\d+\.txt$/);
    await button('View bill').click();
    await sees('All paid. Thank you!');
    await sees('paid by you R$ 68.20');
    expect(await payer.payments()).toMatchObject([{ status: 'paid', total: '75.02', payer: { id: lia.user.id } }]);
    expect(await balanceOf(app, lia)).toBe('24.98');
    await page.goto(`${app.url}/#/account/security`);
    await page.getByText('R$ 75.02 towards a bill').first().waitFor();
  });

  test('is made once if the response to the PIN is lost', async () => {
    const lia = await richCustomer();
    const payer = await seatPayer(app);
    await payer.toPad(lia);
    const network = await payer.breakPayments({ arrive: true, return: false });
    await payer.hideBill();
    await payer.enter(pin);
    await payer.says('Paying…');
    await payer.isPayment('paid');
    await payer.says('No reply yet. Don’t pay again; we’re still checking.', { timeout: 20_000 });
    network.return = true;
    await payer.says(/^Paid/, { timeout: 40_000 });
    expect(await balanceOf(app, lia)).toBe('31.80');
  });

  test('is made once if the page is reloaded before the payment reaches the server', async () => {
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
    await payer.says('No reply yet. Don’t pay again; we’re still checking.');
    Object.assign(network, { arrive: true, return: true });
    await payer.sees('Your PIN didn’t reach the server.');
    await payer.enter(pin);
    await payer.says(/^Paid/);
    expect(new Set(keys).size).toBe(1);
    expect(await balanceOf(app, lia)).toBe('31.80');
  });
});
