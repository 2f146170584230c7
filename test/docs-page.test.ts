/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { sharedBrowser } from '@comanda/testing/browser';
import { caller } from '@comanda/testing/call';
import { overflowOf } from '@comanda/testing/page-checks';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { until } from '@comanda/testing/until';

const credentials = { email: 'customer@comanda.test', password: 'mesa-farofa-violao' };
let stack: Stack;
let browser: Browser;

// On a machine without a browser, the first test run downloads one.
beforeAll(async () => {
  browser = await sharedBrowser();
}, 300_000);
beforeAll(async () => {
  stack = await startRestaurant('docs-page');
});
afterEach(() => {
  for (const { errors } of opened.values()) errors.splice(0);
});
afterAll(async () => {
  await Promise.all([...opened.values()].map(({ page }) => page.close()));
  await stack?.close();
});

type Docs = { page: Page; requests: string[]; errors: string[] };
/** The opened pages, keyed by width in pixels. The tests share them, because loading the page takes longer than all the tests. */
const opened = new Map<number, Docs>();
async function readDocs(address: string, width = 1280): Promise<Docs> {
  const docs = opened.get(width) ?? (await loadDocs(address, width));
  opened.set(width, docs);
  await docs.page.keyboard.press('Escape');
  await docs.page.evaluate((hash) => location.assign(hash), address);
  return docs;
}
/** Opens the page and records its requests and errors. A violation of the content security policy counts as an error. */
async function loadDocs(address: string, width: number): Promise<Docs> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${stack.gatewayUrl}/docs${address}`);
  await page.locator('#reference h1').first().waitFor({ timeout: 30_000 });
  return { page, requests, errors };
}
const isElsewhere = (url: string): boolean => !url.startsWith(`${stack.gatewayUrl}/`) && !/^(data|blob):/.test(url);
/** Finds the section about an operation on the page. */
const callOf = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function signIn(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByLabel('E-mail').fill(credentials.email);
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}
/** Signs out so that the next test can reuse the page. */
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Signed out.').waitFor();
}

describe('on the API docs page', () => {
  test('a user who signs in and sends the sample order twice places two orders', async () => {
    const { page, requests, errors } = await readDocs('#tag/orders/POST/orders');
    await signIn(page, credentials.password);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await callOf(page, 'Place an order')
      .getByRole('button', { name: /Test Request/ })
      .click();

    const responses = [];
    for (let sent = 0; sent < 2; sent++) {
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/orders');
      await page.getByRole('button', { name: /Send post request/ }).click();
      responses.push(await answered);
    }

    const keys = await Promise.all(responses.map((response) => response.request().headerValue('idempotency-key')));
    const orders = await Promise.all(responses.map(async (response) => (await response.json()) as { id: number }));
    expect(responses.map((response) => response.status())).toEqual([201, 201]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(orders[0]?.id).not.toBe(orders[1]?.id);
    const { body } = await caller(stack.gatewayUrl)('POST', '/auth/login', { body: credentials });
    const read = await caller(stack.gatewayUrl, { token: body.access_token })('GET', `/orders/${orders[1]?.id}`);
    expect(read.status).toBe(200);
    expect(requests.filter(isElsewhere)).toEqual([]);
    expect(errors).toEqual([]);
    await page.keyboard.press('Escape');
    await signOut(page);
  });

  test('the user is still signed in after a reload', async () => {
    const { page } = await readDocs('#tag/orders');
    await signIn(page, credentials.password);
    const out = page.getByRole('button', { name: 'Sign out' });
    await out.waitFor();

    await page.reload();

    await out.waitFor();
    expect(await page.locator('#who').textContent()).toBe('Ana');
    await signOut(page);
  });

  test('a wrong password shows an error', async () => {
    const { page } = await readDocs('#tag/orders');
    await signIn(page, 'not-the-password');
    await page.getByRole('alert').getByText('Not signed in: ').waitFor();
    await signIn(page, credentials.password);

    await signOut(page);

    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test('a search finds an operation and opens it', async () => {
    const { page, errors } = await readDocs('#tag/orders');
    // The page must have exactly one main landmark. The documentation viewer creates it late, and an open test request has a
    // landmark of its own.
    await until(async () => (await page.getByRole('main').count()) === 1, { what: 'one landmark of the content' });
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click();
    await page.getByRole('combobox', { name: 'Enter search query' }).fill('deposit cash');

    await page
      .getByRole('option', { name: /Deposit cash/ })
      .first()
      .click();

    await callOf(page, 'Deposit cash').waitFor();
    expect(page.url()).toContain('#tag/accounts/POST/accounts/{id}/deposits');
    expect(errors).toEqual([]);
  });

  test("an operation's URL opens it with samples in three languages", async () => {
    const { page, errors } = await readDocs('#tag/accounts/POST/accounts/internal-transfers');
    const call = callOf(page, 'Transfer money from your account to any other account');
    const samples: Record<string, string> = {};
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await call.getByRole('button', { name: /^(curl|TypeScript|Python)$/ }).click();
      await page.getByRole('option', { name: language }).click();
      await until(async () => (await call.locator('pre').first().textContent())?.includes('12.50') ?? false, {
        what: `the sample in ${language}`,
      });
      samples[language] = (await call.locator('pre').first().textContent()) ?? '';
    }

    expect(samples['curl']).toContain('curl -X POST');
    expect(samples['TypeScript']).toContain('client.calls.transferMoney({');
    expect(samples['Python']).toContain('requests.post(');
    expect(errors).toEqual([]);
  });

  test('an operation lists its errors, with one line per status', async () => {
    const { page } = await readDocs('#tag/orders/POST/orders');
    const call = callOf(page, 'Place an order');
    await call.getByText('ordering_paused').first().waitFor();

    const heights = await call
      .locator('li')
      .filter({ hasText: /^\s*[45]\d\d/ })
      .evaluateAll((lines) => lines.map((line) => Math.round(line.getBoundingClientRect().height)));

    expect(heights.length).toBeGreaterThan(8);
    expect(Math.max(...heights)).toBeLessThan(48);
    expect(await call.locator('a[href$="/problems/ordering_paused"]').count()).toBeGreaterThan(0);
  });

  test.each(['#tag/place-and-cook-an-order', '#tag/orders', '#tag/pin-and-step-up', '#tag/orders/POST/orders'])(
    "%s isn't wider than a phone's screen",
    async (address) => {
      const { page, requests, errors } = await readDocs(address, 390);
      const part = page.locator(`[id$="${address.slice(1)}"]`).first();
      const isShown = async (): Promise<boolean> => Math.abs((await part.boundingBox())?.y ?? Infinity) < 450;
      await until(isShown, { what: `${address} to be in view` });

      for (const name of ['OpenAPI', 'AsyncAPI'])
        await page.locator('.bar').getByRole('link', { name, exact: true }).click({ trial: true });
      expect(await overflowOf(page)).toBe(0);
      expect(await page.locator('.bar').evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0);
      expect(requests.filter(isElsewhere)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  // The viewer puts a button beside each title. There would be no room for it if the title were as wide as the screen.
  test('nothing is wider than the screen after a small phone is turned to portrait', async () => {
    const { page } = await readDocs('#tag/place-and-cook-an-order', 390);
    await page.setViewportSize({ width: 844, height: 390 });
    const overflows: number[] = [];
    // At 200% zoom, a phone's screen is 195 px wide.
    for (const width of [320, 195]) {
      await page.setViewportSize({ width, height: 640 });
      overflows.push(await overflowOf(page));
    }

    await page.setViewportSize({ width: 390, height: 900 });
    expect(overflows).toEqual([0, 0]);
  });

  test.each([
    ['#tag/orders', 'order-states'],
    ['#tag/pin-and-step-up', 'step-up'],
  ])('%s shows its picture', async (address, picture) => {
    const { page } = await readDocs(address);
    const image = page.locator(`img[src$="/docs/${picture}.svg"]`);
    await image.waitFor();
    const widthOf = (): Promise<number> => image.evaluate((element) => (element as HTMLImageElement).naturalWidth);
    await until(async () => (await widthOf()) > 0, { what: picture });

    expect(await widthOf()).toBe(410);
  });
});
