import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { caller, created, type Call } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { depositKey, pin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import type { Phone, GuestApp } from './guest-app.ts';

/** A customer with an account, and a function that calls the gateway as this customer. */
export type Customer = { user: TestUser; call: Call; account: number };
type Has = { money?: string; pin?: string };
export async function newCustomer(app: GuestApp, { money, pin: chosen }: Has = {}): Promise<Customer> {
  const user = await app.stack.auth.customer('Lia');
  const call = caller(app.url, { token: user.token });
  const { id: account } = created(await call('POST', '/accounts', { body: { name: 'Conta' } }));
  if (money !== undefined) await depositTo(app, account, money);
  if (chosen !== undefined) await app.stack.auth.storePin(user, chosen);
  return { user, call, account };
}
/** Creates two customers: a payer with R$ 100.00 and a PIN, and a payee. */
export async function newPair(app: GuestApp): Promise<{ payer: Customer; payee: Customer }> {
  const [payer, payee] = await Promise.all([newCustomer(app, { money: '100.00', pin }), newCustomer(app)]);
  return { payer, payee };
}

type ConsentedCall = { endpointKey: string; path: string; body?: object };
/** Makes a call that needs a PIN, as a manager who has entered it. */
async function callWithConsent(app: GuestApp, { endpointKey, path, body = {} }: ConsentedCall): Promise<void> {
  const { id: userId, token } = await app.stack.auth.manager();
  const stepUpToken = await app.stack.auth.issueStepUpToken({ userId, endpointKey });
  created(await caller(app.url, { token })('POST', path, { body, headers: { 'x-step-up-token': stepUpToken } }));
}
export const depositTo = (app: GuestApp, account: number, amount: string): Promise<void> =>
  callWithConsent(app, { endpointKey: depositKey, path: `/accounts/${account}/deposits`, body: { amount } });
export async function balanceOf(app: GuestApp, { user, account }: Customer): Promise<string> {
  const { token } = await app.stack.auth.newSession(user);
  return (await caller(app.url, { token })('GET', `/accounts/${account}`)).body.balance as string;
}

export const isTransfer = (url: URL): boolean => url.pathname === '/accounts/internal-transfers';
type Network = {
  /** True if requests reach the server. */ arrive: boolean;
  /** True if responses reach the page. */ return: boolean;
};

/** Signs a customer in on a new phone. */
export async function signedIn(app: GuestApp, customer: Customer, options?: BrowserContextOptions): Promise<Wallet> {
  const wallet = walletOn(app, await app.phone(options));
  await wallet.signIn(customer);
  return wallet;
}

/** Returns locators and actions for the account pages. */
export const accountPage = (page: Page) => ({
  button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
  heading: (name: string | RegExp) => page.getByRole('heading', { level: 1, name }),
  alert: (text: string | RegExp) => page.getByRole('alert').getByText(text),
  balance: page.getByRole('status', { name: 'Balance' }),
  pad: page.getByRole('group', { name: 'PIN' }),
  fill: (name: string, value: string): Promise<void> => page.getByRole('textbox', { name }).fill(value),
  /** Waits until the page shows this text. */
  sees: (text: string | RegExp) => page.getByText(text).waitFor(),
});

/** Taps the first digit on the pad and types the others, because six taps take longer. */
export async function enterPin(pad: Locator, digits: string): Promise<void> {
  const [first = '', ...others] = digits;
  await pad.getByRole('button', { name: first, exact: true }).click();
  await pad.page().keyboard.type(others.join(''));
}

export type Wallet = ReturnType<typeof walletOn>;
/** Returns functions for a customer's actions and observations on the account pages of a phone. */
export function walletOn(app: GuestApp, { context, page }: Phone) {
  const account = accountPage(page);
  const { button, heading, balance, pad, fill } = account;
  // The server rejects a transfer without authorization and a wrong PIN, and the browser logs both as errors.
  expectErrors(
    page,
    /status of 40[13] .*\/accounts\/internal-transfers$/,
    /status of (403|429) .*\/security\/step-up$/,
  );

  async function enterSignIn({ user }: Customer): Promise<void> {
    const origin = page.url() === 'about:blank' ? app.url : new URL(page.url()).origin;
    await page.goto(`${origin}/#/account`);
    await fill('E-mail', user.email);
    await fill('Password', password);
    await button('Sign in').click();
  }
  const typeDigits = (digits: string): Promise<void> => enterPin(pad, digits);
  /** Enters these six digits and confirms the transfer. */
  async function confirm(digits: string): Promise<void> {
    await typeDigits(digits);
    await button('Confirm transfer').click();
  }
  /** Fills in a transfer on the account page, and continues to the PIN pad. */
  async function review(to: Customer, amount = '12.50'): Promise<void> {
    await button('Transfer').click();
    await fill('To account number', String(to.account));
    await fill('Amount', amount);
    await fill('Note', 'Split of the dinner');
    await button('Review transfer').click();
    await pad.waitFor();
  }
  return {
    context,
    page,
    ...account,
    enterSignIn,
    signIn: async (customer: Customer): Promise<void> => {
      await enterSignIn(customer);
      await balance.waitFor();
    },
    goTo: (part = '') => page.goto(`${app.url}/#/account${part}`),
    review,
    typeDigits,
    confirm,
    posted: (options?: { timeout: number }) => heading('Completed').waitFor(options),
    /** Types each PIN on its pad, then presses its button, or Enter if it names none. */
    enterPins: async (...pins: readonly PinEntry[]): Promise<void> => {
      for (const [label, digits, next] of pins) {
        await page.getByRole('group', { name: label }).waitFor();
        await page.keyboard.type(digits);
        await (next === undefined ? page.keyboard.press('Enter') : button(next).click());
      }
    },
    unlock: async (typed = password): Promise<void> => {
      await fill('Password', typed);
      await button('Unlock').click();
    },
    /**
     * Breaks the connection for authorized transfers, and after the first one for all requests about transfers. Returns the
     * network, which the test can repair.
     */
    breakTransfers: async (network: Network): Promise<Network> => {
      expectErrors(page, /net::ERR_CONNECTION_RESET .*\/accounts\/internal-transfers$/);
      let hasConsented = false;
      await context.route(isTransfer, async (route) => {
        hasConsented ||= 'x-step-up-token' in route.request().headers();
        if (!hasConsented) return route.fallback();
        if (network.arrive && !network.return) await route.fetch().catch(() => {});
        return network.arrive && network.return ? route.fallback() : route.abort('connectionreset');
      });
      return network;
    },
    isCommitted: (to: Customer) => until(async () => (await balanceOf(app, to)) === '12.50', { what: 'the commit' }),
  };
}
type PinEntry = [label: string, digits: string, button?: string];
/** Returns the entries for a new PIN, which the user enters twice. */
export const newPin = (digits: string): PinEntry[] => [
  ['New PIN', digits, 'Continue'],
  ['Repeat the new PIN', digits, 'Set PIN'],
];
