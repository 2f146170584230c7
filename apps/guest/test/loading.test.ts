import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { firstLoadBytes } from '@comanda/testing/first-load';
import { unknownPropertiesOf } from '@comanda/testing/page-checks';
import { dishCard, seatGuest } from './support/guest.ts';
import { startGuestApp, type GuestApp } from './support/guest-app.ts';

// How a phone loads the built app and stores it for later visits.

let app: GuestApp;
beforeAll(async () => {
  app = await startGuestApp('table-loading');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

test('the browser supports every property in the style sheets', async () => {
  const { page } = await app.phone();
  const assets = join(app.folder, 'assets');
  for (const sheet of readdirSync(assets).filter((file) => file.endsWith('.css')))
    expect(await unknownPropertiesOf(page, readFileSync(join(assets, sheet), 'utf8'))).toEqual([]);
});

describe('the first load', () => {
  test('has at most 45.9 KB of gzipped script', async () => {
    const { page } = await app.phone();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(app.url);
    await page.getByRole('article', { name: 'Feijoada', exact: true }).waitFor();
    expect(requests.filter((url) => new URL(url).origin !== app.url)).toEqual([]);
    expect(firstLoadBytes(app.folder, ['feed-socket'])).toBeLessThanOrEqual(45_900);
  });
  /** Runs the action so many times, one after the other, and returns the results. */
  async function all<T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> {
    const results: T[] = [];
    for (let index = 0; index < count; index++) results.push(await act(index));
    return results;
  }
  /** WebPageTest's "3G slow", with a round trip of 400 ms and 400 kbit/s each way. */
  const slow3G = { roundTripMs: 400, bytesPerMs: 50 };
  /** Returns the network traffic until the first dish appears: the number of bytes, and the number of sequential round trips. */
  async function loadOnSlow3G(): Promise<{ bytes: number; roundTrips: number }> {
    const { page, context } = await app.phone();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const throughput = slow3G.bytesPerMs * 1000;
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: slow3G.roundTripMs,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('article h3')) return;
        observer.disconnect();
        performance.mark('dishes');
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(app.url, { waitUntil: 'commit' });
    const loaded = await page.waitForFunction(() => {
      const [mark] = performance.getEntriesByName('dishes');
      if (!mark) return null;
      const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
      return (entries as PerformanceResourceTiming[])
        .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= mark.startTime)
        .map(({ startTime, responseEnd, transferSize }) => ({ startTime, responseEnd, transferSize }));
    });
    const responses = (await loaded.jsonValue()) ?? [];
    let roundTrips = 0;
    let lastEnd = 0;
    for (const { startTime, responseEnd } of responses.toSorted((one, other) => one.responseEnd - other.responseEnd))
      if (startTime >= lastEnd) {
        roundTrips++;
        lastEnd = responseEnd;
      }
    return { bytes: responses.reduce((sum, { transferSize }) => sum + transferSize, 0), roundTrips };
  }
  test('shows the first dish within 2 s on slow 3G', async () => {
    const { bytes, roundTrips } = await loadOnSlow3G();
    expect(bytes).toBeGreaterThan(20_000);
    expect(roundTrips).toBeGreaterThan(0);
    expect(roundTrips * slow3G.roundTripMs + bytes / slow3G.bytesPerMs).toBeLessThan(2000);
  });
  test('shows the first dish within 2 s even if the menu has 80 dishes with 40 option groups', async () => {
    const description = 'Com arroz, feijão, farofa e vinagrete da casa, para dividir ou não.';
    const groupIds = await all(40, async (index) => {
      const options = Array.from({ length: 10 }, (_each, at) => ({
        name: `Opção ${index}.${at}`,
        name_translations: { en: `Choice ${index}.${at}` },
        price: `${at}.50`,
        allergens: ['milk'],
      }));
      const created = await app.manager('POST', '/option-groups', {
        body: { name: `Grupo ${index}`, min: 1, max: 2, options },
      });
      return (created.body as { id: number }).id;
    });
    const dishIds = await all(62, async (index) => {
      const created = await app.manager('POST', '/menu', {
        body: {
          name: `Prato ${index} da casa`,
          name_translations: { en: `Dish ${index} of the house` },
          description,
          price: `${20 + index}.00`,
          category: `Parte ${index % 8}`,
          allergens: ['milk', 'eggs'],
          option_group_ids: [groupIds[index % 40], groupIds[(index + 1) % 40]],
        },
      });
      return (created.body as { id: number }).id;
    });
    const { bytes, roundTrips } = await loadOnSlow3G();
    await all(dishIds.length, (index) => app.manager('DELETE', `/menu/${dishIds[index]}`));
    await all(groupIds.length, (index) => app.manager('DELETE', `/option-groups/${groupIds[index]}`));
    expect(roundTrips * slow3G.roundTripMs + bytes / slow3G.bytesPerMs).toBeLessThan(2000);
  });
  test('contains pictures of at most 4 KB each', async () => {
    const dishes = (await app.manager('GET', '/menu')).body as { image_url: string | null; category: string | null }[];
    expect(dishes).toHaveLength(18);
    const sizes = await Promise.all(
      dishes.map(async ({ image_url: path }) => (await fetch(app.url + path)).arrayBuffer()),
    );
    expect(sizes.filter(({ byteLength }) => byteLength === 0 || byteLength > 4096)).toEqual([]);
    expect(readdirSync(join(app.folder, 'dishes'))).toHaveLength(18);
  });
});

test('the app opens without a network and says how old the menu is', async () => {
  const { page, sees } = await seatGuest(app, { serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expectErrors(page, /net::ERR_(INTERNET_DISCONNECTED|FAILED)/, /^WebSocket connection/);
  await setOffline(page, true);
  await page.reload();
  await dishCard(page, 'Feijoada').waitFor();
  await sees(/^You’re offline\. This menu is from \d\d:\d\d/);
  await app.shoot(page, 'opened-offline');
  // The phone also stores the parts that the page loads later.
  await page.getByRole('button', { name: 'Add Feijoada', exact: true }).click();
  await page.getByRole('button', { name: /^Basket, 1 item/ }).click();
  await page.getByRole('button', { name: 'Send to kitchen' }).waitFor();
  await setOffline(page, false);
  await page.goBack();
  await page.getByText(/^You’re offline/).waitFor({ state: 'detached' });
});

test('“Try again” opens a part of the app that could not be loaded', async () => {
  const { page } = await seatGuest(app);
  expectErrors(page, /net::ERR_FAILED/);
  await page.route('**/assets/bill-pages-*.js', (route) => route.abort());
  await page.goto(`${app.url}/#/bill`);
  await page.reload();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute('**/assets/bill-pages-*.js');
  await again.click();

  await page.getByRole('heading', { name: /^(Bill|Your bill)/ }).waitFor();
});

test('the page loads the new release when a part of the old one is gone', async () => {
  const { page } = await app.phone();
  const gateway = app.stack.gatewayUrl;
  let isGone = true;
  expectErrors(page, /status of 404/);
  await page.route('**/assets/account-page-*.js', (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.fallback(),
  );
  await page.goto(gateway);
  await dishCard(page, 'Feijoada').waitFor();
  for (const path of ['/', '/config.json'])
    await page.route(gateway + path, async (route) => {
      const response = await route.fetch();
      const { build } = (await (await fetch(`${gateway}/config.json`)).json()) as { build: string };
      await route.fulfill({ response, body: (await response.text()).replace(build, 'another-build') });
    });
  page.on('request', (request) => (isGone &&= !request.isNavigationRequest()));
  await page.goto(`${gateway}/#/account`);
  await page.getByText(/^This screen was updated at \d\d:\d\d/).waitFor();
  await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
});

test.each([
  ['/kitchen', []],
  ['/', ['manifest-display-not-supported']], // The app should open in the browser, which knows the scanned table.
])('%s has everything that the Home Screen needs', async (path, wanted) => {
  const { page, context } = await app.phone({ serviceWorkers: 'allow' });
  await page.goto(app.stack.gatewayUrl + path);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const devtools = await context.newCDPSession(page);
  const { errors } = await devtools.send('Page.getAppManifest');
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  const known = new Set(['in-incognito', ...wanted]); // Every context in the tests is incognito.
  expect([errors, installabilityErrors.filter(({ errorId }) => !known.has(errorId))]).toEqual([[], []]);
});
