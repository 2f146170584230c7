import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import type { Client } from '@comanda/client';
import { startDevices, type Devices } from '@comanda/testing/devices';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { until } from '@comanda/testing/until';

const credentials = { email: 'customer@comanda.test', password: 'mesa-farofa-violao' };
let stack: Stack;
let devices: Devices;

// On a machine without a browser, the first test run downloads one.
beforeAll(async () => {
  devices = await startDevices();
}, 300_000);
beforeAll(async () => {
  stack = await startRestaurant('browser');
});
afterEach(() => devices.closeDevices());
afterAll(async () => {
  await devices?.close();
  await stack?.close();
});

/** Opens a new device. Its tabs share one browser profile, and therefore one `localStorage`. */
const device = (): Promise<BrowserContext> => devices.newDevice({ viewport: { width: 1280, height: 1000 } });

/** The global variables of a page that has loaded the client library. */
type TestPage = { client: Client; users: (string | null)[]; lockReads: number; isSecureContext: boolean };

describe('when the client runs in several tabs on one device', () => {
  let script: string;
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createClient } from '@comanda/client';
          globalThis.client = createClient({ url: location.origin });
          globalThis.users = [];
          globalThis.client.onWho((who) => globalThis.users.push(who && who.name));`,
        resolveDir: fileURLToPath(new URL('../packages/client', import.meta.url)),
      },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      conditions: ['source'],
      write: false,
    });
    script = outputFiles[0]?.text ?? '';
  });

  /** Opens a tab with a page from the gateway at `origin`, and loads the client library there. */
  async function openTab(context: BrowserContext, origin: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}/problems/not_found`);
    await page.evaluate(script);
    return page;
  }
  const nameOf = (page: Page): Promise<string> =>
    page.evaluate(async () => (await (globalThis as unknown as TestPage).client.calls.me()).name);
  const signIn = (page: Page): Promise<unknown> =>
    page.evaluate((given) => (globalThis as unknown as TestPage).client.signIn(given), credentials);
  /** Sets the stored expiry time to the past, so that the client considers its access token expired. */
  const expire = (page: Page): Promise<void> =>
    page.evaluate(() => {
      const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.session@')) ?? '';
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? ''), until: 0 }));
    });
  /** Delays every refresh until `release` is called. */
  async function holdRefreshes(context: BrowserContext) {
    const held: (() => void)[] = [];
    let holding = true;
    let requested = 0;
    await context.route('**/auth/refresh', async (route) => {
      requested++;
      if (holding) await new Promise<void>((resolve) => held.push(resolve));
      // The page that sent the request may have been closed in the meantime.
      await route.continue().catch(() => route.abort().catch(() => {}));
    });
    return {
      requested: () => requested,
      release: () => {
        holding = false;
        for (const proceed of held) proceed();
      },
    };
  }
  const waitsForTheLock = (page: Page): Promise<boolean> =>
    page.evaluate(async () => ((await navigator.locks.query()).pending ?? []).length > 0);

  test('one tab refreshes an expired token for both', async () => {
    const context = await device();
    const [first, second] = [await openTab(context, stack.gatewayUrl), await openTab(context, stack.gatewayUrl)];
    await signIn(first);
    await expire(first);
    const refreshes = await holdRefreshes(context);
    const names = Promise.all([nameOf(first), nameOf(second), nameOf(first), nameOf(second)]);
    await until(
      async () => refreshes.requested() > 1 || (refreshes.requested() === 1 && (await waitsForTheLock(first))),
      {
        what: 'a tab that waits for the other',
        timeoutMs: 20_000,
      },
    );
    refreshes.release();
    const [name] = await names;
    expect(await names).toEqual([name, name, name, name]);
    expect(refreshes.requested()).toBe(1);
  });
  test('the other tab refreshes an expired token if the first one is closed', async () => {
    const context = await device();
    const [first, second] = [await openTab(context, stack.gatewayUrl), await openTab(context, stack.gatewayUrl)];
    await signIn(first);
    await expire(first);
    const refreshes = await holdRefreshes(context);
    const lost = nameOf(first).catch((error: unknown) => error);
    await until(() => refreshes.requested() === 1, { what: 'the first refresh', timeoutMs: 20_000 });
    const name = nameOf(second);
    await until(() => waitsForTheLock(second), { what: 'the other tab, waiting', timeoutMs: 20_000 });
    await first.close();
    refreshes.release();
    expect(await name).toEqual(expect.any(String));
    expect(await lost).toBeInstanceOf(Error);
    expect(refreshes.requested()).toBe(2);
  });
  test('one tab refreshes an expired token for both, even over plain HTTP, without Web Locks', async () => {
    const context = await device();
    const origin = stack.gatewayUrl.replace('127.0.0.1', 'comanda.test');
    const [first, second] = [await openTab(context, origin), await openTab(context, origin)];
    expect(
      await first.evaluate(() => ({
        secure: (globalThis as unknown as TestPage).isSecureContext,
        locks: 'locks' in navigator,
      })),
    ).toEqual({
      secure: false,
      locks: false,
    });
    await signIn(first);
    await expire(first);
    const refreshes = await holdRefreshes(context);
    const firstName = nameOf(first);
    await until(() => refreshes.requested() === 1, { what: 'the first refresh', timeoutMs: 20_000 });
    await second.evaluate(() => {
      const testPage = globalThis as unknown as TestPage;
      testPage.lockReads = 0;
      const getItem = localStorage.getItem.bind(localStorage);
      Storage.prototype.getItem = (key) => {
        if (key.startsWith('comanda.refreshing@')) testPage.lockReads++;
        return getItem(key);
      };
    });
    const secondName = nameOf(second);
    await until(() => second.evaluate(() => (globalThis as unknown as TestPage).lockReads >= 6), {
      what: 'the other tab, looking whether the lock is free',
      timeoutMs: 20_000,
    });
    refreshes.release();
    expect(await secondName).toBe(await firstName);
    expect(refreshes.requested()).toBe(1);
  });
  test('a tab is notified when the user signs in or out in another tab', async () => {
    const context = await device();
    const [first, second] = [await openTab(context, stack.gatewayUrl), await openTab(context, stack.gatewayUrl)];
    const users = (): Promise<(string | null)[]> => second.evaluate(() => (globalThis as unknown as TestPage).users);
    await signIn(first);
    const name = await nameOf(first);
    await until(async () => (await users()).length === 1, { what: 'the other tab to be notified', timeoutMs: 20_000 });
    await first.evaluate(() => (globalThis as unknown as TestPage).client.signOut());
    await until(async () => (await users()).length === 2, { what: 'the other tab to be notified', timeoutMs: 20_000 });
    expect(await users()).toEqual([name, null]);
  });
});
