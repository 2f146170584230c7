import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { tabTo } from '@comanda/testing/page-checks';
import { pin, wrongPin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import * as customers from './support/customer.ts';
import { isTransfer, newPin, walletOn, type Customer, type Wallet } from './support/customer.ts';
import { holdFeed } from './support/guest.ts';
import { startTableApp, withoutTls, type TableApp } from './support/table-app.ts';

let app: TableApp;
let payer: Customer;
let payee: Customer;
beforeAll(async () => {
  app = await startTableApp('table-transfer');
}, 300_000);
beforeEach(async () => {
  ({ payer, payee } = await customers.newPair(app));
});
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const signedIn = (customer = payer) => customers.signedIn(app, customer);
const balanceOf = (customer: Customer) => customers.balanceOf(app, customer);
/** A payer at the PIN pad. */
async function atPinPad(): Promise<Wallet> {
  const wallet = await signedIn();
  await wallet.review(payee);
  return wallet;
}
async function save({ page, button }: Wallet): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download');
  await button('Save').click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await text(await file.createReadStream()) };
}
/** What `npm run verify-receipt` runs and prints. */
async function verifySaved(receipt: string): Promise<unknown> {
  const options = { args: [receipt, '--jwks', `${app.url}/.well-known/jwks.json`], env: {} };
  return JSON.parse(await app.stack.runServiceCommand('transfers', 'src/verify-receipt.ts', options));
}

describe('a transfer', () => {
  test('when somebody opens an account, receives money, chooses a PIN and transfers, then each step is seen at once', async () => {
    const user = await app.stack.auth.customer('Rui');
    const { page, button, heading, balance, ...wallet } = walletOn(app, await app.phone());
    expectErrors(page, /status of 422 .*\/security\/transaction-password$/);
    await wallet.enterSignIn({ ...payer, user });
    await button('Open an account').click();
    await button('Open account').click();
    await balance.getByText('R$ 0.00').waitFor();
    const title = await heading(/^Account \d+$/).textContent();
    await customers.depositTo(app, Number(title?.replace('Account ', '')), '1248.30');
    await balance.getByText('R$ 1,248.30').waitFor();

    await button('Transfer').click();
    await button('Choose a PIN').click();
    // It is refused after its six digits, and not entered a second time.
    await wallet.enterPins(['New PIN', '123456', 'Go on']);
    await wallet.alert('This PIN is too easy to guess.').waitFor();
    await wallet.enterPins(...newPin(pin));
    await button('Done').click();
    await wallet.fill('To account number', '999999');
    await wallet.fill('Amount', '1,234.50');
    await button('Review transfer').click();
    await wallet.sees('Type an amount such as 12.50');
    await wallet.fill('Amount', '1234,50');
    expectErrors(page, /status of 404 .*\/accounts\/internal-transfers$/);
    await button('Review transfer').click();
    await wallet.sees('There is no account with this number.');
    await wallet.fill('To account number', String(payee.account));
    await button('Review transfer').click();
    await wallet.sees('R$ 1,234.50');
    await wallet.sees(`account ${payee.account}`);
    // Whose account it is stands there before the PIN, also at a first transfer.
    await wallet.sees('to Lia');
    await wallet.confirm(wrongPin);
    await wallet.alert('Wrong PIN, 2 tries left.').waitFor();
    await wallet.sees('Nothing was sent.');
    await wallet.confirm(pin);
    await wallet.posted();
    await wallet.sees('R$ 13.80');
    await button('Check the signature').click();
    await wallet.sees('The signature is right.');
    const saved = await save({ page, button, heading, balance, ...wallet });
    expect(saved.name).toMatch(/^comanda-receipt-\d+\.txt$/);
    expect(saved.text).toMatch(new RegExp(`^R\\$\\s1,234\\.50\nFrom account \\d+ to account ${payee.account}$`, 'm'));
    expect(await verifySaved(saved.text)).toMatchObject({ to_account_id: payee.account, amount: '1234.50' });
    await expect(verifySaved(saved.text.replace(/\.[\w-]+(\.[\w-]+\s*)$/, '.e30$1'))).rejects.toThrow('was not signed');
    await button('Done').last().click();
    await balance.getByText('R$ 13.80').waitFor();
    await page.getByRole('link', { name: `To Lia account ${payee.account}` }).waitFor();
    expect(await balanceOf(payee)).toBe('1234.50');
  });
  test('when the receipt was changed, or the page has no TLS, then the page says so', async () => {
    const { page, context, button, sees } = await signedIn();
    await context.route(/internal-transfers\/\d+$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), amount: '99.00' } });
    });
    await page.getByRole('link', { name: /^Cash deposit/ }).click();
    await button('Check the signature').click();
    await sees('The signature is NOT right.');

    const plain = walletOn(app, await app.phone());
    await plain.page.goto(withoutTls(app));
    await plain.signIn(payer);
    await plain.page.getByRole('link', { name: /^Cash deposit/ }).click();
    await plain.button('Check the signature').click();
    await plain.sees('npm run verify-receipt');
    await plain.button('Copy receipt').click();
    await plain.button('Copied').waitFor();
  });
  test('when the customer goes back from the PIN pad, then nothing is sent, and the form has what was typed', async () => {
    const { page, button, fill, sees } = await atPinPad();
    expectErrors(page, /status of 422 .*\/accounts\/internal-transfers$/);
    await button('Change the transfer').click();
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('12.50');
    await fill('Amount', '100.01');
    await button('Review transfer').click();
    await sees('There is only R$ 100.00 in your account.');
    expect(await balanceOf(payer)).toBe('100.00');
  });
  test('when the keyboard only is used, then a transfer can be made', async () => {
    const { page, pad, posted } = await signedIn();
    await tabTo(page, /^Transfer$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^$/);
    await page.keyboard.type(String(payee.account));
    await page.keyboard.press('Tab');
    await page.keyboard.type('12,50');
    await page.keyboard.press('Enter');
    await pad.waitFor();
    await page.keyboard.type(`${pin.slice(0, 5)}0`);
    await page.keyboard.press('Backspace');
    await page.keyboard.type(pin.slice(5));
    await page.keyboard.press('Enter');
    await posted();
    expect(await balanceOf(payee)).toBe('12.50');
  });
  test('when a statement has more than one page, then older entries are read on demand, each once', async () => {
    const deposit = (amount: string) => customers.depositTo(app, payee.account, amount);
    await Promise.all(Array.from({ length: 17 }, (_, index) => deposit(`${index + 1}.00`)));
    const { page, button, signIn, sees } = walletOn(app, await app.phone());
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await signIn(payee);
    const rows = page.getByRole('link', { name: /^Cash deposit/ });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(15);
    await deposit('18.00');
    await sees('+R$ 18.00');
    await button('Show older entries').click();
    await until(async () => (await rows.count()) === 18, { what: 'all entries' });
    expect(new Set(await page.locator('.entry-amount').allTextContents()).size).toBe(18);
    await button('Show older entries').waitFor({ state: 'detached' });
    expect(calls.filter((path) => path.includes('internal-transfers'))).toEqual([]);
  });
});

describe('whether money has moved', () => {
  const wasNotSent = () => `R$ 12.50 to account ${payee.account} was NOT sent.`;

  test('when the page is reloaded at the PIN pad, then it says that nothing was sent, and has the form', async () => {
    const { page, sees } = await atPinPad();
    await page.reload();
    await sees(wasNotSent());
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('12.50');
    expect(await balanceOf(payee)).toBe('0.00');
  });
  test('when the page is reloaded after the commit and before the answer, then it shows the receipt', async () => {
    const wallet = await atPinPad();
    const network = await wallet.breakTransfers({ arrive: true, return: false });
    await wallet.confirm(pin);
    await wallet.isCommitted(payee);
    await wallet.page.reload();
    await wallet.heading('No answer yet').waitFor();
    network.return = true;
    await wallet.posted({ timeout: 20_000 });
    await wallet.sees('It was sent once. Do not send it again.');
    expect(await balanceOf(payer)).toBe('87.50');
  });
  /** Another tab of the same phone, on the account's page. */
  async function openTab(
    { context }: Wallet,
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<Wallet> {
    const tab = walletOn(app, { context, page: await context.newPage() });
    await prepare(tab.page);
    await tab.goTo();
    return tab;
  }
  test('when a second tab is open, then it says that nothing was sent while the first asks for the PIN, and that it was afterwards', async () => {
    const first = await atPinPad();
    const second = await openTab(first);
    await second.sees(wasNotSent());
    await first.confirm(pin);
    await first.posted();
    await second.sees(`R$ 12.50 to account ${payee.account} was sent.`);
    await second.button('See the receipt').click();
    await second.posted();
    expect(await balanceOf(payee)).toBe('12.50');
    expect(await balanceOf(payer)).toBe('87.50');
  });
  test('when it is sent while a second tab has no feed yet, then that tab says so once it has one', async () => {
    const first = await atPinPad();
    let connect = (): void => {};
    const second = await openTab(first, async (page) => {
      connect = await holdFeed(page);
    });
    await second.sees(wasNotSent());
    await first.confirm(pin);
    await first.posted();
    connect();
    await second.sees(`R$ 12.50 to account ${payee.account} was sent.`);
  });
  test('when it is sent before a second tab has its answer that it was not, then that tab says that it was', async () => {
    const first = await atPinPad();
    const answered = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let asked = 0;
    const second = await openTab(first, (page) =>
      page.route(isTransfer, async (route) => {
        asked++;
        // Whether it was sent after all is not answered at once.
        if (asked === 2) return route.abort('connectionreset');
        const response = await route.fetch();
        answered.resolve();
        if (asked === 1) await held.promise;
        await route.fulfill({ response });
      }),
    );
    expectErrors(second.page, /net::ERR_CONNECTION_RESET .*\/accounts\/internal-transfers$/);
    await answered.promise;
    await second.button('To the account').click();
    await first.confirm(pin);
    await first.posted();
    await second.balance.getByText('R$ 87.50').waitFor();
    held.resolve();
    await second.sees(`R$ 12.50 to account ${payee.account} was sent.`);
    expect(await second.page.getByText(wasNotSent()).count()).toBe(0);
  });
  test('when the customer signs out while a transfer has no answer, then the page finds out and says it', async () => {
    const { page, button, ...wallet } = await atPinPad();
    expectErrors(page, /status of 401 /); // what is being read when the session ends
    const network = await wallet.breakTransfers({ arrive: true, return: false });
    await wallet.confirm(pin);
    await wallet.isCommitted(payee);
    await page.reload();
    for (const name of ['To the account', 'PIN and security', 'Sign out']) await button(name).click();
    network.return = true;
    await wallet.sees(`R$ 12.50 to account ${payee.account} was sent.`);
    await page.getByRole('form', { name: 'Sign in' }).waitFor();
  });
});
