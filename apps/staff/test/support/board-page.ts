import type { Locator, Page } from 'playwright-core';
import { until } from '@comanda/testing/until';
import type { StaffApp, Order } from './staff-app.ts';

export const ticketOf = (page: Page, { table, ticket }: Order): Locator =>
  page.getByRole('article', { name: `Table ${table}, ticket ${ticket}`, exact: true });
const bumpedAt = new WeakMap<Page, Map<number, number>>();
/** Bumps the ticket, after waiting long enough that the board sees no double tap. */
export async function bump(page: Page, { ticket }: Order): Promise<void> {
  const times = bumpedAt.get(page) ?? new Map<number, number>();
  await page.waitForTimeout(Math.max(0, (times.get(ticket) ?? 0) + 450 - Date.now()));
  await page.getByRole('button', { name: new RegExp(`^Bump, .*: ticket ${ticket}$`) }).click();
  bumpedAt.set(page, times.set(ticket, Date.now()));
}
/** Waits as long as a cook needs to read the allergies when the board asks about them. */
export const readAllergies = (page: Page): Promise<void> => page.waitForTimeout(750);
/** Waits until no card is cut off. The board moves cards with a delay, for example after the font was loaded. */
export const isLaidOut = (page: Page): Promise<boolean> =>
  until(
    () =>
      page.evaluate(() => {
        const cards = [...document.querySelectorAll('.board-slot .ticket')];
        return cards.length > 0 && cards.every(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1);
      }),
    { what: 'a page without a cut card' },
  );

export const more = (page: Page, order: Order): Promise<void> =>
  ticketOf(page, order)
    .getByRole('button', { name: `More for ticket ${order.ticket}` })
    .click();
export const isGone = (locator: Locator): Promise<void> => locator.waitFor({ state: 'detached' });
export const ageIn = async (ticket: Locator): Promise<string> => (await ticket.getByRole('timer').textContent()) ?? '';

const feed = (page: Page): Locator => page.getByRole('status', { name: 'Live feed' });
export const isLive = (page: Page): Promise<void> =>
  feed(page).getByText('Live', { exact: true }).waitFor({ timeout: 30_000 });
/** Waits until the board says that the feed is not live. The board waits 20 s before it does, and a slow machine takes longer. */
export const isNotLive = (page: Page): Promise<void> =>
  feed(page)
    .getByText(/^NOT LIVE since \d\d:\d\d:\d\d$/)
    .waitFor({ timeout: 30_000 });

/** Waits until the order has this status on the server. */
export const statusIs = (app: StaffApp, { id }: Order, status: string): Promise<boolean> =>
  until(async () => (await app.order(id)).status === status, {
    what: `order ${id} to be ${status}`,
    timeoutMs: 20_000,
  });
/** Waits until the order's items have these statuses on the server. */
export const itemsAre = (app: StaffApp, { id }: Order, statuses: readonly string[]): Promise<boolean> =>
  until(async () => (await app.order(id)).items.map((item: Order) => item.status).join() === statuses.join(), {
    what: `the items of order ${id} to be ${statuses.join()}`,
    timeoutMs: 20_000,
  });

/** Returns how many unsent bumps the device stores. */
export const keptBumpsOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => key.startsWith('comanda.staff.unsent.')) ?? '';
    const entries = JSON.parse(localStorage.getItem(name) ?? '[]') as { kind: string }[];
    return entries.filter(({ kind }) => kind === 'bump').length;
  });

export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: /^Sign out/ }).click();
}
