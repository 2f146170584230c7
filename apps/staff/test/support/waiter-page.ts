import type { Locator, Page } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import type { StaffApp, Order } from './staff-app.ts';
import { press, reachable } from './page.ts';

/** Returns functions for tests of the waiters' screen. */
export function tablesOf({ manager, setItem }: StaffApp) {
  let last = 100;
  const seen = (...orders: Order[]): Promise<unknown> =>
    manager('POST', '/orders/seen', { body: { order_ids: orders.map(({ id }) => id), device: 'kitchen-1' } });
  return {
    /** Creates a table that no other test uses. */
    newTable: async (): Promise<string> => {
      const table = String(++last);
      await manager('PUT', `/tables/${table}`);
      return table;
    },
    ordersOf: async (table: string): Promise<Order[]> =>
      (await manager('GET', `/orders?table=${table}&sort=created_at`)).body as Order[],
    tableOf: async (name: string): Promise<Order> =>
      ((await manager('GET', '/tables')).body as Order[]).find(({ table }) => table === name),
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
/** Opens what can be done with a dish of a table's order. */
export const openDish = (scope: Page | Locator, name: string): Promise<void> =>
  scope.getByRole('button', { name: new RegExp(`^Change: \\d+ ${name}\\b`) }).click();
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
