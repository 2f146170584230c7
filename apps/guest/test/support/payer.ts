import type { BrowserContextOptions } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { password } from '@comanda/testing/credentials';
import { until } from '@comanda/testing/until';
import { enterPin, type Customer } from './customer.ts';
import { guestOn, seatGuest } from './guest.ts';
import { startGuestApp, type Phone, type Seat, type GuestApp } from './guest-app.ts';

export const isBillPayment = (url: URL): boolean => url.pathname === '/accounts/bill-payments';

/** The longest possible name of a restaurant. */
export const restaurant = 'Cantina da Praça Conselheiro Lafaiete e Irmãos Albuquerque';
/** Starts the app for a restaurant with an optional service charge and suggested tips. */
export async function startPayApp(name: string): Promise<GuestApp> {
  const app = await startGuestApp(name);
  const service = { rate: '10.00', optional: true };
  const body = { name: restaurant, service_charge: service, tip_suggestions: ['5.00', '10.00'] };
  await app.manager('PUT', '/restaurant', { body });
  return app;
}

/** Seats a guest who has ordered one Feijoada and will pay for it on this phone. */
export async function seatPayer(app: GuestApp, options?: BrowserContextOptions): Promise<Payer> {
  const guest = await seatGuest(app, options);
  await guest.order('Feijoada');
  await guest.orderCard().first().waitFor();
  return payerOn(app, guest, guest.seat);
}

export type Payer = ReturnType<typeof payerOn>;
/** Returns functions for a person who pays for orders at a table. */
function payerOn(app: GuestApp, phone: Phone, seat: Seat) {
  const { page, context } = phone;
  const guest = guestOn(app, phone, seat);
  const { button } = guest;
  // The server rejects a payment without authorization and a wrong PIN, and the browser logs both as errors.
  expectErrors(page, /status of 40[139] .*\/accounts\/bill-payments$/, /status of (403|429) .*\/security\/step-up$/);
  const pad = page.getByRole('group', { name: 'PIN' });
  const status = page.getByRole('status', { name: 'Payment' });
  const billId = async (): Promise<number> => (await app.ordersOf(seat))[0]?.bill_id;
  const bill = async () => (await app.manager('GET', `/bills/${await billId()}`)).body;
  const payments = async (): Promise<{ id: number; status: string; total: string }[]> => (await bill()).payments;

  const goTo = (hash: string): Promise<void> => page.evaluate((to) => void (location.hash = to), hash);
  /** Signs in on the page of accounts, and returns to the orders. Only guests with an account are offered to pay from it. */
  async function signIn({ user }: Customer): Promise<void> {
    await goTo('#/account');
    await page.getByRole('textbox', { name: 'E-mail' }).fill(user.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('status', { name: 'Balance' }).waitFor();
    await goTo('#/orders');
  }
  /** Opens the bill from the menu or the orders, and chooses to pay the whole bill. */
  async function choose(): Promise<void> {
    await page.getByRole('link', { name: /^Bill · / }).click();
    await button(/^Pay · /).click();
  }
  const openPin = (): Promise<void> => button('From my account').click();
  return {
    ...guest,
    billId,
    pad,
    bill,
    payments,
    signIn,
    choose,
    openPin,
    /** Waits until the payment's status contains this text. */
    says: (text: string | RegExp, limit?: { timeout: number }) => status.getByText(text).waitFor(limit),
    /** Enters the PIN. The payment starts after the sixth digit. */
    enter: (digits: string): Promise<void> => enterPin(pad, digits),
    /** Taps the PIN on the pad. */
    tap: async (digits: string): Promise<void> => {
      for (const digit of digits) await pad.getByRole('button', { name: digit, exact: true }).click();
    },
    /** Signs in, chooses to pay the whole bill, and waits for the PIN pad. */
    toPad: async (customer: Customer): Promise<void> => {
      await signIn(customer);
      await choose();
      await openPin();
      await pad.waitFor();
    },
    /** Waits until the bill's only payment has this status. */
    isPayment: (wanted: string) =>
      until(async () => (await payments()).map((each) => each.status).join() === wanted, { what: wanted }),
    /** Hides all changes to the bill from the page, so the page must check its own payment. */
    hideBill: async (): Promise<void> => {
      expectErrors(page, /net::ERR_FAILED .*\/bills/);
      app.freezeBroker(true);
      await context.route(/\/bills(\?|\/\d+$)/, (route) => route.abort());
    },
    /** Breaks the connection for authorized payments, and after the first one for all requests about payments. */
    breakPayments: async (network: { arrive: boolean; return: boolean }) => {
      expectErrors(page, /net::ERR_CONNECTION_RESET .*\/accounts\/bill-payments$/);
      let hasConsented = false;
      await context.route(isBillPayment, async (route) => {
        hasConsented ||= 'x-step-up-token' in route.request().headers();
        if (!hasConsented) return route.fallback();
        if (network.arrive && !network.return) await route.fetch().catch(() => {});
        return network.arrive && network.return ? route.fallback() : route.abort('connectionreset');
      });
      return network;
    },
  };
}
