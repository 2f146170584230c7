import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { newCustomer } from './support/customer.ts';
import { startStaffApp, waiter, type StaffApp, type Order } from './support/staff-app.ts';
import { openManager, pin, usersOf } from './support/manager-page.ts';
import { phone, press, says } from './support/page.ts';

// Changes that a manager authorizes with the PIN. In this restaurant, price changes need it too.

/** The current hour in UTC. In the time zone below, it is now between midnight and 1 a.m. */
const hour = new Date().getUTCHours();
const timeZone = hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`;
let app: StaffApp;
// If the machine has no browser, the first run downloads one.
beforeAll(async () => {
  app = await startStaffApp('manager-pin', { MENU_STEP_UP: 'on', TIME_ZONE: timeZone });
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

/** Records the authorization details of the last PIN that this page has sent. */
function followConsent(page: Page): { details: unknown } {
  const agreed: { details: unknown } = { details: undefined };
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/security/step-up'))
      agreed.details = request.postDataJSON().authorization_details;
  });
  return agreed;
}

test('stopping and resuming transfers needs the PIN', async () => {
  const { page, dialog, enterPin, goTo } = await openManager(app, 'ordering');
  const { page: phonePage } = await app.openAt('waiter/tables', waiter, phone);
  await phonePage.getByRole('status', { name: 'Live feed' }).getByText('Live', { exact: true }).waitFor();
  await says(page, 'Accounts can send money.');

  await page.getByLabel('Reason (Transfers and payments by account)').fill('The balances are being checked');
  await press(page, 'Stop transfers');
  await says(dialog, 'Stop transfers');
  await enterPin(pin);

  await says(page, 'Transfers are paused');
  await says(phonePage, /^Transfers are paused · The balances are being checked · /);
  await goTo('deposits');
  await says(page, 'A manager can resume them under “Pause orders”.');
  await goTo('audit');
  await says(page, 'Transfers stopped · The balances are being checked');
  await goTo('ordering');
  await press(page, 'Resume transfers');
  await enterPin(pin);
  await says(page, 'Accounts can send money.');
  await phonePage.getByText(/^Transfers are paused/).waitFor({ state: 'detached' });
});

test('a person is added once when the right PIN follows a wrong one', async () => {
  const { page, dialog, enterPin, addPerson } = await openManager(app, 'people');
  const bodies: (string | null)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/users') bodies.push(request.postData());
  });
  const email = await addPerson('Rui');
  await says(dialog, 'You’re adding Rui as a waiter.');
  await enterPin('260817');
  await says(dialog, 'Wrong PIN, 2 tries left.');
  expect((await usersOf(app)).some((user) => user.email === email)).toBe(false);
  await enterPin(pin);
  await says(page, 'Rui added.');
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

test("a deposit reaches the person's account once", async () => {
  const payee = await newCustomer(app.stack, 'Iracema');
  const { page, dialog, enterPin } = await openManager(app, 'deposits', phone);
  const agreed = followConsent(page);
  const keys: (string | null)[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/deposits')) keys.push(request.headers()['idempotency-key'] ?? null);
  });
  await page.getByRole('textbox', { name: 'Account number, name or e-mail' }).fill(payee.email);
  await press(page, /^Iracema/);
  await press(page, new RegExp(`^Account ${payee.account}`));
  await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('50');
  await press(page, 'Review deposit');
  await says(dialog, 'R$ 50.00');
  await says(dialog, `account ${payee.account}, Iracema`);
  await enterPin('260817');
  await says(dialog, 'Wrong PIN, 2 tries left.');
  expect(await payee.balance()).toBe('0.00');
  await enterPin(pin);
  await page.getByRole('heading', { name: 'Deposited' }).waitFor();
  await says(page, `account ${payee.account}, Iracema`);
  expect(await payee.balance()).toBe('50.00');
  expect(agreed.details).toEqual([
    { type: 'account_deposit', account_id: payee.account, amount: '50', currency: 'BRL' },
  ]);
  expect(new Set(keys).size).toBe(1);
  await page.getByText('Signed receipt').click();
  const receipt = (await page.locator('.deposit-signed code').textContent()) ?? '';
  const printed = await app.stack.runServiceCommand('transfers', 'src/verify-receipt.ts', {
    args: [receipt, '--jwks', `${app.stack.gatewayUrl}/.well-known/jwks.json`],
    env: {},
  });
  expect(JSON.parse(printed)).toMatchObject({ to_account_id: payee.account, amount: '50.00' });
});

test('a new price needs a PIN that authorizes exactly the price in the dialog', async () => {
  const dishOf = async (name: string): Promise<Order> =>
    ((await app.manager('GET', '/menu')).body as Order[]).find((dish) => dish.name === name);
  const { id } = await dishOf('Moqueca de peixe');
  const { page, dialog, enterPin } = await openManager(app, `menu/${id}`, phone);
  expectErrors(page, /status of 401 .*\/menu\/\d+$/);
  const agreed = followConsent(page);
  await page.getByLabel(/^Price/).fill('0.01');
  await press(page, 'Save');
  await says(dialog, 'You’re changing Moqueca de peixe');
  await says(dialog, 'R$ 0.01');
  await app.shoot(page, 'manager-price-pin-phone');
  await enterPin('260817');
  await says(dialog, 'Wrong PIN, 2 tries left.');
  expect((await dishOf('Moqueca de peixe')).price).not.toBe('0.01');
  await enterPin(pin);
  await says(page, 'Moqueca de peixe saved.');
  expect((await dishOf('Moqueca de peixe')).price).toBe('0.01');
  expect(agreed.details).toEqual([{ type: 'menu_management', item_id: id, price: '0.01' }]);
  await page.getByRole('link', { name: 'Edit Moqueca de peixe' }).click();
  await page.getByLabel('Description', { exact: true }).fill('Com dendê');
  await press(page, 'Save');
  await says(page, 'Moqueca de peixe saved.');
  expect((await dishOf('Moqueca de peixe')).description).toBe('Com dendê');
});

test('an invitation link lets one person choose a password once', async () => {
  const { page, enterPin, dialog } = await openManager(app, 'people');
  expectErrors(page, /status of 401 .*\/invitations$/);
  const email = `gil-${randomUUID()}@example.test`;
  await press(page, 'Invite');
  const form = page.getByRole('form', { name: 'Invite' });
  await form.getByLabel('Name').fill('Gil');
  await form.getByLabel('E-mail').fill(email);
  await press(form, 'Create link');
  await says(dialog, 'You’re inviting Gil as a waiter.');
  await enterPin(pin);
  const panel = page.getByRole('region', { name: 'Link for Gil' });
  await panel.getByRole('img', { name: 'QR code of the link for Gil' }).waitFor();
  const { hash } = new URL((await panel.locator('code').textContent()) ?? '');
  await says(page.getByRole('article', { name: 'Gil' }), /invited until/);
  await press(panel, 'Done');
  expect(await page.content()).not.toContain(hash);

  const openLink = async (): Promise<Page> => {
    const { page: opened } = await app.newScreen(phone);
    await opened.goto(`${app.url}/kitchen${hash}`);
    return opened;
  };
  const gil = await openLink();
  expectErrors(gil, /status of (401|422) .*\/auth\/invitation/);
  await says(gil, 'Welcome, Gil');
  await says(gil, email);
  expect(gil.url()).not.toContain('invitation');
  await gil.getByLabel('Choose a password').fill('password123');
  await press(gil, 'Save and sign in');
  await gil.getByRole('alert').waitFor();
  await gil.getByLabel('Choose a password').fill('farofa-violao-mesa-7');
  await press(gil, 'Save and sign in');
  await gil.getByRole('navigation').first().waitFor();
  expect((await usersOf(app)).find((user) => user.email === email)).toMatchObject({
    status: 'active',
    must_change_password: false,
  });

  const again = await openLink();
  expectErrors(again, /status of 401 .*\/auth\/invitation$/);
  await says(again, 'This link no longer works');
});

test("a pause “until 21:30” ends at 21:30 in the restaurant's time zone", async () => {
  const { page } = await openManager(app, 'ordering', { timezoneId: 'America/New_York' });
  await says(page, 'Guests can order.');
  await page.getByLabel('Or until').fill('21:30');
  await press(page, /^Pause orders(: .+, 21:30)?$/);
  await says(page, /^Paused until (.+, )?21:30\.$/);
  const { paused_until: until } = (await app.manager('GET', '/ordering')).body;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  expect(clock.format(new Date(until))).toBe('21:30');
  const guest = await app.newScreen({ timezoneId: 'Asia/Tokyo' });
  await guest.page.goto(app.url);
  await says(guest.page, /until (.+, )?21:30/);
  await press(page, 'Resume now');
});

test("a customer replaces a forgotten PIN after a manager's approval", async () => {
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
      ['New PIN', 'Continue'],
      ['Repeat the new PIN', 'Set PIN'],
    ] as const) {
      await mobile.getByRole('group', { name: label }).waitFor();
      await mobile.keyboard.type(newPin);
      await mobile.getByRole('button', { name: next }).click();
    }
  };
  await choosePin();
  await mobile.getByRole('alert').getByText('No manager has approved this').waitFor();

  await press(screen, 'Staff only');
  await press(screen, 'Edit Jurema');
  await press(screen, 'Approve PIN reset');
  await says(screen, 'You’re letting Jurema set a new PIN.');
  await enterPin(pin);
  await says(screen, /^Jurema can set a new PIN until \d\d:\d\d\.$/);
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
