import { until } from '@comanda/testing/until';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Order, Phone, Seat, GuestApp } from './guest-app.ts';

export const dishCard = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

/** Scans the table's code and waits until the guest can order. */
export async function scan(app: GuestApp, page: Page, { table, scanned }: Seat): Promise<void> {
  const origin = page.url() === 'about:blank' ? app.url : new URL(page.url()).origin;
  await page.goto(`${origin}/${scanned}`);
  await page.getByRole('heading', { level: 1, name: table }).waitFor();
  await page.getByRole('article').getByRole('button').first().waitFor();
}

/** Waits until the page has loaded the table's calls, which it does once its feed is live. */
export const feedIsLive = (page: Page): Promise<boolean> =>
  until(
    () => page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/calls'))),
    { what: 'the feed of the page' },
  );
/** Delays the feed on a phone, or on one of its pages, until the returned function is called. */
export async function holdFeed(phone: BrowserContext | Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await phone.routeWebSocket(/socket\.io/, async (socket) => {
    await held.promise;
    socket.connectToServer();
  });
  return held.resolve;
}

export type Guest = ReturnType<typeof guestOn>;
/** Opens a table and seats a guest who has scanned its code. */
export async function seatGuest(app: GuestApp, options?: BrowserContextOptions): Promise<Guest> {
  const [seat, phone] = await Promise.all([app.newSeat(), app.phone(options)]);
  await scan(app, phone.page, seat);
  return guestOn(app, phone, seat);
}

/** Returns functions for a guest's actions and observations on the pages for the menu, the order and the bill. */
export function guestPage(page: Page) {
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  /** Adds a dish from the menu, once its price is there: if the dish has options, that is after the option groups are loaded. */
  async function add(dish: string): Promise<void> {
    const plus = page.getByRole('button', { name: new RegExp(`^Add ${dish}(?:, \\d+ in your order)?$`) });
    await page.getByRole('article').filter({ has: plus }).getByText('R$').first().waitFor();
    await plus.click();
  }
  async function openReview(): Promise<void> {
    await button(/^Basket, /).click();
    await button('Send to kitchen').waitFor();
  }
  return {
    button,
    /** Adds the dish to the basket. */
    add,
    openReview,
    send: () => button('Send to kitchen').click(),
    /** Adds the dishes to the basket and sends the order. */
    order: async (...dishes: string[]): Promise<void> => {
      for (const dish of dishes) await add(dish);
      await openReview();
      await button('Send to kitchen').click();
    },
    /** Waits until the page shows this text. */
    sees: (text: string | RegExp) => page.getByText(text).waitFor(),
    seesBasket: (content: string) => page.getByRole('button', { name: `Basket, ${content}` }).waitFor(),
    /** Waits until a screen reader announces this text. */
    hears: (text: string) => page.getByRole('status').getByText(text).waitFor({ state: 'attached' }),
    /** Changes a setting in the sheet "Language and account", whose name is in the current language. */
    setting: async (name: string): Promise<void> => {
      await button(/^(Language and account|Idioma e carteira)$/).click();
      await button(name).click();
    },
    allergies: page.getByRole('textbox', { name: 'Your allergies' }),
    avoid: async (allergen: string): Promise<void> => {
      await button('Allergies').click();
      await page.getByRole('button', { name: allergen, exact: true }).click();
      await button('Show dishes').click();
    },
    orderCard: (ticket?: number) =>
      ticket === undefined
        ? page.getByRole('article', { name: /^Order / })
        : page.getByRole('article', { name: `Order ${ticket}`, exact: true }),
  };
}

/** Returns `guestPage` for a phone at a table. */
export const guestOn = (app: GuestApp, { context, page }: Phone, seat: Seat) => ({
  context,
  page,
  seat,
  ...guestPage(page),
  /**
   * Returns the table's only order as the kitchen sees it.
   * @throws Error if there is not exactly one
   */
  placed: async (): Promise<Order> => {
    const orders = await app.ordersOf(seat);
    if (orders.length !== 1) throw new Error(`The kitchen has ${orders.length} orders of this table.`);
    return orders[0];
  },
});
