import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { checkScreens } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { feedIsLive, seatGuest, type Guest } from './support/guest.ts';
import { startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-calls');
  await app.manager('PUT', '/restaurant', { body: { tip_suggestions: ['5.00', '10.00'] } });
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

type Listed = { id: number; table: string; kind: string; method: string | null; note: string | null };
const callsAt = async (table: string): Promise<Listed[]> =>
  ((await app.manager('GET', '/calls')).body as Listed[]).filter((each) => each.table === table);
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const status = (page: Page) => page.getByRole('status', { name: 'Call', exact: true });

test('when a guest asks for the bill, then a waiter is called; the guest reads that somebody comes, and takes it back', async () => {
  const {
    page,
    seat: { table },
  } = await seatGuest(app);

  await press(page, 'Call');
  await press(page, 'Ask for the bill');
  await press(page, 'Card');

  await until(async () => (await callsAt(table)).length === 1, { what: 'the call' });
  const [call] = await callsAt(table);
  expect(call).toMatchObject({ kind: 'bill', method: 'card' });
  await press(page, 'Call');
  await status(page)
    .getByText(/^Called \d/)
    .waitFor();
  // What was called for is not offered again.
  const askForBill = page.getByRole('button', { name: 'Ask for the bill', exact: true });
  expect(await askForBill.count()).toBe(0);
  await app.manager('PUT', `/calls/${call?.id}`, { body: { status: 'taken' } });
  await status(page).getByText('Somebody is coming').waitFor();
  await press(page, 'Take back: Ask for the bill');
  await until(async () => (await callsAt(table)).length === 0, { what: 'no call' });
  await askForBill.waitFor();
});

test('when a guest wants to pay on the phone, then the waiter knows it, and the page is that of the bill', async () => {
  const guest = await seatGuest(app);
  await guest.order('Feijoada');
  await guest.button('Order more').click();
  await press(guest.page, 'Call');
  await press(guest.page, 'Ask for the bill');
  await press(guest.page, 'Here on the phone');

  await guest.button('Pay, R$ 62.00 left').waitFor();
  expect(await callsAt(guest.seat.table)).toMatchObject([{ kind: 'bill', method: 'account' }]);
});

test('when there is no network, then the guest reads that perhaps nobody was called, and nothing is called later', async () => {
  const {
    page,
    seat: { table },
  } = await seatGuest(app);
  expectErrors(page, /./);
  await page.context().route('**/calls', (route) => route.abort());

  await press(page, 'Call');
  await press(page, 'Call a waiter');
  await page.getByText('No answer, so this may not have arrived. Wave if nobody comes.').waitFor();

  await page.context().unroute('**/calls');
  expect(await callsAt(table)).toEqual([]);
});

test('when staff move the guests to another table, then the page says where they are now', async () => {
  const {
    page,
    seat: { table },
  } = await seatGuest(app);
  const to = `to-${table}`.slice(0, 16);
  await app.manager('PUT', `/tables/${to}`);
  await feedIsLive(page);

  await app.manager('POST', `/tables/${table}/move`, { body: { to } });

  await page.getByRole('heading', { name: `Table ${to}`, exact: true }).waitFor();
});

/** What a guest pays of R$ 62.00: all of it, with a tip. */
async function tellWaiter(guest: Guest): Promise<void> {
  await guest.order('Feijoada');
  await guest.page.locator('a[href="#/bill"]').click();
  await press(guest.page, 'Pay, R$ 62.00 left');
  await press(guest.page, 'Pay all that is left, R$ 62.00');
  await press(guest.page, '10 %, R$ 6.20');
  await press(guest.page, 'Card or cash: call a waiter');
}

test('when a guest has chosen what to pay, then the waiter is called with it, and the page says that somebody comes', async () => {
  const guest = await seatGuest(app);
  const { table } = guest.seat;
  await tellWaiter(guest);

  await press(guest.page, 'Call a waiter, card');

  await status(guest.page)
    .getByText(/^Called \d/)
    .waitFor();
  const [call] = await callsAt(table);
  expect(call).toMatchObject({ kind: 'bill', method: 'card' });
  expect(call?.note?.replaceAll('\u00a0', ' ')).toBe('All that is left: R$ 68.20, R$ 6.20 of it tip');
  await app.manager('PUT', `/calls/${call?.id}`, { body: { status: 'taken' } });
  await status(guest.page).getByText('Somebody is coming').waitFor();
  expect(await guest.page.getByRole('button', { name: /^Call a waiter/ }).count()).toBe(0);
});

test('when the waiter cannot be called with it, then the guest reads it, and may try again', async () => {
  const guest = await seatGuest(app);
  const { page } = guest;
  await tellWaiter(guest);
  expectErrors(page, /./);
  await page.context().route('**/calls', (route) => route.abort());
  await press(page, 'Call a waiter, cash');
  await guest.sees('No answer, so this may not have arrived. Wave if nobody comes.');
  expect(await callsAt(guest.seat.table)).toEqual([]);

  await page.context().unroute('**/calls');
  await press(page, 'Call a waiter, cash');

  await until(async () => (await callsAt(guest.seat.table)).length === 1, { what: 'the call' });
});

const english = {
  zoomed: { viewport: { width: 320, height: 568 } },
  phone: { viewport: { width: 360, height: 640 } },
  dark: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
} as const;
const portuguese = { pt: { viewport: { width: 390, height: 844 } } };
test.each([
  ['en-US', english],
  ['pt-BR', portuguese],
] as const)(
  'when the sheet of calls is looked at (%s), then axe finds nothing, and all of it fits',
  async (locale, looks) => {
    const { page, seat } = await seatGuest(app, { locale, ...Object.values(looks)[0] });
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'call' });
    const bell = page.getByRole('button', { name: /^(Call|Chamar)$/ });
    await bell.click();
    await page.locator('.call-row').nth(1).click();
    await check('bill');
    await page.locator('.call-row').nth(2).click();
    await check('other');
    await page.locator('.call-row').nth(0).click();
    await until(async () => (await callsAt(seat.table)).length === 1, { what: 'the call' });
    await check('page');
    await bell.click();
    await page.locator('.call-state').first().waitFor();
    await check('waiting');
    expect(await page.locator('.call-row').count()).toBe(2);
    expect(found).toEqual([]);
  },
);
