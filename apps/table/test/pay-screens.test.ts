import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { brokenWordsOf, checkScreens, misfitsOf } from '@comanda/testing/page-checks';
import { depositKey, pin, wrongPin } from '@comanda/testing/step-up-calls';
import { callWithConsent, newCustomer, newPin, walletOn } from './support/customer.ts';
import { scan } from './support/guest.ts';
import { payerOn, seatPayer, startPayApp } from './support/payer.ts';
import { bareWhenForced } from './support/screens.ts';
import type { TableApp } from './support/table-app.ts';

// What stands before the PIN, and how the pages of a payment look.

let app: TableApp;
beforeAll(async () => {
  app = await startPayApp('table-pay-screens');
}, 300_000);
afterEach(async () => {
  app?.freezeBroker(false);
  await app?.closeScreens();
});
afterAll(() => app?.close());

describe('before the PIN', () => {
  test('when a guest registers on the way, then a PIN and an account are asked for, and that it is empty is said', async () => {
    const payer = await seatPayer(app);
    const wallet = walletOn(app, payer);
    await payer.choose();
    await payer.openPin();
    await payer.button('I am new here').click();
    await payer.looksWell('register');
    await wallet.fill('Name', 'Lia');
    await wallet.fill('E-mail', `lia-${Date.now()}@comanda.test`);
    await wallet.fill('Password', 'mesa-farofa-violao');
    await payer.button('Register').click();
    await payer.button('Choose a PIN').waitFor();
    await payer.looksWell('no-pin');
    await payer.button('Choose a PIN').click();
    await wallet.enterPins(...newPin(pin));
    await payer.button('Done').click();
    await payer.button('Open an account').waitFor();
    await payer.looksWell('no-account');
    await payer.button('Open an account').click();
    await payer.page.getByRole('heading', { name: /^Account \d+ is open$/ }).waitFor();
    await payer.sees('There is no money in it.');
    await payer.looksWell('opened');
    expect(await payer.payments()).toEqual([]);
    await payer.button('Pay in another way').click();
    await payer.button('Pay R$ 68.20 with PIN').waitFor();
  });

  test('when a customer has several accounts with enough money, then they choose one, and it pays', async () => {
    const lia = await newCustomer(app, { money: '100.00', pin });
    const { body } = await lia.call('POST', '/accounts', { body: { name: 'Viagem' } });
    await callWithConsent(app, {
      endpointKey: depositKey,
      path: `/accounts/${body.id}/deposits`,
      body: { amount: '70.00' },
    });
    const payer = await seatPayer(app);
    await payer.choose();
    await payer.openPin();
    await payer.signIn(lia);
    await payer.button(`Account ${body.id}, Viagem`).waitFor();
    await payer.looksWell('choose-account');
    await payer.button(`Account ${body.id}, Viagem`).click();
    await payer.pad.waitFor();
    await payer.enter(pin);
    await payer.says(/^Paid/);
    expect((await lia.call('GET', `/accounts/${body.id}`)).body.balance).toBe('1.80');
  });

  test('when a customer has paid an equal part, then the page of the rest says how much', async () => {
    const { page, button, ...payer } = await seatPayer(app);
    await page.getByRole('link', { name: /^Bill, / }).click();
    await button(/^Pay, /).click();
    await button('Split equally').click();
    await payer.openPin();
    await payer.signIn(await newCustomer(app, { money: '100.00', pin }));
    await payer.pad.waitFor();
    await payer.enter(pin);
    await payer.says(/^Paid/);
    await button('To the bill').click();
    await button('Pay, R$ 34.10 left').click();
    await payer.sees('You have paid R$ 34.10 of this bill.');
    await payer.looksWell('part-paid');
  });
});

const english = {
  phone: { viewport: { width: 390, height: 844 } },
  dark: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
} as const;
const portuguese = {
  zoomed: { viewport: { width: 320, height: 568 }, colorScheme: 'dark' },
  pt: { viewport: { width: 390, height: 844 } },
} as const;
test.each([
  ['en-US', english],
  ['pt-BR', portuguese],
] as const)(
  'when the pages of a payment are looked at (%s), then axe finds nothing, and all of it fits',
  async (locale, looks) => {
    const lia = await newCustomer(app, { money: '200000.00', pin });
    const { page, seat } = await seatPayer(app);
    const phone = await app.phone({ locale, ...Object.values(looks)[0] });
    const payer = payerOn(app, phone, seat);
    await scan(app, phone.page, seat);
    const [order] = await app.ordersOf(seat);
    const dish = created(
      await app.manager('POST', '/menu', { body: { name: `Leilão de vinhos ${locale}`, price: '98765.43' } }),
    );
    const items = [{ item_id: dish.id, quantity: 1 }];
    created(await app.manager('POST', '/orders', { body: { items, table: seat.table, seating: order?.seating } }));
    const measure = async (of: Page) => [...(await misfitsOf(of)), ...(await brokenWordsOf(of))];
    const { check, found } = checkScreens(phone.page, { looks, shoot: app.shoot, name: 'pay', measure });
    await phone.page.locator('a[href="#/bill"]').click();
    await phone.page.locator('.bill-dock .button-primary').click();
    await phone.page.locator('.pay-ways button').first().click();
    await phone.page.locator('.choose-tip .chip').nth(2).click();
    await check('how');
    await phone.page.locator('.dock .button-primary').click();
    await phone.page.locator('input[type=email]').fill(lia.user.email);
    await phone.page.locator('input[type=password]').fill(password);
    await check('sign-in');
    expectErrors(phone.page, /status of 409 .*\/bills\/\d+\/payments$/);
    await payer.isPaidBySomebody('30.00');
    await phone.page.keyboard.press('Enter');
    await phone.page.locator('.pin-payment-amounts').waitFor();
    await check('changed');
    await phone.page.locator('.dock .button-primary').click();
    await payer.pad.waitFor();
    await check('pad');
    await payer.enter(wrongPin);
    await phone.page.getByRole('alert').waitFor();
    await check('wrong-pin');
    expect(await bareWhenForced(phone.page)).toEqual([]);
    const network = await payer.breakPayments({ arrive: false, return: false });
    await payer.enter(pin);
    await phone.page.locator('.pin-payment-busy').waitFor();
    await check('asking');
    await phone.page.locator('.pin-payment-wait').waitFor();
    await check('late');
    expect(await bareWhenForced(phone.page)).toEqual([]);
    await phone.page.locator('.account-head .back-link').click();
    await check('bill-while-asking');
    await phone.page.locator('.notice-warning .button').first().click();
    Object.assign(network, { arrive: true, return: true });
    await phone.page.locator('.receipt').waitFor({ timeout: 40_000 });
    await check('paid');
    await page.close();
    expect(found).toEqual([]);
  },
);
