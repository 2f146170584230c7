import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import { newCustomer, walletOn } from './support/customer.ts';
import { guestOn, holdFeed, scan, seatGuest } from './support/guest.ts';
import { expireToken, startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-seat');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

/** Somebody else's phone, at a table where a guest has ordered a Feijoada; its owner has signed in before the scan. */
async function customerAtTable() {
  const guest = await seatGuest(app);
  await guest.order('Feijoada');
  await guest.orderCard().waitFor();
  const phone = await app.phone();
  const wallet = walletOn(app, phone);
  await wallet.signIn(await newCustomer(app, { money: '100.00' }));
  await scan(app, phone.page, guest.seat);
  const { page } = phone;
  return { wallet, page, seat: guest.seat, customer: guestOn(app, phone, guest.seat), guest };
}
const billLink = { name: 'Bill, R$ 62.00' };

describe('a customer with an account', () => {
  test('when they scan the code of a table, then its bill is theirs too, and what they order is on it', async () => {
    const { page, customer, guest } = await customerAtTable();
    await page.getByRole('link', billLink).waitFor();
    await customer.order('Milk flan');
    await guest.page.getByRole('link', { name: 'Bill, R$ 80.00' }).waitFor();
  });

  test('when they unlock the account, then they still sit at the table', async () => {
    const { page, wallet } = await customerAtTable();
    await page.getByRole('link', billLink).waitFor();
    await wallet.goTo();
    await wallet.button('Lock').click();
    await wallet.unlock();
    await wallet.balance.waitFor();
    await page.goto(`${app.url}/#/`);
    await page.getByRole('link', billLink).waitFor();
    const { seating } = await page.evaluate(() => {
      const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.table.session@')) ?? '';
      const [, claims = ''] = (JSON.parse(localStorage.getItem(key) ?? '{}') as { access: string }).access.split('.');
      return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { seating?: number };
    });
    expect(seating).toEqual(expect.any(Number));
  });

  test('when the table is closed, then the stay is over at once, and they are still signed in', async () => {
    const { page, wallet, seat } = await customerAtTable();
    await page.getByRole('link', billLink).waitFor();
    await app.manager('POST', `/tables/${seat.table}/close`);
    await page.getByText('Your time at this table has ended').waitFor();
    await wallet.goTo();
    await wallet.balance.getByText('R$ 100.00').waitFor();
  });

  test('when the table is closed and the page loaded again, then what they ordered as a guest is still theirs', async () => {
    const { page, button, seat, ...guest } = await seatGuest(app);
    await guest.order('Feijoada');
    await guest.orderCard().waitFor();
    await walletOn(app, { page, context: guest.context }).signIn(await newCustomer(app));
    await page.goto(`${app.url}/#/bill`);
    const ordered = page.locator('.bill-group h2');
    await ordered.getByText('You').waitFor();
    await app.manager('POST', `/tables/${seat.table}/close`);
    await page.getByText('Your time at this table has ended').waitFor();
    await page.reload();
    await page.getByText('Your time at this table has ended').waitFor();
    await ordered.first().waitFor();
    expect(await ordered.allTextContents()).toEqual(['You']);
    // The server would refuse it.
    expect(await button(/^Pay, /).count()).toBe(0);
    await guest.sees('Please pay what is left to a waiter.');
  });
});

test.each([['a guest'], ['a customer with an account']])(
  'when the table of %s is closed before the feed of the page is live, then the stay is over once it is',
  async (who) => {
    const [seat, phone] = await Promise.all([app.newSeat(), app.phone()]);
    const release = await holdFeed(phone.context);
    if (who !== 'a guest') await walletOn(app, phone).signIn(await newCustomer(app, { money: '100.00' }));
    await scan(app, phone.page, seat);
    expectErrors(phone.page, /status of 401 /);

    await app.manager('POST', `/tables/${seat.table}/close`);
    release();

    await phone.page.getByText('Your time at this table has ended').waitFor();
  },
);

test.each([['a guest'], ['a customer with an account']])(
  'when staff move %s before the feed of the page is live, then the page says where they are once it is',
  async (who) => {
    const [seat, phone] = await Promise.all([app.newSeat(), app.phone()]);
    const to = `to-${seat.table}`;
    await app.manager('PUT', `/tables/${to}`);
    const release = await holdFeed(phone.context);
    if (who !== 'a guest') await walletOn(app, phone).signIn(await newCustomer(app, { money: '100.00' }));
    await scan(app, phone.page, seat);

    await app.manager('POST', `/tables/${seat.table}/move`, { body: { to } });
    release();

    await phone.page.getByRole('heading', { name: `Table ${to}`, exact: true }).waitFor();
  },
);

test('an order of one tab is sent although another tab sleeps while it renews the tokens, and both go on', async () => {
  const sleeper = await seatGuest(app);
  const { context, page: asleep, seat } = sleeper;
  const page = await context.newPage();
  await page.goto(app.url);
  const awake = guestOn(app, { context, page }, seat);
  await awake.add('Feijoada');
  await awake.openReview();
  // The server has renewed the tokens; the tab sleeps before it reads the answer.
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
  // Nothing of the page runs until this request is answered.
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

  // It has slept for so long that its lease has ended.
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
