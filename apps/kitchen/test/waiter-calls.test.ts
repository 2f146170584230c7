import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { startKitchenApp, waiter, type KitchenApp } from './support/kitchen-app.ts';
import { phone, press, says } from './support/page.ts';
import { tablesOf } from './support/waiter-page.ts';

let app: KitchenApp;
let at: ReturnType<typeof tablesOf>;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('waiter-calls', { SEATING_OPENED_BY: 'staff' });
  at = tablesOf(app);
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

async function callFrom(table: string, body: object): Promise<number> {
  const { seating } = (await app.manager('POST', `/tables/${table}/open`)).body;
  return created(await app.manager('POST', '/calls', { body: { ...body, table, seating } })).id;
}
const set = (id: number, status: string) => app.manager('PUT', `/calls/${id}`, { body: { status } });
const waiting = async (id: number): Promise<{ status: string } | undefined> =>
  (await app.manager('GET', '/calls')).body.find((each: { id: number }) => each.id === id);
const callOf = (page: Page, table: string, kind: string) =>
  page.getByRole('article', { name: `Call, table ${table}, ${kind}`, exact: true });

test('when tables call, then the oldest is first; the waiter goes, and ends it; a call of a colleague says so', async () => {
  const [first, second] = [await at.newTable(), await at.newTable()];
  const id = await callFrom(first, { kind: 'bill', method: 'card', note: 'n'.repeat(100) });
  const { page } = await app.openAt('waiter', waiter, phone);
  await says(callOf(page, first, 'bill'), `Table ${first} wants to pay, card`);
  const other = await callFrom(second, { kind: 'waiter' });
  await callOf(page, second, 'waiter').waitFor();
  const names = await page.locator('.waiter-call').evaluateAll((all) => all.map((each) => each.ariaLabel));
  const [bill, wish] = [`Call, table ${first}, bill`, `Call, table ${second}, waiter`];
  expect(names.filter((name) => name === bill || name === wish)).toEqual([bill, wish]); // other tests have called, too

  await press(callOf(page, first, 'bill'), 'I go');
  await says(callOf(page, first, 'bill'), 'You go');
  await press(callOf(page, first, 'bill'), 'Done');
  await callOf(page, first, 'bill').waitFor({ state: 'detached' });
  await until(async () => (await waiting(id)) === undefined, { what: 'the call, done' });

  await set(other, 'taken');
  await says(callOf(page, second, 'waiter'), 'A colleague goes');
  expect(await callOf(page, second, 'waiter').getByRole('button').count()).toBe(0);
});

test('when a colleague was first, then the waiter reads it, and the call says who goes', async () => {
  const table = await at.newTable();
  const id = await callFrom(table, { kind: 'other', note: 'A high chair' });
  const { page } = await app.openAt('waiter', waiter, phone);
  await says(callOf(page, table, 'other'), 'A high chair');
  expectErrors(page, /409 .*\/calls\//);
  await page.context().route('**/calls/*', async (route) => {
    await set(id, 'taken');
    await route.continue();
  });

  await press(callOf(page, table, 'other'), 'I go');

  await says(page, 'A colleague was first.');
  await says(callOf(page, table, 'other'), 'A colleague goes');
  await press(page, 'Menu');
  await press(page, 'Português');
  await says(page, 'Um colega foi primeiro.');
});
