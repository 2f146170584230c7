import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { nextTimeOfDay } from '@comanda/contracts/restaurant-clock';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import { bump, isLive, isNotLive, signIn, statusIs, ticketOf } from './support/board-page.ts';
import { startStaffApp, waiter, type StaffApp } from './support/staff-app.ts';
import { press, says } from './support/page.ts';

let app: StaffApp;
beforeAll(async () => {
  app = await startStaffApp('kitchen-wall');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

/** Opens a board during a shift, at an address where the browser may store the app on the device. */
async function startWall(options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await app.newScreen({ viewport: { width: 1_280, height: 800 }, ...options });
  await startAt(page);
  return page;
}
async function startAt(page: Page): Promise<void> {
  await page.goto(`${app.stack.gatewayUrl}/kitchen#/board`);
  await signIn(page, waiter);
  await press(page, 'Start shift');
  await isLive(page);
}
/** Makes the server deliver this build from now on. */
async function release(page: Page, build: string): Promise<void> {
  // Chromium can't tell the address space of a document from a Playwright route, and would block its WebSocket to this machine.
  await page.context().grantPermissions(['local-network-access']);
  for (const path of ['/kitchen', '/kitchen/config.json'])
    await page.route(app.stack.gatewayUrl + path, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replace(/(<meta name="build" content="|"build":")[^"]*/, (_match, before: string) => before + build),
      });
    });
}
/** Makes the page visible again, so that it checks for a new release. It may already be loading one. */
async function lookAtServer(page: Page): Promise<void> {
  try {
    await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  } catch (error) {
    if (!String(error).includes('Execution context was destroyed')) throw error;
  }
}
const mark = (page: Page): Promise<void> => page.evaluate(() => void Object.assign(globalThis, { isMarked: true }));
const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => 'isMarked' in globalThis);
const newVersion = /^This screen was updated at \d\d:\d\d/;
const kept = (page: Page): Promise<string> =>
  page.evaluate(
    () => Object.entries(localStorage).find(([key]) => key.startsWith('comanda.kitchen.orders.'))?.[1] ?? '',
  );

describe('a wall screen without a network', () => {
  test('shows the stored tickets with their age', async () => {
    const page = await startWall({ serviceWorkers: 'allow' });
    const order = await app.place('1', [{ name: 'Feijoada', remarks: 'sem cebola' }]);
    await ticketOf(page, order).waitFor();
    await until(async () => (await kept(page)).includes(`"id":${order.id},`), { what: 'the kept ticket' });
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const isControlled = (): boolean => navigator.serviceWorker.controller !== null;
      if (!isControlled())
        await new Promise((resolve) => {
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        });
    });
    expectErrors(page, /net::ERR_(INTERNET_DISCONNECTED|FAILED)/, /^WebSocket connection/);
    await setOffline(page, true);
    await page.reload();
    await ticketOf(page, order).getByText('sem cebola').waitFor();
    await isNotLive(page);
    await says(page, /Tickets as of \d\d:\d\d:\d\d/);
    await app.shoot(page, 'opened-offline');
    await bump(page, order);
    await says(page, '1 bump not sent');
    await setOffline(page, false);
    await isLive(page);
    await statusIs(app, order, 'preparing');
    await page.getByText(/Tickets as of/).waitFor({ state: 'detached' });
  });
  test('removes all tickets from the device after a sign-out', async () => {
    const page = await startWall();
    const order = await app.place('2', ['Feijoada']);
    await until(async () => (await kept(page)).includes(`"id":${order.id},`), { what: 'the kept ticket' });
    await press(page, 'Menu');
    await page.getByRole('button', { name: /^Sign out/ }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    expect(await kept(page)).toBe('');
  });
});

describe('a wall screen with the newest release', () => {
  test("stays loaded if only the server's settings have changed", async () => {
    const page = await startWall();
    await page.route('**/kitchen/config.json', (route) =>
      route.fulfill({ json: { build: 'another-build', notifier_url: '' } }),
    );
    await mark(page);
    const asked = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/kitchen');
    await lookAtServer(page);
    await (await asked).finished();
    await press(page, 'Menu');
    await page.getByRole('button', { name: 'Load the new version' }).waitFor();
    expect(await isMarked(page)).toBe(true);
  });
});

/** Returns a time just after 4 a.m. at the restaurant, after this many nights. */
const nightIn = (days: number): number =>
  nextTimeOfDay('04:00', Date.now() + (days - 1) * 86_400_000, 'America/Sao_Paulo') + 5_000;
const buildOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content);

test('a wall screen is up to date after a night without a network', async () => {
  const page = await startWall();
  expectErrors(
    page,
    /net::ERR_(INTERNET_DISCONNECTED|FAILED)/,
    /^WebSocket connection/,
    /status of 401 .*\/auth\/refresh$/,
  );
  const stays = await app.place('1', [{ name: 'Feijoada', remarks: 'sem cebola' }], 'amendoim');
  const bumped = await app.place('2', ['Feijoada']);
  const taken = await app.place('3', ['Feijoada']);
  for (const order of [stays, bumped, taken]) await ticketOf(page, order).waitFor();

  // The first release is published during the first night, while tickets are open. They are shown again after the reload.
  await release(page, 'second-build');
  await lookAtServer(page);
  await press(page, 'Menu');
  await page.getByRole('button', { name: 'Load the new version' }).waitFor();
  await page.keyboard.press('Escape');
  await page.clock.setSystemTime(nightIn(1));
  await says(page, newVersion);
  expect(await buildOf(page)).toBe('second-build');
  await isLive(page);
  for (const order of [stays, bumped, taken]) await ticketOf(page, order).waitFor();

  // During the second night, the network fails. Another release is published and the session ends, but this screen can't know
  // that.
  await mark(page);
  await release(page, 'third-build');
  await setOffline(page, true);
  await isNotLive(page);
  await bump(page, bumped);
  await says(page, '1 bump not sent');
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.kitchen.session@')) ?? '';
    const session = JSON.parse(localStorage.getItem(key) ?? '') as object;
    localStorage.setItem(key, JSON.stringify({ ...session, until: 0, refresh: 'revoked' }));
  });
  await app.setOrder(taken.id, 'cancelled');
  const late = await app.place('4', ['Pudim de leite']);
  await page.clock.setSystemTime(nightIn(2));
  await lookAtServer(page);
  await ticketOf(page, stays).getByText('sem cebola').waitFor();
  await ticketOf(page, stays).getByText('amendoim').waitFor();
  expect([await isMarked(page), await buildOf(page)]).toEqual([true, 'second-build']);

  // In the morning, the network is back. The tickets stay dimmed until a waiter signs in.
  await setOffline(page, false);
  await page
    .getByRole('alert')
    .getByText(/^You were signed out at /)
    .waitFor({ timeout: 30_000 });
  expect(await page.locator('.app-ended[inert] .ticket').filter({ hasText: 'sem cebola' }).count()).toBe(1);
  await app.shoot(page, 'morning');
  await signIn(page, waiter);
  await isLive(page);
  await ticketOf(page, late).waitFor();
  await ticketOf(page, stays).getByText('amendoim').waitFor();
  await statusIs(app, bumped, 'preparing');
  await ticketOf(page, taken).getByText('CANCELLED').waitFor();
  await press(page, `Clear ticket ${taken.ticket}`);

  // The page loads the second release as soon as there is no open ticket.
  for (const order of [stays, bumped, late]) {
    await app.setOrder(order.id, 'cancelled');
    await press(page, `Clear ticket ${order.ticket}`);
    await ticketOf(page, order).waitFor({ state: 'detached' });
  }
  await lookAtServer(page);
  await says(page, newVersion);
  expect([await isMarked(page), await buildOf(page)]).toEqual([false, 'third-build']);
  await isLive(page);
});
