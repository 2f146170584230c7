import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, faultsOf, tabTo, unknownPropertiesOf } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { dishCard, seatGuest } from './support/guest.ts';
import { bareWhenForced, visitAccountScreens, visitGuestScreens } from './support/screens.ts';
import { startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-page');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

// 200 % of a phone's text: WCAG 1.4.10 asks for 320 px without scrolling sideways.
const zoomed = { viewport: { width: 320, height: 568 } };
const accountLooks = {
  zoomed,
  'phone-light': { viewport: { width: 360, height: 640 } },
  'phone-dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
} as const;
/** The account pages have one column at any width. */
const looks = {
  ...accountLooks,
  tablet: { viewport: { width: 820, height: 1180 } },
  'desktop-dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
} as const;

describe('every screen of a guest', () => {
  const bare: string[] = [];
  let faults: readonly string[];
  beforeAll(async () => {
    const phone = await app.phone(zoomed);
    const { check, found } = checkScreens(phone.page, { looks, shoot: app.shoot, name: 'guest' });
    await visitGuestScreens(app, phone, async (screen) => {
      await check(screen);
      bare.push(...(await bareWhenForced(phone.page)).map((each) => `${screen}: ${each}`));
    });
    faults = found;
  }, 240_000);

  test('when it is visited, then axe finds nothing, and all of it fits', () => expect(faults).toEqual([]));

  test('when colours are forced, then buttons, cards and what is chosen keep an edge', () => expect(bare).toEqual([]));
});

test('when every screen of an account is visited, then axe finds nothing, all of it fits, and has edges in forced colours', async () => {
  const phone = await app.phone(zoomed);
  const looksOfAccount = { ...accountLooks, 'at-195': { viewport: { width: 195, height: 844 } } };
  const { check, found } = checkScreens(phone.page, { looks: looksOfAccount, shoot: app.shoot, name: 'account' });
  const bare: string[] = [];
  await visitAccountScreens(app, phone, async (screen) => {
    await check(screen);
    bare.push(...(await bareWhenForced(phone.page)).map((each) => `${screen}: ${each}`));
  });
  expect([...found, ...bare]).toEqual([]);
});

test('when a word has a hyphen, then it is as narrow as in a text, and figures of money are equally wide', async () => {
  const { page } = await app.phone();
  await page.goto(app.url);
  await dishCard(page, 'Feijoada').waitFor();
  const widths = await page.evaluate(async () => {
    await document.fonts.ready;
    const widthOf = (text: string, css: string): number => {
      const span = document.body.appendChild(document.createElement('span'));
      span.style.cssText = `position: absolute; ${css}`;
      span.textContent = text;
      const { width } = span.getBoundingClientRect();
      span.remove();
      return width;
    };
    const price = document.querySelector('.money');
    return {
      text: widthOf('----------', ''),
      proportional: widthOf('----------', 'font-variant-numeric: normal'),
      money: price && getComputedStyle(price).fontVariantNumeric,
    };
  });
  expect(widths.text).toBe(widths.proportional);
  expect(widths.money).toBe('tabular-nums');
});

test('when the style sheets are read, then the browser knows every property in them', async () => {
  const { page } = await app.phone();
  const assets = join(app.folder, 'assets');
  for (const sheet of readdirSync(assets).filter((file) => file.endsWith('.css')))
    expect(await unknownPropertiesOf(page, readFileSync(join(assets, sheet), 'utf8'))).toEqual([]);
});

test.each([
  ['phone', {}],
  ['phone-pt', { viewport: { width: 390, height: 844 }, locale: 'pt-BR' }],
] as const)(
  'when the menu is scrolled (%s), then the table and the buttons beside it stand whole at its top',
  async (name, look) => {
    const { page } = await seatGuest(app, look);
    await page.evaluate(() => scrollTo(0, 900));
    await until(() => page.evaluate(() => scrollY > 400), { what: 'the scrolled menu' });
    await app.shoot(page, `scrolled-${name}`);
    const tops = await page
      .locator('.top-row h1, .top-tools button')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(tops.length).toBeGreaterThan(4);
    expect(tops.filter((top) => top < 0)).toEqual([]);
  },
);

test('when a phone shows everything at 200 %, then the greeting stands in lines, and the ways leave half of it to the dishes', async () => {
  const guest = await seatGuest(app, { viewport: { width: 195, height: 422 } });
  const { page } = guest;
  await guest.order('Feijoada');
  await guest.orderCard().waitFor();
  await guest.button('Order more').click();
  await guest.add('Cheese bread');
  await page.evaluate(() => scrollTo(0, 0));
  await app.shoot(page, 'at-195');
  const lines = await page.locator('.top-row p').evaluate((line) => line.getBoundingClientRect().height);
  const ways = await page.locator('.menu-basket').evaluate((bar) => bar.getBoundingClientRect().height);
  expect(lines).toBeLessThan(50);
  expect(ways).toBeLessThan(211);
  expect(await faultsOf(page)).toEqual([]);
});

test('when a guest uses the keyboard only, then an order can be placed', async () => {
  const { page, seat, seesBasket } = await seatGuest(app);
  await tabTo(page, /^Add Cheese bread$/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Black bean soup$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Black bean soup' }).waitFor();
  await tabTo(page, /^Add Black bean/);
  await page.keyboard.press('Space');
  await seesBasket('2 items, R$ 30.50');
  await tabTo(page, /^Basket, 2 items/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: seat.table }).waitFor();
  await tabTo(page, /^Send to kitchen$/);
  await page.keyboard.press('Enter');
  await page.getByText('Table total R$ 30.50').waitFor();
  expect(await app.ordersOf(seat)).toHaveLength(1);
});

test('when the language is changed, then words, amounts and lang follow, and a reload keeps it; the same for the theme', async () => {
  const { page } = await app.phone();
  await page.goto(app.url);
  const dish = dishCard(page, 'Feijoada');
  await dish.getByText('Contains celery, gluten, sulphites').waitFor();
  await page.getByRole('button', { name: 'Português' }).click();
  await dish.getByText('Contém aipo, glúten e sulfitos').waitFor();
  await dish.getByText('R$ 62,00').waitFor();
  await page.getByRole('button', { name: 'Escuro' }).click();
  await page.reload();
  await dish.getByText('R$ 62,00').waitFor();
  expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset['theme']])).toEqual(
    ['pt-BR', 'dark'],
  );
  await page.getByRole('button', { name: 'English' }).click();
  await dish.getByText('R$ 62.00').waitFor();
});

describe('the first load', () => {
  test('has at most 61 KB of gzipped script, and asks no other host', async () => {
    const { page } = await app.phone();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(app.url);
    await page.getByRole('article', { name: 'Feijoada', exact: true }).waitFor();
    expect(requests.filter((url) => new URL(url).origin !== app.url)).toEqual([]);
    const scripts = requests.filter((url) => url.endsWith('.js')).map((url) => join(app.folder, new URL(url).pathname));
    const sizes = scripts.map((file) => gzipSync(readFileSync(file)).length);
    expect(scripts.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(61 * 1024);
  });
  /** "3G slow" of WebPageTest: a round trip of 400 ms, 400 kbit/s each way. */
  const slow3G = { roundTripMs: 400, bytesPerMs: 50 };
  /** What the network carries before the first dish can be read: the bytes, and how many answers had to wait for another. */
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
    const answers = (await loaded.jsonValue()) ?? [];
    let roundTrips = 0;
    let lastEnd = 0;
    for (const { startTime, responseEnd } of answers.toSorted((one, other) => one.responseEnd - other.responseEnd))
      if (startTime >= lastEnd) {
        roundTrips++;
        lastEnd = responseEnd;
      }
    return { bytes: answers.reduce((sum, { transferSize }) => sum + transferSize, 0), roundTrips };
  }
  test('needs less than 2 s of slow 3G until the first dish', async () => {
    const { bytes, roundTrips } = await loadOnSlow3G();
    expect(bytes).toBeGreaterThan(20_000);
    expect(roundTrips).toBeGreaterThan(0);
    expect(roundTrips * slow3G.roundTripMs + bytes / slow3G.bytesPerMs).toBeLessThan(2000);
  });
  test('has pictures of at most 4 KB for the twelve dishes of the demo', async () => {
    const dishes = (await app.manager('GET', '/menu')).body as { image_url: string | null; category: string | null }[];
    expect(dishes).toHaveLength(12);
    const sizes = await Promise.all(
      dishes.map(async ({ image_url: path }) => (await fetch(app.url + path)).arrayBuffer()),
    );
    expect(sizes.filter(({ byteLength }) => byteLength === 0 || byteLength > 4096)).toEqual([]);
    expect(readdirSync(join(app.folder, 'dishes'))).toHaveLength(12);
  });
});
