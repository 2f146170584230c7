import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import { bump, isLive, isNotLive, signIn, statusIs, ticketOf } from './support/board-page.ts';
import { startKitchenApp, waiter, type KitchenApp } from './support/kitchen-app.ts';
import { press, says } from './support/page.ts';

let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('kitchen-wall');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

/** A board at work, at an address from which a browser keeps an app on the device. */
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
/** From now on the server has another build. */
async function release(page: Page, build: string): Promise<void> {
  const own = await page.evaluate(() => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? '');
  for (const path of ['/kitchen', '/kitchen/config.json'])
    await page.route(app.stack.gatewayUrl + path, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(own, build) });
    });
}
/** As when somebody looks at the screen again. */
const lookAtServer = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
const mark = (page: Page): Promise<void> => page.evaluate(() => void Object.assign(globalThis, { isMarked: true }));
const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => 'isMarked' in globalThis);
const newVersion = /^This screen has a new version since \d\d:\d\d/;
const kept = (page: Page): Promise<string> =>
  page.evaluate(
    () => Object.entries(localStorage).find(([key]) => key.startsWith('comanda.kitchen.orders.'))?.[1] ?? '',
  );

describe('a wall without a network', () => {
  test('when it is opened, then it has the tickets that it knew and says how old they are, and bumps are kept and sent', async () => {
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
    await says(page, /The tickets are those of \d\d:\d\d:\d\d/);
    await app.shoot(page, 'opened-offline');
    await bump(page, order);
    await says(page, '1 bump kept');
    await setOffline(page, false);
    await isLive(page);
    await statusIs(app, order, 'preparing');
    await page.getByText(/The tickets are those of/).waitFor({ state: 'detached' });
  }, 90_000);
  test('when somebody signs out, then no ticket stays on the device', async () => {
    const page = await startWall();
    const order = await app.place('2', ['Feijoada']);
    await until(async () => (await kept(page)).includes(`"id":${order.id},`), { what: 'the kept ticket' });
    await press(page, 'Menu');
    await page.getByRole('button', { name: /^Sign out/ }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    expect(await kept(page)).toBe('');
  });
});

describe('a new release', () => {
  test('when tickets stand, then it waits until the board is empty, is taken then, and the screen says so', async () => {
    const page = await startWall();
    const order = await app.place('1', ['Feijoada']);
    await ticketOf(page, order).waitFor();
    await release(page, 'another-build');
    await mark(page);
    await lookAtServer(page);
    await press(page, 'Menu');
    await page.getByRole('button', { name: 'Load the new version' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await isMarked(page)).toBe(true);
    await app.setOrder(order.id, 'cancelled');
    await press(page, `Clear ticket ${order.ticket}`);
    await says(page, newVersion);
    expect(await isMarked(page)).toBe(false);
    await app.shoot(page, 'new-version');
    await isLive(page);
    await page.keyboard.press('Escape');
    await page.getByText(newVersion).waitFor({ state: 'detached' });
  }, 60_000);
  test('when tickets stand until 4 in the morning, then it is taken then, and the tickets are back', async () => {
    const page = await startWall();
    const order = await app.place('1', ['Feijoada']);
    await ticketOf(page, order).waitFor();
    await release(page, 'another-build');
    await mark(page);
    await lookAtServer(page);
    await press(page, 'Menu');
    await page.getByRole('button', { name: 'Load the new version' }).waitFor();
    const night = new Date();
    night.setDate(night.getDate() + 1);
    night.setHours(4, 0, 5, 0);
    await page.clock.setSystemTime(night);
    await says(page, newVersion);
    expect(await isMarked(page)).toBe(false);
    await ticketOf(page, order).waitFor();
  }, 60_000);
  test('when a part of the old one is gone, then it is taken at once, and what was asked for opens', async () => {
    const { page, context } = await app.newScreen({});
    expectErrors(page, /status of 404/);
    let isGone = true;
    await context.route('**/assets/drawers-*.js', (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.fallback(),
    );
    await startAt(page);
    const order = await app.place('1', ['Feijoada']);
    await ticketOf(page, order).waitFor();
    await release(page, 'another-build');
    // The new page finds its parts.
    page.on('request', (request) => (isGone &&= !request.isNavigationRequest()));
    await press(page, 'Recall');
    await says(page, newVersion);
    await press(page, 'Recall');
    await page.getByRole('complementary', { name: 'Recall' }).waitFor();
  }, 60_000);
  test('when the server has the new settings only, then the screen is not loaded again', async () => {
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
