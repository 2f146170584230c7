import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { seatGuest } from './support/guest.ts';
import { startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-calls');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

type Listed = { id: number; table: string; kind: string; method: string | null };
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
  await app.manager('PUT', `/calls/${call?.id}`, { body: { status: 'taken' } });
  await status(page).getByText('Somebody is coming').waitFor();
  await press(page, 'Take back: Ask for the bill');
  await until(async () => (await callsAt(table)).length === 0, { what: 'no call' });
});

test('when there is no network, then the guest reads that nobody was called, and nothing is called later', async () => {
  const {
    page,
    seat: { table },
  } = await seatGuest(app);
  expectErrors(page, /./);
  await page.context().route('**/calls', (route) => route.abort());

  await press(page, 'Call');
  await press(page, 'Call a waiter');
  await page.getByText('Not called. Wave, please.').waitFor();

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

  await app.manager('POST', `/tables/${table}/move`, { body: { to } });

  await page.getByRole('heading', { name: `Table ${to}`, exact: true }).waitFor();
});
