import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { newCustomer, walletOn } from './support/customer.ts';
import { feedIsLive, guestOn, holdFeed, scan, seatGuest } from './support/guest.ts';
import { expireToken, sessionOf, startGuestApp, type GuestApp } from './support/guest-app.ts';

let app: GuestApp;
beforeAll(async () => {
  app = await startGuestApp('table-seat');
  await app.manager('PUT', '/restaurant', { body: { tip_suggestions: ['5.00', '10.00'] } });
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const billLink = { name: 'Bill · R$ 62.00 left' };
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

describe('a guest', () => {
  test('stays the same guest when the code is scanned again', async () => {
    const guest = await seatGuest(app);
    await guest.order('Feijoada');
    await guest.sees('Table total R$ 62.00');
    const userOf = async (): Promise<unknown> => {
      const [, payload = ''] = (await sessionOf(guest.page)).access.split('.');
      return JSON.parse(Buffer.from(payload, 'base64url').toString()).sub;
    };
    const before = await userOf();
    await scan(app, guest.page, guest.seat);
    await guest.page.getByRole('link', { name: /^Orders · R\$ 62\.00/ }).click();
    await guest.sees('Table total R$ 62.00');
    expect(await userOf()).toBe(before);

    const { page: other } = await app.phone();
    await scan(app, other, guest.seat);
    await other.getByRole('link', { name: /^Orders · R\$ 62\.00/ }).waitFor();
  });

  test('calls a waiter with the amount to pay', async () => {
    const guest = await seatGuest(app);
    const { page, seat } = guest;
    const calls = async () =>
      ((await app.manager('GET', '/calls')).body as { id: number; table: string; note: string }[]).filter(
        ({ table }) => table === seat.table,
      );
    await guest.order('Feijoada');
    await page.getByRole('link', billLink).click();
    for (const name of ['Pay · R$ 62.00 left', '10% (R$ 6.20)', 'Card']) await press(page, name);
    await guest.sees('Waiter called. Not paid yet.');
    const [call] = await calls();
    expect(call).toMatchObject({ kind: 'bill', method: 'card', amount: '62.00' });
    expect(call?.note.replaceAll('\u00a0', ' ')).toBe('plus a R$ 6.20 tip');
    await app.manager('PUT', `/calls/${call?.id}`, { body: { status: 'taken' } });
    await guest.sees('Someone is on the way. Not paid yet.');
    await page.goto(`${app.url}/#/`);
    await press(page, 'Call');
    await press(page, 'Cancel: Ask for the bill');
    await until(async () => (await calls()).length === 0, { what: 'no call' });
  });

  test('still owns their orders after signing in', async () => {
    const { page, button, seat, ...guest } = await seatGuest(app);
    await guest.order('Feijoada');
    await guest.orderCard().waitFor();
    await walletOn(app, { page, context: guest.context }).signIn(await newCustomer(app));
    await page.goto(`${app.url}/#/bill`);
    const ordered = page.locator('.bill-group h2');
    await ordered.getByText('You').waitFor();
    await app.manager('POST', `/tables/${seat.table}/close`);
    await page.getByText('You’re no longer at this table').waitFor();
    await page.reload();
    await page.getByText('You’re no longer at this table').waitFor();
    await ordered.first().waitFor();
    expect(await ordered.allTextContents()).toEqual(['You']);
    expect(await button(/^Pay · /).count()).toBe(0);
    await guest.sees('Please pay the rest to a waiter.');
  });
});

test('a customer who scans the code stays signed in until the table is closed', async () => {
  const guest = await seatGuest(app);
  await guest.order('Feijoada');
  await guest.orderCard().waitFor();
  const phone = await app.phone();
  const { page } = phone;
  const wallet = walletOn(app, phone);
  await wallet.signIn(await newCustomer(app, { money: '100.00' }));
  await scan(app, page, guest.seat);
  const customer = guestOn(app, phone, guest.seat);
  await page.getByRole('link', billLink).waitFor();
  await customer.order('Milk flan');
  await guest.page.getByRole('link', { name: 'Bill · R$ 80.00 left' }).waitFor();
  await wallet.goTo();
  await wallet.button('Lock').click();
  await wallet.unlock();
  await wallet.balance.waitFor();
  await page.goto(`${app.url}/#/`);
  await page.getByRole('link', { name: /^Orders/ }).waitFor();
  const [, claims = ''] = (await sessionOf(page)).access.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).seating).toEqual(expect.any(Number));
  await app.manager('POST', `/tables/${guest.seat.table}/close`);
  await page.getByText('You’re no longer at this table').waitFor();
  await wallet.goTo();
  await wallet.balance.getByText('R$ 100.00').waitFor();
});

describe('phones at a table without a live feed', () => {
  /** Seats a guest and a customer at the same table. No event reaches their pages before `release`. */
  async function twoBeforeTheFeed() {
    const seat = await app.newSeat();
    const phones = await Promise.all([app.phone(), app.phone()]);
    const releases = await Promise.all(phones.map(({ context }) => holdFeed(context)));
    await walletOn(app, phones[1]).signIn(await newCustomer(app));
    for (const { page } of phones) {
      await scan(app, page, seat);
      expectErrors(page, /status of 401 /);
    }
    return { seat, pages: phones.map(({ page }) => page), release: () => releases.forEach((each) => each()) };
  }

  test('show that the table was closed once the feed is live', async () => {
    const { seat, pages, release } = await twoBeforeTheFeed();
    await app.manager('POST', `/tables/${seat.table}/close`);
    release();
    for (const page of pages) await page.getByText('You’re no longer at this table').waitFor();
  });

  test('show that staff have moved the guests once the feed is live', async () => {
    const { seat, pages, release } = await twoBeforeTheFeed();
    const [first, second] = [`to-${seat.table}`, `on-${seat.table}`];
    for (const table of [first, second]) await app.manager('PUT', `/tables/${table}`);
    const move = async (from: string, to: string): Promise<void> => {
      const { status, text } = await app.manager('POST', `/tables/${from}/move`, { body: { to } });
      if (status >= 300) throw new Error(text);
    };
    const areAt = async (table: string): Promise<void> => {
      for (const page of pages) await page.getByRole('heading', { name: `Table ${table}`, exact: true }).waitFor();
    };
    await move(seat.table, first);
    release();
    await areAt(first);
    await Promise.all(pages.map(feedIsLive));
    await move(first, second);
    await areAt(second);
  });
});

test('an order is sent while another tab sleeps during a token refresh', async () => {
  const sleeper = await seatGuest(app);
  const { context, page: asleep, seat } = sleeper;
  const page = await context.newPage();
  await page.goto(app.url);
  const awake = guestOn(app, { context, page }, seat);
  await awake.add('Feijoada');
  await awake.openReview();
  // The server has renewed the tokens, but the tab goes to sleep before it reads the response.
  const answer = Promise.withResolvers<void>();
  await asleep.route('**/auth/refresh', async (route) => {
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  await expireToken(asleep);
  const isRenewed = asleep.waitForRequest('**/auth/refresh');
  await asleep.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await isRenewed;
  // The page runs no code until this request gets a response.
  const sleep = Promise.withResolvers<void>();
  await asleep.route('**/sleep', async (route) => {
    await sleep.promise;
    await route.fulfill({ body: '' });
  });
  const isAsleep = asleep.waitForRequest('**/sleep');
  const wakes = asleep.evaluate(() => {
    const request = new XMLHttpRequest();
    request.open('GET', '/sleep', false);
    request.send();
  });
  await isAsleep;

  // The tab has slept so long that its lock on the session has expired.
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.table.refreshing@')) ?? 'no lease';
    localStorage.setItem(key, `asleep ${Date.now() - 1}`);
  });
  await awake.send();
  await awake.orderCard().waitFor();

  answer.resolve();
  sleep.resolve();
  await wakes;
  for (const { tab, orders } of [
    { tab: sleeper, orders: 2 },
    { tab: awake, orders: 3 },
  ]) {
    await tab.page.goto(`${app.url}/#/`);
    await expireToken(tab.page);
    await tab.order('Milk flan');
    await until(async () => (await app.ordersOf(seat)).length === orders, { what: `order ${orders}` });
  }
});
