import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { password } from '@comanda/testing/credentials';
import { findSecrets } from '@comanda/testing/find-secrets';
import { otherPin, pin, wrongPin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import * as customers from './support/customer.ts';
import { isTransfer, newPin, walletOn, type Customer, type Wallet } from './support/customer.ts';
import { holdFeed } from './support/guest.ts';
import { expireToken, startGuestApp, withoutTls, type GuestApp } from './support/guest-app.ts';

let app: GuestApp;
let payer: Customer;
let payee: Customer;
beforeAll(async () => {
  app = await startGuestApp('table-transfer');
}, 300_000);
beforeEach(async () => {
  ({ payer, payee } = await customers.newPair(app));
});
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const signedIn = (customer = payer) => customers.signedIn(app, customer);
const balanceOf = (customer: Customer) => customers.balanceOf(app, customer);
/** Opens the PIN pad for a transfer, as a payer. */
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
/** Runs the function behind `npm run verify-receipt`, and returns what it prints. */
async function verifySaved(receipt: string): Promise<unknown> {
  const options = { args: [receipt, '--jwks', `${app.url}/.well-known/jwks.json`], env: {} };
  return JSON.parse(await app.stack.runServiceCommand('transfers', 'src/verify-receipt.ts', options));
}

describe('a transfer', () => {
  test('shows each step immediately', async () => {
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
    // The pad rejects a weak PIN after its six digits, before the user has to repeat it.
    await wallet.enterPins(['New PIN', '123456', 'Continue']);
    await wallet.alert('This PIN is too easy to guess.').waitFor();
    await wallet.enterPins(...newPin(pin));
    await button('Done').click();
    await wallet.fill('To account number', '999999');
    await wallet.fill('Amount', '1,234');
    await button('Review transfer').click();
    await wallet.sees('Enter an amount like 12.50');
    await wallet.fill('Amount', '1234,50');
    expectErrors(page, /status of 404 .*\/accounts\/internal-transfers$/);
    await button('Review transfer').click();
    await wallet.sees('There’s no account with this number.');
    await wallet.fill('To account number', String(payee.account));
    await button('Review transfer').click();
    await wallet.sees('R$ 1,234.50');
    await wallet.sees(`account ${payee.account}`);
    // Before the PIN, the page shows the account's owner, even for a first transfer.
    await wallet.sees('to Lia');
    await wallet.confirm(wrongPin);
    await wallet.alert('Wrong PIN, 2 tries left.').waitFor();
    await wallet.sees('Nothing was sent.');
    await wallet.confirm(pin);
    await wallet.posted();
    await wallet.sees('R$ 13.80');
    await button('Check the signature').click();
    await wallet.sees('The signature is valid.');
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
  test('has a receipt whose page detects a changed amount', async () => {
    const { page, context, button, sees } = await signedIn();
    await context.route(/internal-transfers\/\d+$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), amount: '99.00' } });
    });
    await page.getByRole('link', { name: /^Cash deposit/ }).click();
    await button('Check the signature').click();
    await sees('The signature is NOT valid.');

    const plain = walletOn(app, await app.phone());
    await plain.page.goto(withoutTls(app));
    await plain.signIn(payer);
    await plain.page.getByRole('link', { name: /^Cash deposit/ }).click();
    await plain.button('Check the signature').click();
    await plain.sees('npm run verify-receipt');
    await plain.button('Copy receipt').click();
    await plain.button('Copied').waitFor();
  });
  test('appears once in the statement', async () => {
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

describe('the PIN', () => {
  test('is neither stored nor shown anywhere after use', async () => {
    const { page, context, ...wallet } = walletOn(app, await app.phone());
    const seen: string[] = [];
    page.on('console', (message) => seen.push(message.text()));
    context.on('request', (request) => seen.push(request.url()));
    await wallet.signIn(payer);
    await wallet.review(payee);
    await wallet.confirm(wrongPin);
    await wallet.alert('Wrong PIN').waitFor();
    const state = (): Promise<string> =>
      page.evaluate(async () =>
        JSON.stringify([
          Object.entries(localStorage),
          Object.entries(sessionStorage),
          await indexedDB.databases(),
          [...document.querySelectorAll('input')].map(({ value }) => value),
          document.documentElement.outerHTML,
          location.href,
          history.state,
        ]),
      );
    const whileEntering = await state();
    await wallet.typeDigits(pin);
    const entered = await state();
    await wallet.button('Confirm transfer').click();
    await wallet.posted();
    await wallet.goTo('/security');
    await wallet.button('Change PIN').click();
    await wallet.enterPins(['Current PIN', pin], ['New PIN', otherPin], ['Repeat the new PIN', otherPin]);
    await wallet.heading('Your PIN is set.').waitFor();
    const logs = Object.entries(app.stack.services).map(([name, service]) => [name, service.output()]);
    const pages = { whileEntering, entered, after: await state(), seen: seen.join('\n') };
    const texts = { ...pages, ...(Object.fromEntries(logs) as Record<string, string>) };
    expect(findSecrets(texts, { pins: [pin, wrongPin, otherPin], tokens: [] })).toEqual([]);
  });
});

describe('sessions', () => {
  test('end on other devices after a password change', async () => {
    const [{ page, button, ...wallet }, other] = [await signedIn(), await signedIn()];
    for (const each of [page, other.page]) expectErrors(each, /status of 401 /);
    await button('PIN and security').click();
    await button('Change password').click();
    await wallet.fill('Current password', password);
    await wallet.fill('New password', 'farofa-com-violao-9');
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('signed out on all other devices.').last().waitFor();
    await expireToken(other.page);
    await other.page.reload();
    await other.page.getByRole('form', { name: 'Sign in' }).waitFor();

    await button('Sign out everywhere').click();
    await button('Yes, everywhere').click();
    await page.getByRole('form', { name: 'Sign in' }).waitFor();
  });
});

describe('a transfer that may have been sent', () => {
  const wasNotSent = () => `R$ 12.50 to account ${payee.account} was NOT sent.`;

  test('was not sent if the page was reloaded at the PIN pad', async () => {
    const { page, sees } = await atPinPad();
    await page.reload();
    await sees(wasNotSent());
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('12.50');
    expect(await balanceOf(payee)).toBe('0.00');
  });
  test('shows its receipt if the page was reloaded before the response', async () => {
    const wallet = await atPinPad();
    const network = await wallet.breakTransfers({ arrive: true, return: false });
    await wallet.confirm(pin);
    await wallet.isCommitted(payee);
    await wallet.page.reload();
    await wallet.heading('No reply yet').waitFor();
    network.return = true;
    await wallet.posted({ timeout: 20_000 });
    await wallet.sees('It was sent once. Don’t send it again.');
    expect(await balanceOf(payer)).toBe('87.50');
  });
  /** Opens the account page in another tab on this phone. */
  async function openTab(
    { context }: Wallet,
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<Wallet> {
    const tab = walletOn(app, { context, page: await context.newPage() });
    await prepare(tab.page);
    await tab.goTo();
    return tab;
  }
  test('is shown in a second tab once the first tab has sent it', async () => {
    const first = await atPinPad();
    const second = await openTab(first);
    await second.sees(wasNotSent());
    await first.confirm(pin);
    await first.posted();
    await second.sees(`R$ 12.50 to account ${payee.account} was sent.`);
    await second.button('View receipt').click();
    await second.posted();
    expect(await balanceOf(payee)).toBe('12.50');
    expect(await balanceOf(payer)).toBe('87.50');
  });
  test("is shown as sent in a second tab once that tab's feed is live", async () => {
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
  test('is shown as sent in a second tab, even if an older response arrives later', async () => {
    const first = await atPinPad();
    const answered = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let asked = 0;
    const second = await openTab(first, (page) =>
      page.route(isTransfer, async (route) => {
        asked++;
        // The second check gets no response on its first attempt.
        if (asked === 2) return route.abort('connectionreset');
        const response = await route.fetch();
        answered.resolve();
        if (asked === 1) await held.promise;
        await route.fulfill({ response });
      }),
    );
    expectErrors(second.page, /net::ERR_CONNECTION_RESET .*\/accounts\/internal-transfers$/);
    await answered.promise;
    await second.button('Go to account').click();
    await first.confirm(pin);
    await first.posted();
    await second.balance.getByText('R$ 87.50').waitFor();
    held.resolve();
    await second.sees(`R$ 12.50 to account ${payee.account} was sent.`);
    expect(await second.page.getByText(wasNotSent()).count()).toBe(0);
  });
  test('is settled before the customer is signed out', async () => {
    const { page, button, ...wallet } = await atPinPad();
    expectErrors(page, /status of 401 /); // These requests were still running when the session ended.
    const network = await wallet.breakTransfers({ arrive: true, return: false });
    await wallet.confirm(pin);
    await wallet.isCommitted(payee);
    await page.reload();
    for (const name of ['Go to account', 'PIN and security', 'Sign out']) await button(name).click();
    network.return = true;
    await wallet.sees(`R$ 12.50 to account ${payee.account} was sent.`);
    await page.getByRole('form', { name: 'Sign in' }).waitFor();
  });
});
