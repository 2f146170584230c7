import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { expectErrors } from '@comanda/testing/browser';
import { asOldestRead, makeOldest } from '@comanda/testing/oldest-browser';
import { overflowOf } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { startWebApp } from '@comanda/testing/web-app';
import type { Page } from 'playwright-core';

let app: Awaited<ReturnType<typeof startWebApp>>;
beforeAll(async () => {
  app = await startWebApp({ app: 'guest', name: 'oldest-browsers' });
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const phone = { width: 390, height: 844 };
async function open(path: string, viewport = phone): Promise<Page> {
  const { context, page } = await app.newScreen({ viewport });
  await makeOldest(context);
  await page.goto(app.stack.gatewayUrl + path);
  return page;
}
/** Waits until the page shows this text, and checks that the page does not scroll sideways. */
async function sees(page: Page, name: string, text: string | RegExp): Promise<void> {
  await page.getByText(text).locator('visible=true').first().waitFor();
  await app.shoot(page, name);
  expect([name, await overflowOf(page)]).toEqual([name, 0]);
}
async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.keyboard.press('Enter');
}

test('guests, cooks, waiters and managers can work in the oldest supported browsers', async () => {
  const { body: table } = await app.manager('PUT', '/tables/21');
  const guest = await open(`/${new URL((table as { url: string }).url).search}`);
  expect(await guest.evaluate(() => 'toSorted' in [] || 'any' in AbortSignal || 'groupBy' in Map)).toBe(false);
  await sees(guest, 'menu', 'Feijoada');
  expect(await guest.locator('.not-started').count()).toBe(0);
  await guest.getByRole('button', { name: 'Add Feijoada', exact: true }).click();
  await guest.getByRole('button', { name: /^Basket, / }).click();
  await sees(guest, 'review', 'Send to kitchen');
  const board = await open('/kitchen#/board', { width: 1280, height: 800 });
  await signIn(board, publicSignIns.waiter);
  await sees(board, 'shift-start', 'Start shift');
  expect(await board.locator('.not-started').count()).toBe(0);
  await board.locator('button.shift-start').click();
  await sees(board, 'board-empty', 'No open orders.');

  await guest.getByRole('button', { name: 'Send to kitchen' }).click();

  await guest.getByRole('article', { name: /^Order / }).waitFor();
  const ticket = board.getByRole('article', { name: /^Table 21, / });
  await ticket.waitFor();
  await sees(board, 'board', 'Feijoada');
  await sees(guest, 'orders', /On the kitchen screen/);
  for (const said of ['preparing', 'ready']) {
    await board.getByRole('button', { name: /^Bump, / }).click();
    await guest.getByText(said, { exact: true }).waitFor();
    await board.waitForTimeout(450); // An earlier tap would be the second half of a double tap.
  }

  const waiter = await open('/kitchen#/waiter/ready');
  await signIn(waiter, publicSignIns.waiter);
  await sees(waiter, 'waiter-ready', 'Feijoada');
  await waiter.locator('.waiter-served').click();
  await guest.getByText('served', { exact: true }).waitFor();
  for (const page of ['tables', 'tables/21', 'order', 'order/21']) {
    await waiter.goto(`${app.stack.gatewayUrl}/kitchen#/waiter/${page}`);
    await sees(waiter, `waiter-${page.replace('/', '-')}`, '21');
  }
  await waiter.goto(`${app.stack.gatewayUrl}/kitchen#/waiter/tables/21`);
  await waiter.getByRole('link', { name: /bill/i }).first().click();
  await sees(waiter, 'waiter-bill', /62\.00/);
  await guest.getByRole('link', { name: /bill/i }).first().click();
  await sees(guest, 'bill', /62\.00/);

  const manager = await open('/kitchen#/manager/menu', { width: 1024, height: 768 });
  await signIn(manager, publicSignIns.manager);
  await sees(manager, 'manager-menu', 'Feijoada');
  for (const [page, text] of [
    ['today', /Today/],
    ['screens', /Screens/],
    ['ordering', /order/i],
    ['tables', '21'],
  ] as const) {
    await manager.goto(`${app.stack.gatewayUrl}/kitchen#/manager/${page}`);
    await sees(manager, `manager-${page}`, text);
  }
  await until(async () => (await manager.title()) !== '', { what: 'a title' });
});

const failures = [
  { what: 'script is newer than the browser', body: 'const { = newer' },
  { what: 'start throws', body: 'throw new Error("start")' },
  { what: 'start throws later', body: 'await 0; throw new Error("start")' },
  { what: 'script cannot be loaded', body: null },
];
const ofApps = /\/assets\/(app|index)-.*\.js$/;
test.each(['/', '/kitchen'].flatMap((path) => failures.map((each) => ({ path, ...each }))))(
  "a page explains in both languages why it couldn't start if its $what: $path",
  async ({ path, body }) => {
    const { page } = await app.newScreen({ viewport: phone });
    expectErrors(page, /SyntaxError/, /Error: start/, /net::ERR_FAILED/);
    await page.route(ofApps, (route) =>
      body === null ? route.abort() : route.fulfill({ contentType: 'text/javascript', body }),
    );
    await page.goto(app.stack.gatewayUrl + path);

    await page.getByRole('heading', { name: 'Comanda hasn’t started' }).waitFor();

    await page.getByRole('heading', { name: 'O Comanda não iniciou' }).waitFor();
    await app.shoot(page, `not-started-${path.slice(1)}`);
    const said = await page.getByRole('heading').allInnerTexts();
    expect([said.length, await overflowOf(page)]).toEqual([2, 0]);
    await page.unroute(ofApps);
    await page.getByRole('link', { name: 'Recarregar' }).click();
    await page.locator('.not-started').waitFor({ state: 'detached' });
  },
);

test.each(['/', '/kitchen'])('a slow page says after 5 s that it is still loading: %s', async (path) => {
  const { page } = await app.newScreen({ viewport: phone });
  const script = Promise.withResolvers<void>();
  await page.route(ofApps, (route) => script.promise.then(() => route.fallback()));
  await page.goto(app.stack.gatewayUrl + path, { waitUntil: 'commit' });
  const notice = page.getByRole('status').filter({ hasText: 'Still loading…' });
  await page.locator('.not-started').waitFor({ state: 'attached' });
  // Sets the page's time, because a slow machine may need more than 5 s to get here.
  const delays = await page.evaluate(() =>
    document.getAnimations().map((each) => {
      each.pause();
      each.currentTime = 4_999;
      return each.effect?.getTiming().delay;
    }),
  );
  const before = await notice.count();
  await page.evaluate(() => document.getAnimations().forEach((each) => each.finish()));
  await notice.waitFor();
  await app.shoot(page, `slow-${path.slice(1)}`);
  const said = await page.getByRole('heading').allInnerTexts();
  script.resolve();
  await page.locator('.not-started').waitFor({ state: 'detached' });

  expect([before, delays, said]).toEqual([0, [5_000], ['Still loading…', 'Ainda carregando…']]);
});

test('a page without JavaScript explains that it needs JavaScript', async () => {
  const { page } = await app.newScreen({ viewport: phone, javaScriptEnabled: false });
  await page.goto(app.stack.gatewayUrl);
  await page.getByRole('heading', { name: 'JavaScript is off' }).waitFor();
  await app.shoot(page, 'no-script');
  expect(await page.getByRole('heading').allInnerTexts()).toEqual([
    'JavaScript is off',
    'O JavaScript está desativado',
  ]);
});

test('no script in the apps has a regular expression that needs Safari 16.4', () => {
  const { folder } = app;
  for (const each of [folder, join(folder, '../staff')])
    for (const file of readdirSync(join(each, 'assets')).filter((name) => name.endsWith('.js')))
      expect([file, /\(\?<[=!]/.test(readFileSync(join(each, 'assets', file), 'utf8'))]).toEqual([file, false]);
});

const root = join(import.meta.dirname, '..');
/** Matches the comment in which a style sheet lists newer CSS features that its pages can do without. */
const named = /\/\* Not supported by the oldest browsers, which work without: ([^*]+)\. \*\//;
test.each(
  ['apps/staff/src', 'apps/guest/src', 'packages/ui/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.css'))
      .map((file) => join(folder, file)),
  ),
)('%s lists all newer CSS features that it uses', (file) => {
  const css = readFileSync(join(root, file), 'utf8');
  const found = new Set<string>();
  asOldestRead(css.replaceAll(/\/\*.*?\*\//gs, ''), (name) => found.add(name));
  expect([...(named.exec(css)?.[1]?.split(', ') ?? [])].toSorted()).toEqual([...found].toSorted());
});
