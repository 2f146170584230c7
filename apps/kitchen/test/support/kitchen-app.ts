import { mkdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { closeContext, connectBrowser } from '@comanda/testing/browser';
import { builtApps } from '@comanda/testing/built-apps';
import { caller, type Call, type Called } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import { seedDemo } from '@comanda/local-stack/seed';

const shotsFolder =
  process.env['SCREENSHOTS'] ?? fileURLToPath(new URL('../../../../.comanda/screenshots', import.meta.url));

export const waiter = { email: 'waiter@comanda.test', password: 'mesa-farofa-violao' };
export type Order = Called['body'];
type Line = { name: string; quantity?: number; remarks?: string };
type SignIn = { email: string; password: string };
type Screen = { context: BrowserContext; page: Page; errors: string[] };
export type KitchenApp = {
  /** An address of the app that is not localhost: no secure context. */
  url: string;
  folder: string;
  stack: Stack;
  /** Calls as a manager. */
  manager: Call;
  /** Places an order for a table, as a manager. */
  place: (table: string, lines: readonly (Line | string)[], allergies?: string) => Promise<Order>;
  order: (id: number) => Promise<Order>;
  setOrder: (id: number, status: string) => Promise<Order>;
  setItem: (order: Order, item: number, status: string) => Promise<Order>;
  /** Nothing passes between the services and the broker, until it is called with `false`. */
  freezeBroker: (isFrozen: boolean) => void;
  /** Somebody who has signed in at a page of the app, for example `waiter/tables`. */
  openAt: (at: string, user: SignIn, options?: BrowserContextOptions) => Promise<Screen>;
  /** Opens another page of the app, for example `waiter/tables`. */
  goTo: (page: Page, to: string) => Promise<unknown>;
  /** A screen at the start page. */
  open: (options?: BrowserContextOptions) => Promise<Screen>;
  /** A screen at work: 1280 × 800, English. */
  startShift: (options?: BrowserContextOptions) => Promise<Screen>;
  /** Closes the screens, and finishes all open orders, so that the next test has an empty board. */
  clear: () => Promise<void>;
  /** Keeps a picture of the page, for people to look at. */
  shoot: (page: Page, name: string) => Promise<void>;
  close: () => Promise<void>;
};

/** The built app, served by the whole stack, with the demo's menu. */
export async function startKitchenApp(name: string, settings: Record<string, string> = {}): Promise<KitchenApp> {
  /** Closes what was opened, also when the start failed: else what is left open hides why. */
  const opened: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await openApp(opened, name, settings)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openApp(
  opened: (() => Promise<unknown>)[],
  name: string,
  settings: Record<string, string>,
): Promise<Omit<KitchenApp, 'close'>> {
  const browser = await connectBrowser();
  opened.push(() => browser.close());
  const [apps, servers] = await Promise.all([builtApps(), isolatedServers(name)]);
  const broker = await startFreezableProxy(servers.rabbitmqUrl);
  opened.push(broker.close);
  const stack = await startStack(
    { ...servers, rabbitmqUrl: broker.url },
    { ...apps, RATE_LIMIT_SIGN_IN: '1000', ...settings },
  );
  opened.push(stack.close);
  await seedDemo({ gatewayUrl: stack.gatewayUrl, createManager: stack.createManager, log: () => {} });
  const url = stack.gatewayUrl.replace('127.0.0.1', 'comanda.test');
  const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  let contexts: BrowserContext[] = [];

  async function openAt(at: string, user: SignIn, options: BrowserContextOptions = {}): Promise<Screen> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...options,
    });
    contexts.push(context);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${url}/kitchen#/${at}`);
    await page.locator('input[type=email]').fill(user.email);
    await page.locator('input[type=password]').fill(user.password);
    await page.keyboard.press('Enter');
    return { context, page, errors };
  }
  async function open(options?: BrowserContextOptions): Promise<Screen> {
    const screen = await openAt('board', waiter, options);
    await screen.page.locator('button.shift-start').waitFor();
    return screen;
  }
  const body = async (answer: Promise<Called>): Promise<Order> => {
    const { status, body: found, text } = await answer;
    if (status >= 400) throw new Error(text);
    return found;
  };
  const openOrders = async (): Promise<Order[]> =>
    (await manager('GET', '/orders?status=received,preparing,ready&limit=200')).body as Order[];
  return {
    url,
    folder: apps.KITCHEN_APP_FOLDER,
    stack,
    manager,
    place: (table, lines, allergies) =>
      body(
        manager('POST', '/orders', {
          body: {
            table,
            items: lines.map((line) => ({ quantity: 1, ...(typeof line === 'string' ? { name: line } : line) })),
            ...(allergies !== undefined && { allergies }),
          },
        }),
      ),
    order: (id) => body(manager('GET', `/orders/${id}`)),
    setOrder: (id, status) => body(manager('PUT', `/orders/${id}`, { body: { status } })),
    setItem: (order, item, status) =>
      body(manager('PUT', `/orders/${order.id}/items/${order.items[item].id}`, { body: { status } })),
    freezeBroker: broker.freeze,
    openAt,
    goTo: (page, to) => page.goto(`${url}/kitchen#/${to}`),
    open,
    startShift: async (options) => {
      const screen = await open(options);
      await screen.page.locator('button.shift-start').click();
      await screen.page.locator('.board').waitFor();
      return screen;
    },
    clear: async () => {
      await Promise.all(contexts.map(closeContext));
      contexts = [];
      for (const { id } of await openOrders()) await manager('PUT', `/orders/${id}`, { body: { status: 'cancelled' } });
    },
    shoot: async (page, picture) => {
      await mkdir(shotsFolder, { recursive: true });
      await page.screenshot({ path: join(shotsFolder, `kitchen-${picture}.png`) });
    },
  };
}

/** A TCP proxy whose connections stay open and carry nothing while it is frozen, as when a server hangs. */
async function startFreezableProxy(target: string) {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (isFrozen) socket.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    track(client);
    track(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze: (frozen: boolean): void => {
      isFrozen = frozen;
      for (const socket of sockets)
        if (frozen) socket.pause();
        else socket.resume();
    },
    close: async (): Promise<void> => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
