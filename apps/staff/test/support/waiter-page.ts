import type { Locator, Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import type { StaffApp, Order } from './staff-app.ts';
import { press, reachable } from './page.ts';

export type Party = Awaited<ReturnType<ReturnType<typeof tablesOf>['seated']>>;
/** Returns functions for tests of the waiters' screen. */
export function tablesOf({ manager, setItem, placeAt }: StaffApp) {
  let last = 100;
  /** Creates a table that no other test uses. */
  async function newTable(): Promise<string> {
    const table = String(++last);
    await manager('PUT', `/tables/${table}`);
    return table;
  }
  const tableOf = async (name: string): Promise<Order> =>
    ((await manager('GET', '/tables')).body as Order[]).find(({ table }) => table === name);
  const seen = (...orders: Order[]): Promise<unknown> =>
    manager('POST', '/orders/seen', { body: { order_ids: orders.map(({ id }) => id), device: 'kitchen-1' } });
  /** Creates a table whose guests have ordered; by default a Feijoada, for R$ 68.20 including the service charge. */
  async function seated(lines: Parameters<StaffApp['place']>[1] = ['Feijoada']) {
    const table = await newTable();
    await manager('POST', `/tables/${table}/open`);
    const { seating } = await tableOf(table);
    const order = await placeAt({ table, seating }, lines);
    const billNow = async (): Promise<Order> => (await manager('GET', `/bills/${order.bill_id}`)).body;
    return { table, seating: seating as number, order, id: order.bill_id as number, billNow };
  }
  return {
    newTable,
    seated,
    /** Creates a table whose guests have ordered 2 Feijoada and a Pudim de leite, for R$ 156.20. */
    seatedWithThree: () => seated([{ name: 'Feijoada', quantity: 2 }, 'Pudim de leite']),
    ordersOf: async (table: string): Promise<Order[]> =>
      (await manager('GET', `/orders?table=${table}&sort=created_at`)).body as Order[],
    tableOf,
    seen,
    makeReady: async (order: Order, item: number): Promise<void> => {
      await setItem(order, item, 'preparing');
      await setItem(order, item, 'ready');
    },
  };
}

/** Returns the card of a table with ready dishes. */
export const card = (page: Page, table: string) => page.getByRole('article', { name: `Table ${table}`, exact: true });
/** Adds a dish to the order. A dish that was ordered before has two tiles. */
export const addDish = (page: Page, name: string): Promise<void> =>
  page
    .getByRole('button', { name: `Add ${name}`, exact: true })
    .first()
    .click();
/** Chooses these options for the dish that was opened, and adds it to the order. */
export async function addWith(page: Page, ...options: readonly string[]): Promise<void> {
  for (const option of options)
    await page.getByRole('dialog').locator('.option-main').filter({ hasText: option }).first().click();
  await press(page, /^Add, /);
}
/** Opens what can be done with a dish of a table's order. */
export const openDish = (scope: Page | Locator, name: string): Promise<void> =>
  scope.getByRole('button', { name: new RegExp(`^Change: \\d+ ${name}\\b`) }).click();
/** Closes a paid bill with dishes that are still to be served, and frees its table. */
export async function closeUnserved(page: Page, table: string): Promise<void> {
  await press(page, `Close bill and free table ${table}`);
  await press(page, 'Close anyway');
}
export const sendOrder = (page: Page): Promise<void> => press(page, 'Send to kitchen');
/** Opens the list of rarer actions on a table's page, and presses one of them. */
export async function pressMore(page: Page, name: string): Promise<void> {
  await press(page, /^More for table /);
  await press(page, name);
}
/**
 * Drops the responses to orders until `stop` is called, although the server receives the requests. `keys` lists the idempotency
 * keys of all attempts.
 */
export async function loseAnswers(page: Page) {
  expectErrors(page, /net::ERR_FAILED .*\/orders$/);
  const lost = { keys: [] as string[], isLosing: true };
  await page.context().route('**/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    lost.keys.push((await route.request().headerValue('idempotency-key')) ?? '');
    if (!lost.isLosing) return route.continue();
    await route.fetch({ url: reachable(route.request().url()) });
    return route.abort();
  });
  return { keys: lost.keys, stop: () => (lost.isLosing = false) };
}
