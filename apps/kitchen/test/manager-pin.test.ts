import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { tabTo } from '@comanda/testing/page-checks';
import { newCustomer, type Customer } from './support/customer.ts';
import { startKitchenApp, waiter, type KitchenApp } from './support/kitchen-app.ts';
import { openManager, password, pin, usersOf, type ManagerPage } from './support/manager-page.ts';
import { bottomOf, phone, press, says, tablet } from './support/page.ts';

let app: KitchenApp;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('manager-pin');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

/** A manager of their own, whose PIN a test may create, get wrong and block. */
async function newManager(name: string) {
  const credentials = { email: `${name.toLowerCase()}-${Date.now()}@example.test`, password };
  await app.stack.createManager({ name, ...credentials });
  return credentials;
}
test('when a manager stops transfers with the PIN, then waiters are told why, the audit has it, and it goes on the same way', async () => {
  const { page, dialog, enterPin, goTo } = await openManager(app, 'ordering');
  const { page: phonePage } = await app.openAt('waiter/tables', waiter, phone);
  await phonePage.getByRole('status', { name: 'Live feed' }).getByText('Live', { exact: true }).waitFor();
  await says(page, 'Money can be moved between accounts.');

  await page.getByLabel('Reason (Transfers and payments by account)').fill('The balances are being checked');
  await press(page, 'Stop transfers');
  await says(dialog, 'Stop transfers');
  // The dialog is in front of the menu.
  for (const [language, said] of [
    ['Português', 'Suspender transferências'],
    ['English', 'Stop transfers'],
  ] as const) {
    await page.locator('.app-menu > .tool-icon').dispatchEvent('click');
    await page.locator('.app-menu-list button', { hasText: language }).dispatchEvent('click');
    await says(dialog, said);
  }
  await enterPin(pin);

  await says(page, 'Transfers are stopped');
  await says(phonePage, /^Transfers are stopped · The balances are being checked · /);
  await goTo('deposits');
  await says(page, 'A manager lets them go on under “Pause orders”.');
  await goTo('audit');
  await says(page, 'Transfers stopped · The balances are being checked');
  await goTo('ordering');
  await press(page, 'Let transfers go on');
  await enterPin(pin);
  await says(page, 'Money can be moved between accounts.');
  await phonePage.getByText(/^Transfers are stopped/).waitFor({ state: 'detached' });
});

test('when what is stopped cannot be read, then the page does not say that it goes on; once it can, it says what is stopped', async () => {
  const { page, enterPin, goTo } = await openManager(app, 'ordering');
  await press(page, 'Stop new accounts');
  await enterPin(pin);
  await says(page, 'No new accounts for now');

  expectErrors(page, /status of 503 .*\/stops$/);
  const answer503 = { status: 503, contentType: 'application/problem+json', body: '{"code":"service_unavailable"}' };
  await page.route('**/stops', (route) => route.fulfill(answer503));
  await page.reload();
  await says(page, 'It is not known whether guests can make an account.');
  expect(await page.getByText('Guests can make an account.', { exact: true }).count()).toBe(0);

  await page.unroute('**/stops');
  // The page reads it when it is opened again: until another one stands there, it is not.
  await goTo('menu');
  await page.getByRole('link', { name: 'Add dish' }).waitFor();
  await goTo('ordering');
  await says(page, 'No new accounts for now');
  await press(page, 'Let people make accounts again');
  await enterPin(pin);
  await says(page, 'Guests can make an account.');
});

describe('people, with the PIN', () => {
  test('when the PIN is wrong once and then right, then the very same person is added, and the PIN stays nowhere', async () => {
    const { page, dialog, enterPin, addPerson } = await openManager(app, 'people');
    const bodies: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/users') bodies.push(request.postData());
    });
    const email = await addPerson('Rui');
    await says(dialog, 'You add Rui as waiter.');
    await enterPin('260817');
    await says(dialog, 'Wrong PIN, 2 tries left.');
    expect((await usersOf(app)).some((user) => user.email === email)).toBe(false);
    await enterPin(pin);
    await says(page, 'Rui was added.');
    expect((await usersOf(app)).find((user) => user.email === email)).toMatchObject({
      name: 'Rui',
      role: 'waiter',
      must_change_password: true,
    });
    expect(new Set(bodies).size).toBe(1);
    await dialog.waitFor({ state: 'hidden' });
    const left = await page.evaluate(() =>
      [...Object.values(localStorage), ...Object.values(sessionStorage), location.href].join(),
    );
    for (const digits of [pin, '260817']) {
      expect(left).not.toContain(digits);
      expect(await page.content()).not.toContain(digits);
    }
  });

  test('when somebody is disabled with the keyboard alone, then the dialog takes digits and a paste, and they are signed out', async () => {
    const { page, context, dialog, padIsReady, enterPin, addPerson } = await openManager(app, 'people');
    const email = await addPerson('Nina');
    await enterPin(pin);
    await says(page, 'Nina was added.');
    await page.getByRole('article', { name: 'Nina' }).waitFor();
    await tabTo(page, /^Change Nina$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Disable$/);
    await page.keyboard.press('Enter');
    await says(page, 'You disable Nina.');
    await padIsReady();
    expect(await dialog.locator('input').count()).toBe(0);
    await page.keyboard.type('999');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text', text);
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, pin);
    await page.getByText('6 of 6 digits').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await says(page, 'Nina was changed.');
    expect((await usersOf(app)).find((user) => user.email === email)).toMatchObject({ status: 'disabled' });
    expect(context.pages()).toHaveLength(1);
  });

  test('when a manager has no PIN, then they create one and go on; a blocked one is told until when', async () => {
    const { page, enterPin, addPerson } = await openManager(app, 'people', {
      user: await newManager('Olga'),
      ...phone,
    });
    const email = await addPerson('Tito');
    await page.getByRole('heading', { name: 'Create your PIN' }).waitFor();
    const next = page.getByRole('button', { name: /^(Next|Create the PIN and confirm)$/ });
    const enter = async (digits: string): Promise<void> => {
      for (const digit of digits) await press(page, digit);
      await next.click();
    };
    // It is refused after its six digits, and not entered a second time.
    await enter('123456');
    await says(page, 'This PIN is too easy to guess.');
    await enter(pin);
    await enter('739153');
    await says(page, 'The two PINs are different.');
    await enter(pin);
    await enter(pin);
    await says(page, 'Tito was added.');
    expect((await usersOf(app)).some((user) => user.email === email)).toBe(true);

    await addPerson('Caio');
    for (const digits of ['260817', '260818', '260819']) {
      await enterPin(digits);
      if (digits !== '260819') await says(page, /^Wrong PIN, \d tr(y|ies) left\.$/);
      if (digits === '260817') await says(page, 'Wrong PIN, 2 tries left.');
      if (digits === '260818') await says(page, 'Wrong PIN, 1 try left.');
    }
    await page
      .getByRole('alert')
      .getByText(/^Your PIN is blocked until \d\d:\d\d\.$/)
      .waitFor();
    expect((await usersOf(app)).some((user) => user.name === 'Caio')).toBe(false);
    await press(page, 'Add');
    await page
      .getByRole('alert')
      .getByText(/^Your PIN is blocked until/)
      .waitFor();
  });

  test('when the dialog is closed, then nothing is done and nothing is said to have failed', async () => {
    const { page, pad, addPerson } = await openManager(app, 'people');
    const email = await addPerson('Dora');
    await pad.waitFor();
    await press(page, 'Close');
    await pad.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
    expect((await usersOf(app)).some((user) => user.email === email)).toBe(false);
  });
});

describe('deposits, with the PIN', () => {
  const isDeposit = (url: URL): boolean => url.pathname.endsWith('/deposits');
  async function review({ page, pad }: ManagerPage, { account }: Customer): Promise<void> {
    await page.getByRole('textbox', { name: 'Account number, name or e-mail' }).fill(String(account));
    await press(page, `Account ${account}`);
    await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('50');
    await press(page, 'Review deposit');
    await pad.waitFor();
  }

  test('when a manager finds the person and confirms, then the money is in their account, and the receipt says it', async () => {
    const payee = await newCustomer(app.stack, 'Iracema');
    const casa = { name: 'Casa', email: `ira-${randomUUID()}@example.test`, password: 'uma-senha-para-comecar' };
    created(await app.stack.call('POST', '/auth/register', { body: casa }));
    const { page, dialog, enterPin } = await openManager(app, 'deposits', phone);
    expectErrors(page, /status of 404 .*\/accounts\/999999$/);
    const sent: (string | null)[] = [];
    page.on('request', (request) => {
      if (isDeposit(new URL(request.url()))) sent.push(request.headers()['idempotency-key'] ?? null);
    });
    let agreed: unknown;
    await page.context().route('**/security/step-up', (route) => {
      agreed = route.request().postDataJSON().authorization_details;
      return route.fallback();
    });
    const search = page.getByRole('textbox', { name: 'Account number, name or e-mail' });
    // Of those who have "ira" in their e-mail or name, who is called so comes first.
    await search.fill('ira');
    await page.getByRole('button', { name: /^Casa/ }).first().waitFor();
    const names = await page.locator('.deposit-choice strong').allTextContents();
    expect(names[0]).toBe('Iracema');
    await search.fill('999999');
    await press(page, 'Account 999999');
    await says(page, 'There is no account with this number.');
    await search.fill('nobody has this name');
    await says(page, /^Nobody among the \d+ newest people/);
    await search.fill(payee.email);
    await press(page, /^Iracema/);
    await press(page, new RegExp(`^Account ${payee.account}`));
    await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('1.234');
    await press(page, 'Review deposit');
    await says(page, 'Type an amount such as 50.00');
    await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('50');
    await press(page, 'Review deposit');
    await says(dialog, 'R$ 50.00');
    await says(dialog, `account ${payee.account}, Iracema`);
    await enterPin('260817');
    await says(dialog, 'Wrong PIN, 2 tries left.');
    await page.setViewportSize(tablet.viewport);
    expect(await bottomOf(dialog.getByRole('button', { name: 'Confirm' }))).toBeLessThan(await bottomOf(dialog));
    await page.setViewportSize(phone.viewport);
    expect(await payee.balance()).toBe('0.00');
    await enterPin(pin);
    await page.getByRole('heading', { name: 'Deposited' }).waitFor();
    await says(page, `account ${payee.account}, Iracema`);
    expect(await payee.balance()).toBe('50.00');
    expect(agreed).toEqual([{ type: 'account_deposit', account_id: payee.account, amount: '50', currency: 'BRL' }]);
    expect(new Set(sent).size).toBe(1);
    await page.getByText('The signed receipt').click();
    const receipt = (await page.locator('.deposit-signed code').textContent()) ?? '';
    const printed = await app.stack.runServiceCommand('transfers', 'src/verify-receipt.ts', {
      args: [receipt, '--jwks', `${app.stack.gatewayUrl}/.well-known/jwks.json`],
      env: {},
    });
    expect(JSON.parse(printed)).toMatchObject({ to_account_id: payee.account, amount: '50.00' });
  });

  test('when Esc is pressed while a wrong PIN is checked, then the dialog stays and says so', async () => {
    const payee = await newCustomer(app.stack, 'Ubirajara');
    const opened = await openManager(app, 'deposits');
    const { page, dialog, enterPin } = opened;
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.context().route('**/security/step-up', async (route) => {
      await held;
      return route.fallback();
    });
    await review(opened, payee);
    await enterPin('260817');
    await page.keyboard.press('Escape');
    goOn();
    await says(dialog, 'Wrong PIN, 2 tries left.');
    await enterPin(pin);
    await page.getByRole('heading', { name: 'Deposited' }).waitFor();
    expect(await payee.balance()).toBe('50.00');
  });
});

test('when somebody has forgotten their PIN, then a manager approves a new one, and the audit list says who', async () => {
  const [oldPin, newPin] = [pin, '481950'];
  const customer = await newCustomer(app.stack, 'Jurema');
  const body = { transaction_password: oldPin, confirmation: oldPin };
  created(await customer.call('POST', '/security/transaction-password', { body }));
  const { page: screen, enterPin, goTo } = await openManager(app, 'people');
  const { page: mobile } = await app.newScreen(phone);
  expectErrors(mobile, /status of 403 .*\/transaction-password\/reset$/);
  await mobile.goto(`${app.url}/#/account/security`);
  await mobile.getByRole('textbox', { name: 'E-mail' }).fill(customer.email);
  await mobile.getByRole('textbox', { name: 'Password' }).fill(customer.password);
  await mobile.keyboard.press('Enter');
  await press(mobile, 'I forgot my PIN');
  await says(mobile, `You are user ${customer.id}, Jurema.`);
  const choosePin = async (): Promise<void> => {
    await mobile.getByRole('textbox', { name: 'Password' }).fill(customer.password);
    await press(mobile, 'A manager has approved it');
    for (const [label, next] of [
      ['New PIN', 'Go on'],
      ['The same PIN again', 'Set PIN'],
    ] as const) {
      await mobile.getByRole('group', { name: label }).waitFor();
      await mobile.keyboard.type(newPin);
      await mobile.getByRole('button', { name: next }).click();
    }
  };
  await choosePin();
  await mobile.getByRole('alert').getByText('No manager has approved this yet').waitFor();

  await press(screen, 'Staff only');
  await press(screen, 'Change Jurema');
  await press(screen, 'Approve a PIN reset');
  await says(screen, 'You let Jurema set a new PIN.');
  await enterPin(pin);
  await says(screen, /^Jurema may set a new PIN until \d\d:\d\d\.$/);
  await goTo('audit');
  await screen.getByRole('cell', { name: `PIN reset approved · Jurema (user ${customer.id})` }).waitFor();

  await choosePin();
  await mobile.getByRole('heading', { name: 'Your PIN is set.' }).waitFor();
  const stepUp = (transactionPassword: string) =>
    customer.call('POST', '/security/step-up', {
      body: { endpoint_key: 'internal_transfer.create', transaction_password: transactionPassword },
    });
  expect([(await stepUp(oldPin)).body.code, (await stepUp(newPin)).status]).toEqual([
    'transaction_password_invalid',
    201,
  ]);
});
