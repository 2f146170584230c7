import type { Locator, Page } from 'playwright-core';
import { until } from '@comanda/testing/until';
import type { KitchenApp, Order } from './kitchen-app.ts';
import { reachable } from './page.ts';

export const ticketOf = (page: Page, { table, ticket }: Order): Locator =>
  page.getByRole('article', { name: `Table ${table}, ticket ${ticket}`, exact: true });
const bumpedAt = new WeakMap<Page, Map<number, number>>();
/** Not so soon after this ticket's last bump that the board takes it for the second of a double tap. */
export async function bump(page: Page, { ticket }: Order): Promise<void> {
  const times = bumpedAt.get(page) ?? new Map<number, number>();
  await page.waitForTimeout(Math.max(0, (times.get(ticket) ?? 0) + 450 - Date.now()));
  await page.getByRole('button', { name: `Bump ticket ${ticket}`, exact: true }).click();
  bumpedAt.set(page, times.set(ticket, Date.now()));
}
/** So long somebody needs to read the allergies that a bump has asked about. */
export const readAllergies = (page: Page): Promise<void> => page.waitForTimeout(750);
export const more = (page: Page, order: Order): Promise<void> =>
  ticketOf(page, order)
    .getByRole('button', { name: `More for ticket ${order.ticket}` })
    .click();
export const isGone = (locator: Locator): Promise<void> => locator.waitFor({ state: 'detached' });
export const ageIn = async (ticket: Locator): Promise<string> => (await ticket.getByRole('timer').textContent()) ?? '';

const feed = (page: Page): Locator => page.getByRole('status', { name: 'Live feed' });
export const isLive = (page: Page): Promise<void> =>
  feed(page).getByText('Live', { exact: true }).waitFor({ timeout: 30_000 });
/** It has to say so within 20 s; the test allows for a slow machine. */
export const isNotLive = (page: Page): Promise<void> =>
  feed(page)
    .getByText(/^NOT LIVE since \d\d:\d\d:\d\d$/)
    .waitFor({ timeout: 30_000 });

/** Waits until the server has the order in this status. */
export const statusIs = (app: KitchenApp, { id }: Order, status: string): Promise<boolean> =>
  until(async () => (await app.order(id)).status === status, {
    what: `order ${id} to be ${status}`,
    timeoutMs: 20_000,
  });
/** Waits until the server has these statuses of the order's items. */
export const itemsAre = (app: KitchenApp, { id }: Order, statuses: readonly string[]): Promise<boolean> =>
  until(async () => (await app.order(id)).items.map((item: Order) => item.status).join() === statuses.join(), {
    what: `the items of order ${id} to be ${statuses.join()}`,
    timeoutMs: 20_000,
  });

/** How many bumps the device keeps. */
export const keptBumpsOf = (page: Page): Promise<number> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('bumps')).length);

/**
 * Changes the text of the lists of orders that the page reads from now on, and of the feeds that it opens. Both, because the
 * feed says later than a list that an order was seen, and the newest version is what is shown.
 */
export async function changeOrders(page: Page, change: (text: string) => string): Promise<void> {
  await page.route(/\/orders\?/, async (route) => {
    const response = await route.fetch({ url: reachable(route.request().url()) });
    await route.fulfill({ response, body: change(await response.text()) });
  });
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(typeof message === 'string' ? change(message) : message));
  });
}

export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: /^Sign out/ }).click();
}
