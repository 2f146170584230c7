import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { closeContext, connectBrowser, watchErrors } from '@comanda/testing/browser';
import { builtApps } from '@comanda/testing/built-apps';
import { caller, type Called } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack } from '@comanda/testing/stack';
import { seedDemo } from '@comanda/local-stack/seed';

const shotsFolder =
  process.env['SCREENSHOTS'] ?? fileURLToPath(new URL('../../../../.comanda/screenshots', import.meta.url));

/** A table with its code. */
export type Seat = { table: string; scanned: string };
export type Order = Called['body'];
export type Phone = { context: BrowserContext; page: Page };
type Settings = Record<string, string>;
export type TableApp = Awaited<ReturnType<typeof startTableApp>>;

/** The built app, served by the whole stack, with the demo's menu. */
export async function startTableApp(name: string, settings: Settings = {}) {
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

async function openApp(opened: (() => Promise<unknown>)[], name: string, settings: Settings) {
  const browser = await connectBrowser();
  opened.push(() => browser.close());
  const [apps, servers] = await Promise.all([builtApps(), isolatedServers(name)]);
  const limits = { RATE_LIMIT_SIGN_IN: '1000', RATE_LIMIT_STEP_UP: '1000' };
  const stack = await startStack(servers, { ...apps, ...limits, ...settings });
  opened.push(stack.close);
  await seedDemo({ gatewayUrl: stack.gatewayUrl, createManager: stack.createManager, log: () => {} });
  const url = stack.gatewayUrl;
  const manager = caller(url, { token: stack.managerToken });
  let tables = 0;
  let contexts: BrowserContext[] = [];

  return {
    stack,
    url,
    /** Where the app was built. */
    folder: apps.TABLE_APP_FOLDER,
    /** Calls as a manager. */
    manager,
    /** A table that no other test uses. */
    newSeat: async (): Promise<Seat> => {
      const table = `t-${++tables}`;
      const { body } = await manager('PUT', `/tables/${table}`);
      return { table, scanned: new URL((body as { url: string }).url).search };
    },
    /** The orders of a table, oldest first, as the kitchen has them. */
    ordersOf: async ({ table }: Seat) =>
      (await manager('GET', `/orders?table=${table}&sort=created_at`)).body as Order[],
    /** A phone of its own: 360 × 640, English, light. */
    phone: async (options: BrowserContextOptions = {}): Promise<Phone> => {
      const viewport = { width: 360, height: 640 };
      const context = await browser.newContext({ viewport, locale: 'en-US', reducedMotion: 'reduce', ...options });
      watchErrors(context);
      contexts.push(context);
      return { context, page: await context.newPage() };
    },
    /** Closes the pages of a test. */
    closePages: async (): Promise<void> => {
      const open = contexts;
      contexts = [];
      await Promise.all(open.map(closeContext));
    },
    /** Stores a picture of the page, for people to look at. */
    shoot: async (page: Page, picture: string): Promise<void> => {
      await mkdir(shotsFolder, { recursive: true });
      await page.screenshot({ path: join(shotsFolder, `table-${picture}.png`) });
    },
  };
}

/** An address of the app that is not localhost: no secure context. */
export const withoutTls = ({ url }: TableApp): string => url.replace('127.0.0.1', 'comanda.test');

/** Makes the session's access token expired for the client, which stores when it expires. */
export const expireToken = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.session@')) ?? '';
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? ''), until: 0 }));
  });
