import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { closeContext, startBrowser } from '@comanda/testing/browser';
import { buildWebApp } from '@comanda/testing/build-web-app';
import { caller } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { IsolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, startStackWithAuthCommands } from '@comanda/testing/stack';
import type { Stack, StackWithAuthCommands } from '@comanda/testing/stack';
import { seedDemo } from '../../../../scripts/seed.ts';

const shotsFolder =
  process.env['SCREENSHOTS'] ?? fileURLToPath(new URL('../../../../.comanda/screenshots', import.meta.url));

/** A table with its code. */
type Seat = { table: string; scanned: string };
export type Order = Called['body'];
export type TableApp = {
  url: string;
  /** Where the app was built. */
  folder: string;
  manager: Call;
  /** A table that no other test uses. */
  newSeat: () => Promise<Seat>;
  /** The orders of a table, oldest first, as the kitchen has them. */
  ordersOf: (seat: Seat) => Promise<Order[]>;
  dish: (name: string) => Promise<Order>;
  /** Closes the pages of a test. */
  closePages: () => Promise<void>;
  /** A phone of its own: 360 × 640, English, light. */
  phone: (options?: BrowserContextOptions) => Promise<{ context: BrowserContext; page: Page; errors: string[] }>;
  /** Scans the code of the table, and waits until one can order. */
  scan: (page: Page, seat: Seat) => Promise<void>;
  /** Keeps a picture of the page, for people to look at. */
  shoot: (page: Page, name: string) => Promise<void>;
  close: () => Promise<void>;
};

type Settings = Record<string, string>;
type StartServices<S> = (servers: IsolatedServers, settings: Settings) => Promise<S>;
type TableAppOn<S> = TableApp & { stack: S };

/** The built app, served by the whole stack, with the demo's menu. */
export const startTableApp = (name: string): Promise<TableAppOn<Stack>> => startApp(name, startStack);
/** The same with the commands of tests: users without the time of a hash, step-up tokens. */
export const startTableAppWithAuthCommands = (
  name: string,
  more: Settings,
): Promise<TableAppOn<StackWithAuthCommands>> =>
  startApp(name, (servers, settings) => startStackWithAuthCommands(servers, { ...settings, ...more }));

async function startApp<S extends Stack>(name: string, startServices: StartServices<S>): Promise<TableAppOn<S>> {
  const browser = await startBrowser();
  try {
    return await startAppIn(browser, name, startServices);
  } catch (error) {
    await browser.close(); // else it hides why the start failed
    throw error;
  }
}

async function startAppIn<S extends Stack>(
  browser: Browser,
  name: string,
  startServices: StartServices<S>,
): Promise<TableAppOn<S>> {
  const [folder, servers]: [string, IsolatedServers] = await Promise.all([buildWebApp('table'), isolatedServers(name)]);
  const stack = await startServices(servers, {
    TABLE_APP_FOLDER: folder,
    RATE_LIMIT_SIGN_IN: '1000',
  });
  try {
    await seedDemo({ gatewayUrl: stack.gatewayUrl, runServiceCommand: stack.runServiceCommand, log: () => {} });
  } catch (error) {
    await stack.close();
    throw error;
  }
  const url = stack.gatewayUrl;
  const manager = caller(url, { token: stack.managerToken });
  let tables = 0;
  let contexts: BrowserContext[] = [];
  return {
    stack,
    url,
    folder,
    manager,
    newSeat: async () => {
      const table = `t-${++tables}`;
      const { body } = await manager('PUT', `/tables/${table}`);
      return { table, scanned: new URL((body as { url: string }).url).search };
    },
    ordersOf: async ({ table }) => (await manager('GET', `/orders?table=${table}&sort=created_at`)).body as Order[],
    dish: async (dishName) =>
      ((await manager('GET', '/menu')).body as Order[]).find((each) => (each as { name: string }).name === dishName),
    closePages: async () => {
      await Promise.all(contexts.map(closeContext));
      contexts = [];
    },
    phone: async (options = {}) => {
      const context = await browser.newContext({
        viewport: { width: 360, height: 640 },
        locale: 'en-US',
        reducedMotion: 'reduce',
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      return { context, page, errors };
    },
    scan: async (page, { table, scanned }) => {
      const origin = page.url() === 'about:blank' ? url : new URL(page.url()).origin;
      await page.goto(`${origin}/${scanned}`);
      await page.getByRole('heading', { level: 1, name: table }).waitFor();
      await page.getByRole('article').getByRole('button').first().waitFor();
    },
    shoot: async (page, picture) => {
      await mkdir(shotsFolder, { recursive: true });
      await page.screenshot({ path: join(shotsFolder, `table-${picture}.png`) });
    },
    close: async () => {
      await browser.close();
      await stack.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Puts the dish into the basket. */
export const addDish = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name: `Add ${name}`, exact: true }).click();

export async function openReview(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Basket, / }).click();
  await page.getByRole('button', { name: 'Send to kitchen' }).waitFor();
}
export async function sendOrder(page: Page): Promise<void> {
  await openReview(page);
  await page.getByRole('button', { name: 'Send to kitchen' }).click();
}
