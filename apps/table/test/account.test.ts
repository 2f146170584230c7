import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { caller, created } from '@comanda/testing/call';
import type { Call } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { findSecrets } from '@comanda/testing/find-secrets';
import { depositKey, otherPin, pin, resetKey, wrongPin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { overflowOf, smallTargetsOf, tabTo, violationsOf } from '@comanda/testing/page-checks';
import { createMovableTime } from './support/movable-time.ts';
import type { MovableTime } from './support/movable-time.ts';
import { startTableAppWithAuthCommands } from './support/table-app.ts';

let app: Awaited<ReturnType<typeof startTableAppWithAuthCommands>>;
let time: MovableTime;
beforeAll(async () => {
  time = createMovableTime();
  app = await startTableAppWithAuthCommands('table-account', { ...time.settings, RATE_LIMIT_STEP_UP: '1000' });
}, 300_000);
afterEach(async () => {
  time.moveTo(0);
  await app?.closePages();
});
afterAll(async () => {
  await app?.close();
  time.close();
});

/** A customer with an account, money and a PIN, and a call of the gateway with their token. */
type Customer = { user: TestUser; call: Call; account: number };
type Has = { money?: string; pin?: string };
async function newCustomer({ money, pin: chosen }: Has = {}): Promise<Customer> {
  const user = await app.stack.auth.customer('Lia');
  const call = caller(app.url, { token: user.token });
  const { id: account } = created(await call('POST', '/accounts', { body: { name: 'Conta' } }));
  if (money !== undefined) await depositTo(account, money);
  if (chosen !== undefined) await app.stack.auth.storePin(user, chosen);
  return { user, call, account };
}
async function depositTo(account: number, amount: string): Promise<void> {
  const manager = await app.stack.auth.manager();
  const token = await app.stack.auth.issueStepUpToken({ userId: manager.id, endpointKey: depositKey });
  created(
    await caller(app.url, { token: manager.token })('POST', `/accounts/${account}/deposits`, {
      body: { amount },
      headers: { 'x-step-up-token': token },
    }),
  );
}
async function balanceOf({ user, account }: Customer): Promise<string> {
  const { token } = await app.stack.auth.newSession(user);
  return (await caller(app.url, { token })('GET', `/accounts/${account}`)).body.balance as string;
}
let payer: Customer;
let payee: Customer;
beforeEach(async () => {
  [payer, payee] = await Promise.all([newCustomer({ money: '100.00', pin }), newCustomer()]);
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const balance = (page: Page) => page.getByRole('status', { name: 'Balance' });

async function signIn(page: Page, { user }: Customer): Promise<void> {
  await page.goto(`${page.url() === 'about:blank' ? app.url : new URL(page.url()).origin}/#/account`);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(user.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await button(page, 'Sign in').click();
  await balance(page).waitFor();
}
type Wanted = { to?: number; amount?: string };
/** From the account's page to the PIN pad. */
async function review(page: Page, { to = payee.account, amount = '12.50' }: Wanted = {}): Promise<void> {
  await button(page, 'Transfer').click();
  await page.getByRole('textbox', { name: 'To account number' }).fill(String(to));
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await page.getByRole('textbox', { name: 'What for' }).fill('Split of the dinner');
  await button(page, 'Review transfer').click();
  await page.getByRole('group', { name: 'PIN' }).waitFor();
}
/** Six keys of the pad, and "Confirm transfer". */
async function confirm(page: Page, digits: string): Promise<void> {
  const pad = page.getByRole('group', { name: 'PIN' });
  for (const digit of digits) await pad.getByRole('button', { name: digit, exact: true }).click();
  await button(page, 'Confirm transfer').click();
}
async function enterNewPin(page: Page, digits: string): Promise<void> {
  for (const [label, next] of [
    ['New PIN', 'Go on'],
    ['The same PIN again', 'Set PIN'],
  ] as const) {
    await page.getByRole('group', { name: label }).waitFor();
    await page.keyboard.type(digits);
    await button(page, next).click();
  }
}
async function save(page: Page): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download');
  await button(page, 'Save').click();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}
/** What `npm run verify-receipt` runs and prints. */
async function verifySaved(receipt: string): Promise<unknown> {
  const keys = ['--jwks', `${app.url}/.well-known/jwks.json`];
  const options = { args: [receipt, ...keys], env: {} };
  return JSON.parse(await app.stack.runServiceCommand('transfers', 'src/verify-receipt.ts', options));
}
const isTransfer = (url: URL): boolean => url.pathname === '/accounts/internal-transfers';
type Network = {
  /** The server gets the requests. */ arrive: boolean;
  /** The page gets the answers. */ return: boolean;
};
/** Breaks the way of transfers that have consent, and of questions about them. */
async function breakTransfers(page: Page, network: Network): Promise<Network> {
  let hasConsented = false;
  await page.context().route(isTransfer, async (route) => {
    hasConsented ||= 'x-step-up-token' in route.request().headers();
    if (!hasConsented) return route.fallback();
    if (network.arrive && !network.return) await route.fetch().catch(() => {});
    return network.arrive && network.return ? route.fallback() : route.abort('connectionreset');
  });
  return network;
}

describe('a transfer', () => {
  test('when somebody opens an account, receives money, chooses a PIN and transfers, then each step is seen at once', async () => {
    const user = await app.stack.auth.customer('Rui');
    const { page, errors } = await app.phone();
    await page.goto(`${app.url}/#/account`);
    await page.getByRole('textbox', { name: 'E-mail' }).fill(user.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(page, 'Sign in').click();
    await button(page, 'Open an account').click();
    await button(page, 'Open account').click();
    await balance(page).getByText('R$ 0.00').waitFor();
    const title = await heading(page, /^Account \d+$/).textContent();
    await depositTo(Number(title?.replace('Account ', '')), '1248.30');
    await balance(page).getByText('R$ 1,248.30').waitFor();

    await button(page, 'Transfer').click();
    await button(page, 'Choose a PIN').click();
    await enterNewPin(page, '123456');
    await page.getByRole('alert').getByText('This PIN is too easy to guess.').waitFor();
    await enterNewPin(page, pin);
    await button(page, 'Done').click();
    await page.getByRole('textbox', { name: 'To account number' }).fill('999999');
    await page.getByRole('textbox', { name: 'Amount' }).fill('1,234.50');
    await button(page, 'Review transfer').click();
    await page.getByText('Type an amount such as 12.50').waitFor();
    await page.getByRole('textbox', { name: 'Amount' }).fill('1234,50');
    await button(page, 'Review transfer').click();
    await page.getByText('There is no account with this number.').waitFor();
    await page.getByRole('textbox', { name: 'To account number' }).fill(String(payee.account));
    await button(page, 'Review transfer').click();
    await page.getByText('R$ 1,234.50').waitFor();
    await page.getByText(`account ${payee.account}`).waitFor();
    await confirm(page, wrongPin);
    await page.getByRole('alert').getByText('Wrong PIN, 2 tries left.').waitFor();
    await page.getByText('Nothing was sent.').waitFor();
    await confirm(page, pin);
    await heading(page, 'Posted').waitFor();
    await page.getByText('R$ 13.80').waitFor();
    await button(page, 'Check the signature').click();
    await page.getByText('The signature is right.').waitFor();
    const saved = await save(page);
    expect(saved.name).toMatch(/^comanda-receipt-\d+\.txt$/);
    expect(await verifySaved(saved.text)).toMatchObject({ to_account_id: payee.account, amount: '1234.50' });
    await expect(verifySaved(saved.text.replace(/\.[^.]+\./, '.e30.'))).rejects.toThrow('was not signed');
    await button(page, 'Done').last().click();
    await balance(page).getByText('R$ 13.80').waitFor();
    await page.getByRole('link', { name: `To Lia account ${payee.account}` }).waitFor();
    expect(await balanceOf(payee)).toBe('1234.50');
    expect(errors.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
  });
  test('when the receipt was changed, or the page has no TLS, then the page says so', async () => {
    const { page } = await app.phone();
    await page.context().route(/internal-transfers\/\d+$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), amount: '99.00' } });
    });
    await signIn(page, payer);
    await page.getByRole('link', { name: /^Cash deposit/ }).click();
    await button(page, 'Check the signature').click();
    await page.getByText('The signature is NOT right.').waitFor();

    const plain = await app.phone();
    await plain.page.goto(app.url.replace('127.0.0.1', 'comanda.test'));
    await signIn(plain.page, payer);
    await plain.page.getByRole('link', { name: /^Cash deposit/ }).click();
    await button(plain.page, 'Check the signature').click();
    await plain.page.getByText('npm run verify-receipt').waitFor();
    await button(plain.page, 'Copy receipt').click();
    await button(plain.page, 'Copied').waitFor();
  });
  test('when the amount is changed on its way after consent, then the server refuses it, and the page asks again', async () => {
    const { page } = await app.phone();
    let agreed: unknown;
    let isChanged = false;
    await page.context().route('**/security/step-up', (route) => {
      agreed = route.request().postDataJSON().authorization_details;
      return route.fallback();
    });
    await page.context().route(isTransfer, (route) => {
      if (isChanged || !('x-step-up-token' in route.request().headers())) return route.fallback();
      isChanged = true;
      return route.continue({ postData: { ...route.request().postDataJSON(), amount: '99.00' } });
    });
    await signIn(page, payer);
    await review(page);
    await confirm(page, pin);
    await page.getByRole('alert').getByText('What the server received is not what you agreed to.').waitFor();
    expect(agreed).toEqual([
      {
        type: 'internal_transfer',
        from_account_id: payer.account,
        to_account_id: payee.account,
        amount: '12.50',
        currency: 'BRL',
      },
    ]);
    expect(await balanceOf(payee)).toBe('0.00');
    await confirm(page, pin);
    await heading(page, 'Posted').waitFor();
    expect(await balanceOf(payee)).toBe('12.50');
  });
  test('when the customer goes back from the PIN pad, then nothing is sent, and the form has what was typed', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await review(page);
    await button(page, 'Change the transfer').click();
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('12.50');
    await page.getByRole('textbox', { name: 'Amount' }).fill('100.01');
    await button(page, 'Review transfer').click();
    await page.getByText('There is only R$ 100.00 in your account.').waitFor();
    expect(await balanceOf(payer)).toBe('100.00');
  });
});

describe('whether money has moved', () => {
  test('when the answer is lost after the commit, then the page finds out by itself that it was sent once', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await review(page);
    const network = await breakTransfers(page, { arrive: true, return: false });
    await confirm(page, pin);
    await until(async () => (await balanceOf(payee)) === '12.50', { what: 'the commit' });
    network.return = true;
    await heading(page, 'Posted').waitFor({ timeout: 20_000 });
    expect(await balanceOf(payer)).toBe('87.50');
  });
  test('when there is no network for long, then the page says that it does not know and asks until it does', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await review(page);
    await page.context().setOffline(true);
    await confirm(page, pin);
    await heading(page, 'No answer yet').waitFor();
    await page.getByText('Do not send it again in another way.').waitFor();
    await page.context().setOffline(false);
    await page.getByText(`R$ 12.50 to account ${payee.account} was NOT sent.`).waitFor({ timeout: 20_000 });
    expect(await balanceOf(payee)).toBe('0.00');
    await button(page, 'Review transfer').click();
    await confirm(page, pin);
    await heading(page, 'Posted').waitFor();
    expect(await balanceOf(payee)).toBe('12.50');
  });
  test('when the page is reloaded at the PIN pad, then it says that nothing was sent, and has the form', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await review(page);
    await page.reload();
    await page.getByText(`R$ 12.50 to account ${payee.account} was NOT sent.`).waitFor();
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('12.50');
    expect(await balanceOf(payee)).toBe('0.00');
  });
  test('when the page is reloaded after the commit and before the answer, then it shows the receipt', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await review(page);
    const network = await breakTransfers(page, { arrive: true, return: false });
    await confirm(page, pin);
    await until(async () => (await balanceOf(payee)) === '12.50', { what: 'the commit' });
    await page.reload();
    await heading(page, 'No answer yet').waitFor();
    network.return = true;
    await heading(page, 'Posted').waitFor({ timeout: 20_000 });
    await page.getByText('It was sent once. Do not send it again.').waitFor();
    expect(await balanceOf(payer)).toBe('87.50');
  });
  test('when a second tab is open, then it says that nothing was sent while the first asks for the PIN, and that it was afterwards', async () => {
    const { page: first, context } = await app.phone();
    await signIn(first, payer);
    await review(first);
    const second = await context.newPage();
    await second.goto(`${app.url}/#/account`);
    await second.getByText(`R$ 12.50 to account ${payee.account} was NOT sent.`).waitFor();
    await confirm(first, pin);
    await heading(first, 'Posted').waitFor();
    await second.getByText(`R$ 12.50 to account ${payee.account} was sent.`).waitFor();
    await button(second, 'See the receipt').click();
    await heading(second, 'Posted').waitFor();
    expect(await balanceOf(payee)).toBe('12.50');
    expect(await balanceOf(payer)).toBe('87.50');
  });
  test('when a second tab has asked, and the first is reloaded after its commit, then it still finds the receipt', async () => {
    const { page: first, context } = await app.phone();
    await signIn(first, payer);
    await review(first);
    const second = await context.newPage();
    await second.goto(`${app.url}/#/account`);
    await second.getByText('was NOT sent.').waitFor();
    await second.close();
    const network = await breakTransfers(first, { arrive: true, return: false });
    await confirm(first, pin);
    await until(async () => (await balanceOf(payee)) === '12.50', { what: 'the commit' });
    await first.reload();
    network.return = true;
    await heading(first, 'Posted').waitFor({ timeout: 20_000 });
  });
  test('when the customer signs out while a transfer has no answer, then the page finds out and says it', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await review(page);
    const network = await breakTransfers(page, { arrive: true, return: false });
    await confirm(page, pin);
    await until(async () => (await balanceOf(payee)) === '12.50', { what: 'the commit' });
    await page.reload();
    await button(page, 'To the account').click();
    await button(page, 'PIN and security').click();
    await button(page, 'Sign out').click();
    network.return = true;
    await page.getByText(`R$ 12.50 to account ${payee.account} was sent.`).waitFor();
    await page.getByRole('form', { name: 'Sign in' }).waitFor();
  });
});

describe('the PIN', () => {
  async function block(page: Page): Promise<void> {
    await review(page);
    for (const left of ['2 tries', '1 try']) {
      await confirm(page, wrongPin);
      await page.getByRole('alert').getByText(`Wrong PIN, ${left} left.`).waitFor();
    }
    await confirm(page, wrongPin);
    await heading(page, /^Your PIN is blocked until \d\d:\d\d$/).waitFor();
  }
  test('when it is wrong three times, then the page says until when, what was not sent and what still works', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await block(page);
    await page.getByText(`R$ 12.50 to account ${payee.account} was NOT sent.`).waitFor();
    await page.getByText('Balance and statement').waitFor();
    await page
      .getByRole('timer')
      .getByText(/About (29|30) minutes left/)
      .waitFor({ state: 'attached' });
    await depositTo(payer.account, '5.00');
    await button(page, 'Account').click();
    await balance(page).getByText('R$ 105.00').waitFor();
  });
  test('when the time of a block has passed, then the page shows the transfer again, and the right PIN works', async () => {
    const { page } = await app.phone();
    await page.clock.install();
    await signIn(page, payer);
    await block(page);
    time.moveTo(28);
    await page.clock.fastForward('28:00');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(page, 'Unlock').click();
    await page
      .getByRole('timer')
      .getByText(/About [12] minutes? left/)
      .waitFor({ state: 'attached' });
    time.moveTo(31);
    await page.clock.fastForward('03:00');
    await page.getByText(`R$ 12.50 to account ${payee.account} was NOT sent.`).waitFor();
    await button(page, 'Review transfer').click();
    await confirm(page, pin);
    await heading(page, 'Posted').waitFor();
    expect(await balanceOf(payee)).toBe('12.50');
  });
  test('when a manager has approved it, then the customer sets a new one, which ends the block', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await block(page);
    await button(page, 'Set a new PIN').click();
    await page.getByText(`You are user ${payer.user.id}, Lia.`).waitFor();
    const enter = async (): Promise<void> => {
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await button(page, 'A manager has approved it').click();
      await enterNewPin(page, otherPin);
    };
    await enter();
    await page.getByRole('alert').getByText('No manager has approved this yet').waitFor();
    const manager = await app.stack.auth.manager();
    const token = await app.stack.auth.issueStepUpToken({ userId: manager.id, endpointKey: resetKey });
    const path = `/users/${payer.user.id}/transaction-password-resets`;
    created(await caller(app.url, { token: manager.token })('POST', path, { headers: { 'x-step-up-token': token } }));
    await enter();
    await heading(page, 'Your PIN is set.').waitFor();
    await page.goto(`${app.url}/#/account`);
    await review(page);
    await confirm(page, otherPin);
    await heading(page, 'Posted').waitFor();
  });
  test('when it is changed, then the old one is wrong, and the events tell it in words', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await button(page, 'PIN and security').click();
    await button(page, 'Change PIN').click();
    await page.getByRole('group', { name: 'Current PIN' }).waitFor();
    await page.keyboard.type(pin);
    await page.keyboard.press('Enter');
    await enterNewPin(page, otherPin);
    await button(page, 'Done').click();
    await page.getByRole('listitem').getByText('You changed your PIN').waitFor();
    await page.getByRole('listitem').getByText('You signed in').first().waitFor();
    await page.goto(`${app.url}/#/account`);
    await review(page);
    await confirm(page, pin);
    await page.getByRole('alert').getByText('Wrong PIN, 2 tries left.').waitFor();
  });
  test('when it was used, then it is in no storage, element, address, console or log', async () => {
    const { page, context } = await app.phone();
    const seen: string[] = [];
    page.on('console', (message) => seen.push(message.text()));
    context.on('request', (request) => seen.push(request.url()));
    await signIn(page, payer);
    await review(page);
    await confirm(page, wrongPin);
    await page.getByRole('alert').getByText('Wrong PIN').waitFor();
    const state = (): Promise<string> =>
      page.evaluate(async () => {
        const inputs = [...document.querySelectorAll('input')].map(({ value }) => value);
        const databases = await indexedDB.databases();
        return JSON.stringify([
          Object.entries(localStorage),
          Object.entries(sessionStorage),
          databases,
          inputs,
          document.documentElement.outerHTML,
          location.href,
          history.state,
        ]);
      });
    const whileEntering = await state();
    const pad = page.getByRole('group', { name: 'PIN' });
    for (const digit of pin) await pad.getByRole('button', { name: digit, exact: true }).click();
    const entered = await state();
    await button(page, 'Confirm transfer').click();
    await heading(page, 'Posted').waitFor();
    await page.goto(`${app.url}/#/account/security`);
    await button(page, 'Change PIN').click();
    for (const [label, digits] of [
      ['Current PIN', pin],
      ['New PIN', otherPin],
      ['The same PIN again', otherPin],
    ] as const) {
      await page.getByRole('group', { name: label }).waitFor();
      await page.keyboard.type(digits);
      await page.keyboard.press('Enter');
    }
    await heading(page, 'Your PIN is set.').waitFor();
    const logs = Object.entries(app.stack.services).map(([name, service]) => [name, service.output()]);
    const texts = {
      whileEntering,
      entered,
      after: await state(),
      seen: seen.join('\n'),
      ...(Object.fromEntries(logs) as Record<string, string>),
    };
    expect(findSecrets(texts, { pins: [pin, wrongPin, otherPin], tokens: [] })).toEqual([]);
  });
});

describe('sessions', () => {
  test('when nobody touches the page for 5 minutes, then nothing of the account is shown until the password is entered', async () => {
    const { page } = await app.phone();
    await page.clock.install();
    await signIn(page, payer);
    await page.clock.fastForward('04:55');
    await heading(page, /^Account \d+/).click();
    await page.clock.fastForward('04:55');
    expect(await balance(page).textContent()).toContain('100.00');
    await page.clock.fastForward('00:10');
    await heading(page, 'Locked').waitFor();
    await page.reload();
    await heading(page, 'Locked').waitFor();
    expect(await page.content()).not.toContain('100.00');
    await page.getByRole('textbox', { name: 'Password' }).fill('not-the-password');
    await button(page, 'Unlock').click();
    await page.getByRole('alert').getByText('The password is wrong.').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(page, 'Unlock').click();
    await balance(page).getByText('R$ 100.00').waitFor();
  });
  test('when the page is locked at the PIN pad, then nothing is sent', async () => {
    const { page } = await app.phone();
    await page.clock.install();
    await signIn(page, payer);
    await review(page);
    await page.keyboard.type(pin);
    await page.clock.fastForward('05:10');
    await heading(page, 'Locked').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(page, 'Unlock').click();
    await button(page, 'Review transfer').waitFor();
    expect(await balanceOf(payee)).toBe('0.00');
  });
  test('when the password is changed, then other devices are signed out; "sign out everywhere" ends this one too', async () => {
    const [{ page }, other] = [await app.phone(), await app.phone()];
    await signIn(page, payer);
    await signIn(other.page, payer);
    await button(page, 'PIN and security').click();
    await button(page, 'Change password').click();
    await page.getByRole('textbox', { name: 'Current password' }).fill(password);
    await page.getByRole('textbox', { name: 'New password' }).fill('farofa-com-violao-9');
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('All other devices are signed out.').last().waitFor();
    await other.page.evaluate(() => {
      const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.session@')) ?? '';
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? ''), until: 0 }));
    });
    await other.page.reload();
    await other.page.getByRole('form', { name: 'Sign in' }).waitFor();

    await button(page, 'Sign out everywhere').click();
    await button(page, 'Yes, everywhere').click();
    await page.getByRole('form', { name: 'Sign in' }).waitFor();
  });
  test('when amounts are hidden, then no amount is on the page, also after a reload', async () => {
    const { page } = await app.phone();
    await signIn(page, payer);
    await button(page, 'Hide amounts').click();
    await page.reload();
    await button(page, 'Show amounts').waitFor();
    await balance(page).getByText('••••').waitFor();
    expect(await page.content()).not.toContain('100.00');
  });
});

test('when a statement has more than one page, then older entries are read on demand, each once', async () => {
  await Promise.all(Array.from({ length: 17 }, (_, index) => depositTo(payee.account, `${index + 1}.00`)));
  const { page } = await app.phone();
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await signIn(page, payee);
  const rows = page.getByRole('link', { name: /^Cash deposit/ });
  await rows.first().waitFor();
  expect(await rows.count()).toBe(15);
  await depositTo(payee.account, '18.00');
  await page.getByText('+R$ 18.00').waitFor();
  await button(page, 'Show older entries').click();
  await until(async () => (await rows.count()) === 18, { what: 'all entries' });
  expect(new Set(await page.locator('.entry-amount').allTextContents()).size).toBe(18);
  await button(page, 'Show older entries').waitFor({ state: 'detached' });
  expect(calls.filter((path) => path.includes('internal-transfers'))).toEqual([]);
});

const looks: [name: string, options: BrowserContextOptions][] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ['zoomed', { viewport: { width: 320, height: 568 } }],
];
test.each(looks)(
  'when every account page is visited (%s), then axe finds nothing, and all of it fits',
  async (name, options) => {
    const { page } = await app.phone(options);
    const faults: Record<string, unknown> = {};
    const visit = async (screen: string): Promise<void> => {
      await app.shoot(page, `${name}-${screen}`);
      const found = [
        ...(await violationsOf(page)),
        ...(await smallTargetsOf(page)).map((target) => `small: ${target}`),
        ...((await overflowOf(page)) > 0 ? ['scrolls sideways'] : []),
      ];
      if (found.length > 0) faults[screen] = found;
    };
    await signIn(page, payer);
    await page.getByRole('link', { name: /^Cash deposit/ }).waitFor();
    await visit('account');
    await button(page, 'Transfer').click();
    await button(page, 'Review transfer').click();
    await visit('transfer-faults');
    await page.getByRole('textbox', { name: 'To account number' }).fill(String(payee.account));
    await page.getByRole('textbox', { name: 'Amount' }).fill('12.50');
    await button(page, 'Review transfer').click();
    await confirm(page, wrongPin);
    await page.getByRole('alert').getByText('Wrong PIN').waitFor();
    await visit('pin');
    await page.context().setOffline(true);
    await confirm(page, pin);
    await heading(page, 'No answer yet').waitFor();
    await visit('no-answer');
    await button(page, 'To the account').click();
    await button(page, 'Look').waitFor();
    await visit('pending');
    await button(page, 'Look').click();
    await page.context().setOffline(false);
    await page.getByText('was NOT sent').waitFor({ timeout: 20_000 });
    await visit('not-sent');
    await button(page, 'Review transfer').click();
    await confirm(page, pin);
    await heading(page, 'Posted').waitFor();
    await button(page, 'Check the signature').click();
    await page.getByText('The signature is right.').waitFor();
    await visit('receipt');
    await button(page, 'Done').last().click();
    await button(page, 'PIN and security').click();
    await page.getByText('You signed in').first().waitFor();
    await visit('security');
    await button(page, 'I forgot my PIN').click();
    await visit('pin-reset');
    await button(page, 'PIN and security').click();
    await button(page, 'Account').click();
    await review(page);
    for (let tries = 0; tries < 3; tries++) {
      await confirm(page, wrongPin);
      await page
        .getByRole('alert')
        .getByText(/Wrong PIN, \d|Your PIN is blocked/)
        .waitFor();
    }
    await visit('blocked');
    await button(page, 'Account').click();
    await button(page, 'Lock').click();
    await visit('locked');
    expect(faults).toEqual({});
  },
);

test('when the keyboard only is used, then a transfer can be made', async () => {
  const { page } = await app.phone();
  await signIn(page, payer);
  await tabTo(page, /^Transfer$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^$/);
  await page.keyboard.type(String(payee.account));
  await page.keyboard.press('Tab');
  await page.keyboard.type('12,50');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'PIN' }).waitFor();
  await page.keyboard.type(`${pin.slice(0, 5)}0`);
  await page.keyboard.press('Backspace');
  await page.keyboard.type(pin.slice(5));
  await page.keyboard.press('Enter');
  await heading(page, 'Posted').waitFor();
  expect(await balanceOf(payee)).toBe('12.50');
});

test('when the language is Portuguese, then pages, amounts and the PIN pad are', async () => {
  const { page } = await app.phone({ locale: 'pt-BR' });
  await page.goto(`${app.url}/#/account`);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(payer.user.email);
  await page.getByRole('textbox', { name: 'Senha' }).fill(password);
  await button(page, 'Entrar').click();
  await page.getByRole('status', { name: 'Saldo' }).getByText('R$ 100,00').waitFor();
  await button(page, 'Transferir').click();
  await page.getByRole('textbox', { name: 'Para a conta número' }).fill(String(payee.account));
  await page.getByRole('textbox', { name: 'Valor' }).fill('12,50');
  await button(page, 'Conferir transferência').click();
  await page.getByRole('group', { name: 'PIN' }).waitFor();
  await app.shoot(page, 'pt-pin');
  await page.keyboard.type(wrongPin);
  await button(page, 'Confirmar transferência').click();
  await page.getByText('PIN incorreto, restam 2 tentativas.').waitFor();
  await page.keyboard.type(pin);
  await button(page, 'Confirmar transferência').click();
  await heading(page, 'Realizada').waitFor();
});
