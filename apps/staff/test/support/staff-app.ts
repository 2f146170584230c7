import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import type { Called } from '@comanda/testing/call';
import { startWebApp, type Order, type Screen } from '@comanda/testing/web-app';

export type { Order } from '@comanda/testing/web-app';
export const waiter = { email: 'waiter@comanda.test', password: 'mesa-farofa-violao' };
type Line = { name: string; quantity?: number; remarks?: string; options?: { id: number }[] };
export type StaffApp = Awaited<ReturnType<typeof startStaffApp>>;

export async function startStaffApp(
  name: string,
  settings?: Record<string, string>,
  processes?: readonly ServiceName[],
) {
  const app = await startWebApp({ app: 'staff', name, settings, processes });
  const { manager } = app;
  /** A host other than localhost, which makes the page an insecure context. */
  const url = app.stack.gatewayUrl.replace('127.0.0.1', 'comanda.test');

  /** Opens a page of the app, for example `waiter/tables`, in English at 1280 × 800 px, and signs in. */
  async function openAt(at: string, user: typeof waiter, options: BrowserContextOptions = {}): Promise<Screen> {
    const screen = await app.newScreen({ viewport: { width: 1280, height: 800 }, ...options });
    const { page } = screen;
    await page.goto(`${url}/kitchen#/${at}`);
    await page.locator('input[type=email]').fill(user.email);
    await page.locator('input[type=password]').fill(user.password);
    await page.keyboard.press('Enter');
    return screen;
  }
  /** Opens a screen that shows the page for starting a shift. */
  async function open(options?: BrowserContextOptions): Promise<Screen> {
    const screen = await openAt('board', waiter, options);
    await screen.page.locator('button.shift-start').waitFor();
    return screen;
  }
  /** Opens a screen and starts its shift. */
  async function startShift(options?: BrowserContextOptions, choice?: string): Promise<Screen> {
    const screen = await open(options);
    if (choice !== undefined) await screen.page.getByRole('button', { name: choice }).click();
    await screen.page.locator('button.shift-start').click();
    await screen.page.locator('.board').waitFor();
    return screen;
  }
  const body = async (answer: Promise<Called>): Promise<Order> => {
    const { status, body: found, text } = await answer;
    if (status >= 400) throw new Error(text);
    return found;
  };
  const placeAt = (
    where: { table: string; seating?: number },
    lines: readonly (Line | string)[],
    allergies?: string,
  ): Promise<Order> =>
    body(
      manager('POST', '/orders', {
        body: {
          ...where,
          items: lines.map((line) => ({ quantity: 1, ...(typeof line === 'string' ? { name: line } : line) })),
          ...(allergies !== undefined && { allergies }),
        },
      }),
    );
  const setOrder = (id: number, status: string): Promise<Called> =>
    manager('PUT', `/orders/${id}`, { body: { status } });
  /** Cancels an order. If its bill is paid, serves it instead, because a cancellation would leave the bill overpaid. */
  async function endOrder({ id, status: from }: Order): Promise<void> {
    if ((await setOrder(id, 'cancelled')).status < 400) return;
    const steps = ['received', 'preparing', 'ready', 'delivered'];
    for (const status of steps.slice(steps.indexOf(from) + 1)) await body(setOrder(id, status));
  }
  return {
    ...app,
    url,
    /** Places an order for a table as a manager. */
    place: (table: string, lines: readonly (Line | string)[], allergies?: string): Promise<Order> =>
      placeAt({ table }, lines, allergies),
    /** Places an order for the guests of this seating. */
    placeAt,
    order: (id: number): Promise<Order> => body(manager('GET', `/orders/${id}`)),
    setOrder: (id: number, status: string): Promise<Order> => body(setOrder(id, status)),
    setItem: (order: Order, item: number, status: string): Promise<Order> =>
      body(manager('PUT', `/orders/${order.id}/items/${order.items[item].id}`, { body: { status } })),
    openAt,
    /** Opens another page of the app, for example `waiter/tables`. */
    goTo: (page: Page, to: string): Promise<unknown> => page.goto(`${url}/kitchen#/${to}`),
    open,
    startShift,
    /** Opens a screen and starts its shift, in which tickets stay until they are handed over. */
    startThreeTapShift: (): Promise<Screen> => startShift({}, '3: started, ready, handed over'),
    /** Closes the screens and ends all open orders, so that the next test starts with an empty board. */
    clear: async (): Promise<void> => {
      try {
        await app.closeScreens();
      } finally {
        const { body: orders } = await manager('GET', '/orders?status=received,preparing,ready&limit=200');
        for (const order of orders as Order[]) await endOrder(order);
      }
    },
  };
}
