import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Client } from '@comanda/client';
import { seedDemo } from '../scripts/seed.ts';
import { startBrowser } from '@comanda/testing/browser';
import { caller } from '@comanda/testing/call';
import { startStack } from '@comanda/testing/stack';
import type { Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { until } from '@comanda/testing/until';

const credentials = { email: 'customer@comanda.test', password: 'comanda-demo' };
let stack: Stack;
let browser: Browser;
let contexts: BrowserContext[] = [];

// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  browser = await startBrowser();
}, 300_000);
beforeAll(async () => {
  stack = await startStack(await isolatedServers('browser'), { RATE_LIMIT_SIGN_IN: '1000' });
  await seedDemo({ gatewayUrl: stack.gatewayUrl, runServiceCommand: stack.runServiceCommand, log: () => {} });
}, 120_000);
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** A device: its tabs share what a browser's profile holds. */
async function device(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
  contexts.push(context);
  return context;
}

/** What a page with the client in it has at hand. */
type Shop = { client: Client; said: (string | null)[]; looks: number; isSecureContext: boolean };

describe('the client in the tabs of one device', () => {
  let script: string;
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createClient } from '@comanda/client';
          globalThis.client = createClient({ url: location.origin });
          globalThis.said = [];
          globalThis.client.onWho((who) => globalThis.said.push(who && who.name));`,
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

  /** Another tab of a shop at `origin`, which is where the gateway is: one of its pages, with the client in it. */
  async function tab(context: BrowserContext, origin: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}/problems/not_found`);
    await page.evaluate(script);
    return page;
  }
  const nameOf = (page: Page): Promise<string> =>
    page.evaluate(async () => (await (globalThis as unknown as Shop).client.calls.me()).name);
  const signIn = (page: Page): Promise<unknown> =>
    page.evaluate((who) => (globalThis as unknown as Shop).client.signIn(who), credentials);
  /** As if the access token had run out: the client looks at its own note of when. */
  const expire = (page: Page): Promise<void> =>
    page.evaluate(() => {
      const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.session@')) ?? '';
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? ''), until: 0 }));
    });
  /** Holds back every refresh until `release`. */
  async function holdRefreshes(context: BrowserContext) {
    const held: (() => void)[] = [];
    let holding = true;
    let asked = 0;
    await context.route('**/auth/refresh', async (route) => {
      asked++;
      if (holding) await new Promise<void>((resolve) => held.push(resolve));
      // The page that asked may have been closed meanwhile.
      await route.continue().catch(() => route.abort().catch(() => {}));
    });
    return {
      asked: () => asked,
      release: () => {
        holding = false;
        for (const go of held) go();
      },
    };
  }
  const waitsForTheLock = (page: Page): Promise<boolean> =>
    page.evaluate(async () => ((await navigator.locks.query()).pending ?? []).length > 0);

  test('when the token has run out in two tabs, then one of them renews it for both', async () => {
    const context = await device();
    const [one, other] = [await tab(context, stack.gatewayUrl), await tab(context, stack.gatewayUrl)];
    await signIn(one);
    await expire(one);
    const refreshes = await holdRefreshes(context);
    const names = Promise.all([nameOf(one), nameOf(other), nameOf(one), nameOf(other)]);
    await until(async () => refreshes.asked() > 1 || (refreshes.asked() === 1 && (await waitsForTheLock(one))), {
      what: 'a tab that waits for the other',
      timeoutMs: 20_000,
    });
    refreshes.release();
    const [name] = await names;
    expect(await names).toEqual([name, name, name, name]);
    expect(refreshes.asked()).toBe(1);
  });
  test('when the tab that renews is closed, then the other one does it', async () => {
    const context = await device();
    const [one, other] = [await tab(context, stack.gatewayUrl), await tab(context, stack.gatewayUrl)];
    await signIn(one);
    await expire(one);
    const refreshes = await holdRefreshes(context);
    const lost = nameOf(one).catch((error: unknown) => error);
    await until(() => refreshes.asked() === 1, { what: 'the first renewal', timeoutMs: 20_000 });
    const name = nameOf(other);
    await until(() => waitsForTheLock(other), { what: 'the other tab, waiting', timeoutMs: 20_000 });
    await one.close();
    refreshes.release();
    expect(await name).toEqual(expect.any(String));
    expect(await lost).toBeInstanceOf(Error);
    expect(refreshes.asked()).toBe(2);
  });
  test('when the page came over plain HTTP and has no Web Locks, then one tab renews for both all the same', async () => {
    const context = await device();
    const origin = stack.gatewayUrl.replace('127.0.0.1', 'comanda.test');
    const [one, other] = [await tab(context, origin), await tab(context, origin)];
    expect(
      await one.evaluate(() => ({
        secure: (globalThis as unknown as Shop).isSecureContext,
        locks: 'locks' in navigator,
      })),
    ).toEqual({
      secure: false,
      locks: false,
    });
    await signIn(one);
    await expire(one);
    const refreshes = await holdRefreshes(context);
    const first = nameOf(one);
    await until(() => refreshes.asked() === 1, { what: 'the first renewal', timeoutMs: 20_000 });
    await other.evaluate(() => {
      const shop = globalThis as unknown as Shop;
      shop.looks = 0;
      const getItem = localStorage.getItem.bind(localStorage);
      Storage.prototype.getItem = (key) => {
        if (key.startsWith('comanda.refreshing@')) shop.looks++;
        return getItem(key);
      };
    });
    const second = nameOf(other);
    await until(() => other.evaluate(() => (globalThis as unknown as Shop).looks >= 6), {
      what: 'the other tab, looking whether the lock is free',
      timeoutMs: 20_000,
    });
    refreshes.release();
    expect(await second).toBe(await first);
    expect(refreshes.asked()).toBe(1);
  });
  test('when somebody signs in and out in one tab, then the other tab knows', async () => {
    const context = await device();
    const [one, other] = [await tab(context, stack.gatewayUrl), await tab(context, stack.gatewayUrl)];
    const said = (): Promise<(string | null)[]> => other.evaluate(() => (globalThis as unknown as Shop).said);
    await signIn(one);
    const name = await nameOf(one);
    await until(async () => (await said()).length === 1, { what: 'the other tab, hearing of it', timeoutMs: 20_000 });
    await one.evaluate(() => (globalThis as unknown as Shop).client.signOut());
    await until(async () => (await said()).length === 2, { what: 'the other tab, hearing of it', timeoutMs: 20_000 });
    expect(await said()).toEqual([name, null]);
  });
});

describe('the page of documents', () => {
  /** The page, with what it asked for and what went wrong in it. */
  async function docs() {
    const page = await (await device()).newPage();
    const asked: string[] = [];
    const wrong: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    await page.goto(`${stack.gatewayUrl}/docs`);
    await page.locator('.opblock').first().waitFor({ timeout: 30_000 });
    return { page, asked, wrong };
  }
  async function signIn(page: Page, password: string): Promise<void> {
    const form = page.getByRole('form', { name: 'Sign in' });
    await form.getByLabel('E-mail').fill(credentials.email);
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button').click();
  }

  test('when a stranger signs in there and tries an order as it stands, then it is placed', async () => {
    const { page, asked, wrong } = await docs();
    await signIn(page, credentials.password);
    await page.getByText(`Signed in as ${credentials.email}`).waitFor();
    const place = page.locator('[id$="-placeOrder"]');
    await place.locator('.opblock-summary-control').click();
    const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/orders');
    await place.getByRole('button', { name: 'Execute' }).click();
    const answer = await answered;
    const order = (await answer.json()) as { id: number; status: string };
    expect({ status: answer.status(), order }).toMatchObject({ status: 201, order: { status: 'received' } });
    await place.locator('.live-responses-table').getByText('201').first().waitFor();
    const { body } = await caller(stack.gatewayUrl)('POST', '/auth/login', { body: credentials });
    const read = await caller(stack.gatewayUrl, { token: body.access_token })('GET', `/orders/${order.id}`);
    expect(read.status).toBe(200);
    expect(asked.filter((url) => !url.startsWith(`${stack.gatewayUrl}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(wrong).toEqual([]);
  });
  test('when somebody signs in wrongly, then the page says so, and out again, then nobody is', async () => {
    const { page } = await docs();
    await signIn(page, 'not-the-password');
    await page.getByText('Not signed in: ').waitFor();
    await signIn(page, credentials.password);
    await page.getByText('Signed in as ').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('Signed out.').waitFor();
    expect(await page.getByLabel('E-mail').isVisible()).toBe(true);
  });
});
