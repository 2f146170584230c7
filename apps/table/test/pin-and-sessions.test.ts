import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { password } from '@comanda/testing/credentials';
import { findSecrets } from '@comanda/testing/find-secrets';
import { otherPin, pin, wrongPin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import * as customers from './support/customer.ts';
import { newPin, type Customer, type Wallet } from './support/customer.ts';
import { createMovableTime, type MovableTime } from './support/movable-time.ts';
import { expireToken, startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
let time: MovableTime;
let payer: Customer;
let payee: Customer;
beforeAll(async () => {
  time = createMovableTime();
  app = await startTableApp('table-pin');
}, 300_000);
beforeEach(async () => {
  ({ payer, payee } = await customers.newPair(app));
});
afterEach(async () => {
  time.moveTo(0);
  await app?.closeScreens();
});
afterAll(async () => {
  await app?.close();
  time.close();
});

const signedIn = () => customers.signedIn(app, payer);
/** One whose page has a clock that the test moves. */
async function signedInWithClock(): Promise<Wallet> {
  const wallet = customers.walletOn(app, await app.phone());
  await wallet.page.clock.install();
  // The servers' clock moves first: a call in between has a token that has expired, and is made again with a new one.
  expectErrors(wallet.page, /status of 401/);
  await wallet.signIn(payer);
  return wallet;
}

describe('the PIN', () => {
  test('when it is wrong three times, then the page says until when, what was not sent and what still works', async () => {
    const { page, button, balance, ...wallet } = await signedIn();
    await wallet.block(payee);
    await wallet.sees(`R$ 12.50 to account ${payee.account} was NOT sent.`);
    await wallet.sees('Balance and statement');
    const timer = page.getByRole('timer');
    await timer.getByText(/About (29|30) minutes left/).waitFor({ state: 'attached' });
    await customers.depositTo(app, payer.account, '5.00');
    await button('Account').click();
    await balance.getByText('R$ 105.00').waitFor();
  });
  test('when it is changed, then the old one is wrong, and the events tell it in words', async () => {
    const { page, button, ...wallet } = await signedIn();
    await button('PIN and security').click();
    await button('Change PIN').click();
    await wallet.enterPins(['Current PIN', pin], ...newPin(otherPin));
    await button('Done').click();
    await page.getByRole('listitem').getByText('You changed your PIN').waitFor();
    await page.getByRole('listitem').getByText('You signed in').first().waitFor();
    await wallet.goTo();
    await wallet.review(payee);
    await wallet.confirm(pin);
    await wallet.alert('Wrong PIN, 2 tries left.').waitFor();
  });
  test('when it was used, then it is in no storage, element, address, console or log', async () => {
    const { page, context, ...wallet } = customers.walletOn(app, await app.phone());
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
    await wallet.enterPins(['Current PIN', pin], ['New PIN', otherPin], ['The same PIN again', otherPin]);
    await wallet.heading('Your PIN is set.').waitFor();
    const logs = Object.entries(app.stack.services).map(([name, service]) => [name, service.output()]);
    const pages = { whileEntering, entered, after: await state(), seen: seen.join('\n') };
    const texts = { ...pages, ...(Object.fromEntries(logs) as Record<string, string>) };
    expect(findSecrets(texts, { pins: [pin, wrongPin, otherPin], tokens: [] })).toEqual([]);
  });
});

describe('sessions', () => {
  test('when nobody touches the page for 5 minutes, then nothing of the account is shown until the password is entered', async () => {
    const { page, heading, balance, ...wallet } = await signedInWithClock();
    expectErrors(page, /status of 401 .*\/auth\/login$/);
    await page.clock.fastForward('04:55');
    await heading(/^Account \d+/).click();
    await page.clock.fastForward('04:55');
    expect(await balance.textContent()).toContain('100.00');
    await page.clock.fastForward('00:10');
    await heading('Locked').waitFor();
    await page.reload();
    await heading('Locked').waitFor();
    expect(await page.content()).not.toContain('100.00');
    await wallet.unlock('not-the-password');
    await wallet.alert('The password is wrong.').waitFor();
    await wallet.unlock();
    await balance.getByText('R$ 100.00').waitFor();
  });
  test('when the password is changed, then other devices are signed out; "sign out everywhere" ends this one too', async () => {
    const [{ page, button, ...wallet }, other] = [await signedIn(), await signedIn()];
    for (const each of [page, other.page]) expectErrors(each, /status of 401 /);
    await button('PIN and security').click();
    await button('Change password').click();
    await wallet.fill('Current password', password);
    await wallet.fill('New password', 'farofa-com-violao-9');
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('All other devices are signed out.').last().waitFor();
    await expireToken(other.page);
    await other.page.reload();
    await other.page.getByRole('form', { name: 'Sign in' }).waitFor();

    await button('Sign out everywhere').click();
    await button('Yes, everywhere').click();
    await page.getByRole('form', { name: 'Sign in' }).waitFor();
  });
  test('when the session of another device is ended, then that device has to sign in, and this one goes on', async () => {
    const [{ page, button, sees }, other] = [await signedIn(), await signedIn()];
    expectErrors(other.page, /status of 401 /);
    await button('PIN and security').click();
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await sees(/^This device: /);
    const before = await sessions.count();
    // The one that was used last, after this one: the other device.
    await sessions
      .getByRole('button', { name: /^End session: / })
      .first()
      .click();
    await until(async () => (await sessions.count()) === before - 1, { what: 'the session is gone from the list' });
    await expireToken(other.page);
    await other.page.reload();
    await other.page.getByRole('form', { name: 'Sign in' }).waitFor();
    await page.reload();
    await sees(/^This device: /);
  });
  test('when amounts are hidden, then no amount is on the page, also after a reload', async () => {
    const { page, button, balance } = await signedIn();
    await button('Hide amounts').click();
    await page.reload();
    await button('Show amounts').waitFor();
    await balance.getByText('••••').waitFor();
    expect(await page.content()).not.toContain('100.00');
  });
});

test('when the language is Portuguese, then pages, amounts and the PIN pad are', async () => {
  const { page, button, fill, sees } = customers.walletOn(app, await app.phone({ locale: 'pt-BR' }));
  await page.goto(`${app.url}/#/account`);
  await fill('E-mail', payer.user.email);
  await fill('Senha', password);
  await button('Entrar').click();
  await page.getByRole('status', { name: 'Saldo' }).getByText('R$ 100,00').waitFor();
  await button('Transferir').click();
  await fill('Para a carteira número', String(payee.account));
  await fill('Valor', '12,50');
  await button('Conferir transferência').click();
  await page.getByRole('group', { name: 'PIN' }).waitFor();
  await app.shoot(page, 'pt-pin');
  await page.keyboard.type(wrongPin);
  await button('Confirmar transferência').click();
  await sees('PIN incorreto, restam 2 tentativas.');
  await page.keyboard.type(pin);
  await button('Confirmar transferência').click();
  await page.getByRole('heading', { level: 1, name: 'Realizada' }).waitFor();
});
