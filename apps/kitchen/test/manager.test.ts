import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildWebApp } from '@comanda/testing/build-web-app';
import { caller, created } from '@comanda/testing/call';
import { overflowOf, smallTargetsOf, tabTo, violationsOf } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { startKitchenApp } from './support/kitchen-app.ts';
import type { KitchenApp, Order } from './support/kitchen-app.ts';

const tablet = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 } };
const password = 'mesa-farofa-violao';
const manager = { email: 'manager@comanda.test', password };
const pin = '739152';

let app: KitchenApp;
let tableFolder: string;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  tableFolder = await buildWebApp('table');
  app = await startKitchenApp('manager', { TABLE_APP_FOLDER: tableFolder, RATE_LIMIT_STEP_UP: '1000' });
}, 300_000);
afterEach(() => app?.clear());
afterAll(async () => {
  await app?.close();
  if (tableFolder) await rm(tableFolder, { recursive: true, force: true });
});

const openPage = (page: Page, at: string): Promise<unknown> => page.goto(`${app.url}/kitchen#/${at}`);
const openAt = (at: string, options: BrowserContextOptions = tablet) => app.openAt(`manager/${at}`, manager, options);
const menu = async (): Promise<Order[]> => (await app.stack.call('GET', '/menu')).body as Order[];
const dishOf = async (name: string): Promise<Order> => (await menu()).find((dish: Order) => dish.name === name);
const users = async (): Promise<Order[]> => (await app.manager('GET', '/users?limit=200')).body as Order[];
const pad = (page: Page) => page.getByRole('group', { name: 'PIN' });
async function enterPin(page: Page, digits: string): Promise<void> {
  await pad(page).waitFor();
  await until(async () => (await pad(page).getAttribute('aria-busy')) === 'false', { what: 'the PIN pad' });
  for (const digit of digits) await pad(page).getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
}
/** A manager of their own, whose PIN a test may create, get wrong and block. */
async function newManager(name: string) {
  const credentials = { email: `${name.toLowerCase()}-${Date.now()}@example.test`, password };
  await app.stack.runServiceCommand('auth-stepup', 'src/create-manager.ts', {
    args: ['--email', credentials.email, '--name', name],
    env: { MANAGER_PASSWORD: password },
  });
  return credentials;
}
async function fillUserForm(page: Page, name: string): Promise<string> {
  const email = `${name.toLowerCase()}-${Math.random().toString(36).slice(2)}@example.test`;
  await page.getByRole('button', { name: 'Add a person' }).click();
  const form = page.getByRole('form', { name: 'Add a person' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('First password').fill('uma-senha-para-comecar');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  return email;
}

describe('the menu', () => {
  test('when a manager adds a dish, then the menu of the guests shows it; a change and the end as well', async () => {
    const { page, errors } = await openAt('menu');
    await page.getByRole('link', { name: 'Add dish' }).click();
    const form = page.getByRole('form', { name: 'New dish' });
    await form.getByRole('button', { name: 'Add to the menu' }).click();
    await form.getByText('Give it a name.').waitFor();
    await form.getByText('An amount, for example 74.00').waitFor();
    await form.getByLabel('Name').fill('Vatapá');
    await form.getByLabel('Price, R$').fill('58,5');
    await form.getByLabel('Category').fill('Pratos');
    await form.getByLabel('Picture').fill('/dishes/moqueca-de-peixe.svg');
    await form.getByText('No allergens stated.').waitFor();
    await form.getByRole('button', { name: 'crustaceans' }).click();
    await form.getByRole('button', { name: 'Add to the menu' }).click();
    await page.getByText('Vatapá is saved.').waitFor();
    await page.getByRole('link', { name: 'Edit Vatapá' }).waitFor();
    const mains = (await menu()).filter(({ category, name }: Order) => category === 'Pratos' && name !== 'Vatapá');
    expect((await dishOf('Vatapá')).position).toBe(Math.max(...mains.map(({ position }: Order) => position)) + 1);

    const guest = await page.context().newPage();
    await guest.goto(app.url);
    const card = guest.getByRole('article', { name: 'Vatapá', exact: true });
    await card.getByText('R$ 58.50').waitFor();
    await card.getByText('Contains crustaceans').waitFor();

    await page.getByRole('link', { name: 'Edit Vatapá' }).click();
    const edit = page.getByRole('form', { name: 'Vatapá' });
    await edit.getByLabel('Portions left').fill('2');
    await edit.getByRole('button', { name: 'Save' }).click();
    await card.getByText('2 left').waitFor();
    await page.getByRole('switch', { name: 'On sale: Vatapá' }).click();
    await card.getByText('Sold out').waitFor();
    expect(await dishOf('Vatapá')).toMatchObject({ available: false, portions_left: 2, allergens: ['crustaceans'] });

    await page.getByRole('link', { name: 'Edit Vatapá' }).click();
    await edit.getByRole('button', { name: 'Remove from the menu' }).click();
    await page.getByRole('group', { name: 'Remove Vatapá?' }).getByRole('button', { name: 'Yes, remove' }).click();
    await card.waitFor({ state: 'detached' });
    expect(await dishOf('Vatapá')).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('when orders take portions while a dish is being changed, then saving does not put them back', async () => {
    const { body: dish } = await app.manager('POST', '/menu', {
      body: { name: 'Acarajé', price: '20.00', portions_left: 5 },
    });
    const { page } = await openAt(`menu/${dish.id}`);
    const form = page.getByRole('form', { name: 'Acarajé' });
    await form.getByLabel('Description').fill('Com vatapá');
    await app.place('9', [{ name: 'Acarajé', quantity: 2 }]);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Choose a dish to change it.').waitFor();
    expect(await dishOf('Acarajé')).toMatchObject({ description: 'Com vatapá', portions_left: 3 });
  });

  test('when the name is taken or the network is down, then the form says so and keeps what was typed, on other pages too', async () => {
    const { page, context } = await openAt('menu/new');
    const form = page.getByRole('form', { name: 'New dish' });
    await form.getByLabel('Name').fill('feijoada');
    await form.getByLabel('Price, R$').fill('10');
    await form.getByRole('button', { name: 'Add to the menu' }).click();
    await form.getByText('There is another dish with this name.').waitFor();
    await form.getByLabel('Name').fill('Caruru');
    await context.route('**/menu', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await form.getByRole('button', { name: 'Add to the menu' }).click();
    await form.getByRole('alert').getByText('There is no connection.').waitFor();
    await page.getByRole('link', { name: 'Tables' }).click();
    await page.getByRole('link', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Add dish' }).click();
    expect(await form.getByLabel('Name').inputValue()).toBe('Caruru');
  });
});

describe('people, with the PIN', () => {
  test('when the PIN is wrong once and then right, then the very same person is added, and the PIN stays nowhere', async () => {
    const { page, errors } = await openAt('people');
    const bodies: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/users') bodies.push(request.postData());
    });
    const email = await fillUserForm(page, 'Rui');
    await page.getByRole('dialog').getByText('You add Rui as waiter.').waitFor();
    await enterPin(page, '260817');
    await page.getByRole('dialog').getByText('Wrong PIN, 2 tries left.').waitFor();
    expect((await users()).some((user: Order) => user.email === email)).toBe(false);
    await enterPin(page, pin);
    await page.getByText('Rui was added.').waitFor();
    expect((await users()).find((user: Order) => user.email === email)).toMatchObject({
      name: 'Rui',
      role: 'waiter',
      must_change_password: true,
    });
    expect(new Set(bodies).size).toBe(1);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const left = await page.evaluate(() =>
      [...Object.values(localStorage), ...Object.values(sessionStorage), location.href].join(),
    );
    for (const digits of [pin, '260817']) {
      expect(left).not.toContain(digits);
      expect(await page.content()).not.toContain(digits);
    }
    expect(errors).toEqual([]);
  });

  test('when somebody is disabled with the keyboard alone, then the dialog takes digits and a paste, and they are signed out', async () => {
    const { page, context } = await openAt('people');
    const email = await fillUserForm(page, 'Nina');
    await enterPin(page, pin);
    await page.getByText('Nina was added.').waitFor();
    await page.getByRole('article', { name: 'Nina' }).waitFor();
    await tabTo(page, /^Change Nina$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Disable$/);
    await page.keyboard.press('Enter');
    await page.getByText('You disable Nina.').waitFor();
    await until(async () => (await pad(page).getAttribute('aria-busy')) === 'false', { what: 'the PIN pad' });
    expect(await page.getByRole('dialog').locator('input').count()).toBe(0);
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
    await page.getByText('Nina was changed.').waitFor();
    expect((await users()).find((user: Order) => user.email === email)).toMatchObject({ status: 'disabled' });
    expect(context.pages()).toHaveLength(1);
  });

  test('when a manager has no PIN, then they create one and go on; a blocked one is told until when', async () => {
    const credentials = await newManager('Olga');
    const { page } = await app.openAt('manager/people', credentials, phone);
    const email = await fillUserForm(page, 'Tito');
    await page.getByRole('heading', { name: 'Create your PIN' }).waitFor();
    const next = page.getByRole('button', { name: /^(Next|Create the PIN and confirm)$/ });
    const enter = async (digits: string): Promise<void> => {
      for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
      await next.click();
    };
    await enter('123456');
    await enter('123456');
    await page.getByText('This PIN is too easy to guess.').waitFor();
    await enter(pin);
    await enter('739153');
    await page.getByText('The two PINs are different.').waitFor();
    await enter(pin);
    await enter(pin);
    await page.getByText('Tito was added.').waitFor();
    expect((await users()).some((user: Order) => user.email === email)).toBe(true);

    await fillUserForm(page, 'Caio');
    for (const digits of ['260817', '260818', '260819']) {
      await enterPin(page, digits);
      if (digits !== '260819') await page.getByText(/^Wrong PIN, \d tr(y|ies) left\.$/).waitFor();
      if (digits === '260817') await page.getByText('Wrong PIN, 2 tries left.').waitFor();
      if (digits === '260818') await page.getByText('Wrong PIN, 1 try left.').waitFor();
    }
    await page
      .getByRole('alert')
      .getByText(/^Your PIN is blocked until \d\d:\d\d\.$/)
      .waitFor();
    expect((await users()).some((user: Order) => user.name === 'Caio')).toBe(false);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/^Your PIN is blocked until/)
      .waitFor();
  });

  test('when the dialog is closed, then nothing is done and nothing is said to have failed', async () => {
    const { page } = await openAt('people');
    const email = await fillUserForm(page, 'Dora');
    await pad(page).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await pad(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
    expect((await users()).some((user: Order) => user.email === email)).toBe(false);
  });
});

/** Somebody with an account, and calls as them. */
async function newCustomer(name: string) {
  const { email, password: theirs, token } = await app.stack.customer(name);
  const call = caller(app.stack.gatewayUrl, { token });
  const { id: account } = created(await call('POST', '/accounts', { body: { name: 'Conta' } }));
  const { id } = (await call('GET', '/auth/me')).body;
  return {
    id: id as number,
    email,
    password: theirs,
    call,
    account: account as number,
    balance: async () => (await call('GET', `/accounts/${account}`)).body.balance as string,
  };
}
type Customer = Awaited<ReturnType<typeof newCustomer>>;

describe('deposits, with the PIN', () => {
  const isDeposit = (url: URL): boolean => url.pathname.endsWith('/deposits');
  async function review(page: Page, { account }: Customer): Promise<void> {
    await page.getByRole('textbox', { name: 'Account number, name or e-mail' }).fill(String(account));
    await page.getByRole('button', { name: `Account ${account}` }).click();
    await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('50');
    await page.getByRole('button', { name: 'Review deposit' }).click();
    await pad(page).waitFor();
  }

  test('when a manager finds the person and confirms, then the money is in their account, and the receipt says it', async () => {
    const payee = await newCustomer('Iracema');
    const { page, errors } = await openAt('deposits', phone);
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
    await search.fill('999999');
    await page.getByRole('button', { name: 'Account 999999' }).click();
    await page.getByText('There is no account with this number.').waitFor();
    await search.fill('nobody has this name');
    await page.getByText(/^Nobody among the \d+ newest people/).waitFor();
    await search.fill(payee.email);
    await page.getByRole('button', { name: /^Iracema/ }).click();
    await page.getByRole('button', { name: `Account ${payee.account}` }).click();
    await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('1.234');
    await page.getByRole('button', { name: 'Review deposit' }).click();
    await page.getByText('Type an amount such as 50.00').waitFor();
    await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('50');
    await page.getByRole('button', { name: 'Review deposit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('R$ 50.00').waitFor();
    await dialog.getByText(`account ${payee.account}, Iracema`).waitFor();
    await enterPin(page, '260817');
    await dialog.getByText('Wrong PIN, 2 tries left.').waitFor();
    expect(await payee.balance()).toBe('0.00');
    await enterPin(page, pin);
    await page.getByRole('heading', { name: 'Deposited' }).waitFor();
    await page.getByText(`account ${payee.account}, Iracema`).waitFor();
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
    expect(errors).toEqual([]);
  });

  test('when the answer is lost, then the same call is made again, also after a reload, and the money moves once', async () => {
    const payee = await newCustomer('Jandira');
    const { page } = await openAt('deposits');
    const keys = new Set<string | undefined>();
    let hasConsented = false;
    let isBroken = true;
    await page.context().route(isDeposit, async (route) => {
      const headers = route.request().headers();
      keys.add(headers['idempotency-key']);
      hasConsented ||= 'x-step-up-token' in headers;
      if (!hasConsented || !isBroken) return route.fallback();
      // This process does not know the name that the browser does.
      await route.fetch({ url: route.request().url().replace('comanda.test', '127.0.0.1') });
      return route.abort('connectionreset');
    });
    await review(page, payee);
    await enterPin(page, pin);
    await until(async () => (await payee.balance()) === '50.00', { what: 'the commit' });
    await page.reload();
    await page.getByRole('heading', { name: 'A deposit has no answer yet' }).waitFor();
    await page.getByText(`50 into account ${payee.account}.`).waitFor();
    isBroken = false;
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByRole('heading', { name: 'Deposited' }).waitFor();
    expect(await payee.balance()).toBe('50.00');
    expect(keys.size).toBe(1);
    await page.getByRole('button', { name: 'Next deposit' }).click();
    await page.getByRole('textbox', { name: 'Account number, name or e-mail' }).waitFor();
  });

  test('when the manager closes the PIN, then nothing is deposited', async () => {
    const payee = await newCustomer('Moema');
    const { page } = await openAt('deposits');
    await review(page, payee);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await pad(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Amount (BRL)' }).inputValue()).toBe('50');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await payee.balance()).toBe('0.00');
  });
});

test('when somebody has forgotten their PIN, then a manager approves a new one, and the audit list says who', async () => {
  const [oldPin, newPin] = [pin, '481950'];
  const customer = await newCustomer('Jurema');
  const body = { transaction_password: oldPin, confirmation: oldPin };
  created(await customer.call('POST', '/security/transaction-password', { body }));
  const { page: screen } = await openAt('people');
  const phoneContext = await screen
    .context()
    .browser()
    ?.newContext({ ...phone, locale: 'en-US', reducedMotion: 'reduce' });
  if (!phoneContext) throw new Error('there is no browser');
  const mobile = await phoneContext.newPage();
  await mobile.goto(`${app.url}/#/account/security`);
  await mobile.getByRole('textbox', { name: 'E-mail' }).fill(customer.email);
  await mobile.getByRole('textbox', { name: 'Password' }).fill(customer.password);
  await mobile.keyboard.press('Enter');
  await mobile.getByRole('button', { name: 'I forgot my PIN' }).click();
  await mobile.getByText(`You are user ${customer.id}, Jurema.`).waitFor();
  const choosePin = async (): Promise<void> => {
    await mobile.getByRole('textbox', { name: 'Password' }).fill(customer.password);
    await mobile.getByRole('button', { name: 'A manager has approved it' }).click();
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

  await screen.getByRole('button', { name: 'Staff only' }).click();
  await screen.getByRole('button', { name: 'Change Jurema' }).click();
  await screen.getByRole('button', { name: 'Approve a PIN reset' }).click();
  await screen.getByText('You let Jurema set a new PIN.').waitFor();
  await enterPin(screen, pin);
  await screen.getByText(/^Jurema may set a new PIN until \d\d:\d\d\.$/).waitFor();
  await openPage(screen, 'manager/audit');
  await screen.getByRole('cell', { name: `PIN reset approved · Jurema (user ${customer.id})` }).waitFor();

  await choosePin();
  await mobile.getByRole('heading', { name: 'Your PIN is set.' }).waitFor();
  await phoneContext.close();
  const stepUp = (transactionPassword: string) =>
    customer.call('POST', '/security/step-up', {
      body: { endpoint_key: 'internal_transfer.create', transaction_password: transactionPassword },
    });
  expect([(await stepUp(oldPin)).body.code, (await stepUp(newPin)).status]).toEqual([
    'transaction_password_invalid',
    201,
  ]);
});

describe('tables and ordering', () => {
  test('when the code is replaced, then the printed one is dead and the new one works', async () => {
    const tokenOf = async (name: string): Promise<string> =>
      ((await app.manager('GET', '/tables')).body as Order[]).find(({ table }: Order) => table === name).table_token;
    const scan = async (token: string) =>
      (await app.stack.call('POST', '/auth/guest', { body: { table_token: token } })).status;
    const { page, errors } = await openAt('tables');
    await page.getByRole('button', { name: 'Add table' }).click();
    await page.getByLabel('Name of the new table').fill('Varanda 1');
    await page.getByRole('form').getByRole('button', { name: 'Add table' }).click();
    await page.getByText('Letters, digits and - only, at most 16').waitFor();
    await page.getByLabel('Name of the new table').fill('Varanda-1');
    await page.getByRole('form').getByRole('button', { name: 'Add table' }).click();
    const card = page.getByRole('article', { name: 'Table Varanda-1' });
    await card.getByRole('img', { name: 'QR code of table Varanda-1' }).waitFor();
    const old = await tokenOf('Varanda-1');
    expect(await scan(old)).toBe(200);

    const path = await card.locator('path').first().getAttribute('d');
    await card.getByRole('button', { name: 'New code for table Varanda-1' }).click();
    await card.getByText('The printed one stops working').waitFor();
    expect(await scan(old)).toBe(200);
    await card.getByRole('button', { name: 'Replace', exact: true }).click();
    await card.getByText(/^New code since \d\d:\d\d, print it$/).waitFor();
    expect(await card.locator('path').first().getAttribute('d')).not.toBe(path);
    expect(await scan(old)).toBe(401);
    expect(await scan(await tokenOf('Varanda-1'))).toBe(200);
    expect(errors).toEqual([]);
  });

  test('when a table has an open order and no seating, then it is not said to be free', async () => {
    await app.manager('PUT', '/tables/Balcao');
    await app.place('Balcao', ['Feijoada']);
    const { page } = await openAt('tables');
    const card = page.getByRole('article', { name: 'Table Balcao' });
    await card.getByText('1 open order').waitFor();
    expect(await card.getByText('Free', { exact: true }).count()).toBe(0);
  });

  test('when the codes are printed, then the sheet has a card for each table and nothing else', async () => {
    const { page } = await openAt('tables');
    await page.evaluate(() => {
      (globalThis as unknown as { print: () => void }).print = () => document.body.classList.add('was-printed');
    });
    await page.getByRole('button', { name: /^Print all \d+ codes$/ }).click();
    await page.locator('.was-printed').waitFor();
    await page.emulateMedia({ media: 'print' });
    const count = ((await app.manager('GET', '/tables')).body as Order[]).length;
    expect(await page.locator('.qr-card:visible').count()).toBe(count);
    expect(await page.locator('.qr-card').first().textContent()).toContain('Or open in a browser: http');
    expect(await page.locator('.manager').isVisible()).toBe(false);
    await app.shoot(page, 'manager-printed-codes');
  });

  test('when ordering is paused and resumed, then guests are refused with the reason, and served again', async () => {
    const guest = await app.stack.customer('Bia');
    const order = () =>
      caller(app.stack.gatewayUrl, { token: guest.token })('POST', '/orders', {
        body: { items: [{ name: 'Feijoada', quantity: 1 }], table: '1' },
      });
    const { page } = await openAt('ordering');
    await page.getByText('Guests can order.').waitFor();
    await page.getByRole('button', { name: '15 min' }).click();
    await page.getByLabel('Reason').fill('A cozinha está cheia');
    await page.getByRole('button', { name: 'Pause orders' }).click();
    await page.getByText(/^Paused until \d\d:\d\d\.$/).waitFor();
    expect(await order()).toMatchObject({ status: 503, body: { reason: 'A cozinha está cheia' } });
    await page.getByRole('button', { name: 'Resume now' }).click();
    await page.getByText('Guests can order.').waitFor();
    expect((await order()).status).toBe(201);
  });

  test('when a screen shows an order first, then the page of screens names it', async () => {
    const { page } = await openAt('screens');
    await page.getByRole('status', { name: 'Live feed' }).getByText('Live', { exact: true }).waitFor();
    const order = await app.place('4', ['Feijoada']);
    await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device: 'bar-tablet' } });
    await page.getByRole('rowheader', { name: 'bar-tablet' }).waitFor();
  });
});

test('when a waiter opens a page of the managers, then it says whom it is for', async () => {
  const { page } = await app.openAt('manager/people', { email: 'waiter@comanda.test', password }, phone);
  await page.getByText('These pages are for managers.').waitFor();
});

test.each([
  ['light, 1280 × 800', { ...tablet, colorScheme: 'light' }],
  ['dark, 390 × 844, Portuguese', { ...phone, colorScheme: 'dark', locale: 'pt-BR' }],
] as const)('when every page is visited (%s), then axe finds nothing, and all of it fits', async (name, options) => {
  const { page } = await openAt('menu', options);
  const found: string[] = [];
  const check = async (screen: string): Promise<void> => {
    await app.shoot(page, `manager-${name.slice(0, 4).trim()}-${screen}`);
    const problems = [...(await violationsOf(page)), ...(await smallTargetsOf(page)).map((each) => `small: ${each}`)];
    if ((await overflowOf(page)) > 0) problems.push('it scrolls sideways');
    found.push(...problems.map((problem) => `${screen}: ${problem}`));
  };
  await page.locator('.menu-row').first().waitFor();
  await check('menu');
  await page.locator('.menu-row-link').first().click();
  await page.locator('.dish-form').waitFor();
  await check('dish');
  await openPage(page, 'manager/tables');
  await page.locator('.table-card').first().waitFor();
  await page.locator('.table-card-buttons button').nth(1).click();
  await check('tables');
  await openPage(page, 'manager/deposits');
  await page.locator('.manager-form input').fill('customer@comanda.test');
  await page.locator('.deposit-choice').first().click();
  await page.locator('.deposit-choice').first().click();
  await page.locator('.deposit-whose').waitFor();
  await check('deposit');
  await page.locator('.manager-form input').fill('1248,30');
  await page.locator('.manager-form .button-primary').click();
  await page.locator('.pin-pad').waitFor();
  await check('deposit-pin');
  await until(async () => (await pad(page).getAttribute('aria-busy')) === 'false', { what: 'the PIN pad' });
  await page.keyboard.type(pin);
  await page.keyboard.press('Enter');
  await page.locator('.deposit-receipt').waitFor();
  await check('deposited');
  await openPage(page, 'manager/ordering');
  await page.locator('.ordering-state').waitFor();
  await check('ordering');
  await openPage(page, 'manager/screens');
  await page.locator('.manager-figures').waitFor();
  await check('screens');
  await openPage(page, 'manager/audit');
  await page.locator('.manager-table').waitFor();
  await check('audit');
  await openPage(page, 'manager/people');
  // Another test may have disabled other people.
  const waiter = page.locator('.person', { hasText: 'waiter@comanda.test' });
  await waiter.locator('.button').first().click();
  await check('people');
  await waiter.locator('.person-actions .button-danger').first().click();
  await page.locator('.pin-pad').waitFor();
  await check('pin');
  expect(found).toEqual([]);
});
