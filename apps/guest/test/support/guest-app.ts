import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { startWebApp, type Order, type Screen } from '@comanda/testing/web-app';

export type { Order } from '@comanda/testing/web-app';
/** A table, and the query in the URL of its QR code. */
export type Seat = { table: string; scanned: string };
export type Phone = Screen;
export type GuestApp = Awaited<ReturnType<typeof startGuestApp>>;

export async function startGuestApp(
  name: string,
  settings?: Record<string, string>,
  processes?: readonly ServiceName[],
) {
  const app = await startWebApp({ app: 'guest', name, settings, processes });
  const { manager } = app;
  let tables = 0;
  return {
    ...app,
    url: app.stack.gatewayUrl,
    /** Opens a table that no other test uses. */
    newSeat: async (): Promise<Seat> => {
      const table = `t-${++tables}`;
      const { body } = await manager('PUT', `/tables/${table}`);
      return { table, scanned: new URL((body as { url: string }).url).search };
    },
    /** Returns the table's orders as the kitchen sees them, oldest first. */
    ordersOf: async ({ table }: Seat) =>
      (await manager('GET', `/orders?table=${table}&sort=created_at`)).body as Order[],
    /** Opens a phone with a screen of 360 × 640 px, in English with a light theme by default. */
    phone: (options: BrowserContextOptions = {}): Promise<Phone> =>
      app.newScreen({ viewport: { width: 360, height: 640 }, ...options }),
  };
}

/** Returns the app's URL on a host other than localhost, which is an insecure context. */
export const withoutTls = ({ url }: GuestApp): string => url.replace('127.0.0.1', 'comanda.test');

/** Returns the session that the client has stored on the phone. */
export const sessionOf = (page: Page): Promise<{ access: string }> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.table.session@')) ?? '';
    return JSON.parse(localStorage.getItem(key) ?? '{}') as { access: string };
  });

/** Makes the client treat its access token as expired, by changing the stored expiry time. */
export const expireToken = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.table.session@')) ?? '';
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? ''), until: 0 }));
  });
