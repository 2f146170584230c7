import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { perService, stackSettings } from '@comanda/local-stack/stack-settings';
import { watchErrors } from '@comanda/testing/browser';
import { builtApps } from '@comanda/testing/built-apps';
import { caller, type Call } from '@comanda/testing/call';
import { startDevices, type Devices } from '@comanda/testing/devices';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { seedStack } from '@comanda/testing/seed-stack';
import { startServiceHere } from '@comanda/testing/service-here';
import type { RunningService } from '@comanda/testing/service-process';
import { startStack, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { testSecrets } from '@comanda/testing/test-secrets';
import type { BrowserContext, Page } from 'playwright-core';

const { waiter } = publicSignIns;
let servers: IsolatedServers;
let stack: Stack;
let manager: Call;
let devices: Devices;

// On a machine without a browser, the first test run downloads one.
beforeAll(async () => {
  devices = await startDevices();
}, 300_000);
beforeAll(async () => {
  servers = await isolatedServers('staff-host');
  stack = await startStack(servers, { ...withoutLimits, ...(await builtApps()) });
  await seedStack(stack);
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
}, 300_000);
afterEach(() => devices.closeDevices());
afterAll(async () => {
  await devices?.close();
  await stack?.close();
});

/** Opens a device in English without animations. Its tabs share their storage. */
async function newDevice(): Promise<BrowserContext> {
  const context = await devices.newDevice({
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
  });
  watchErrors(context);
  return context;
}
async function openTab(device: BrowserContext, url: string): Promise<Page> {
  const page = await device.newPage();
  await page.goto(url);
  return page;
}
/** Returns the text in a table's QR code. */
async function codeOf(table: string): Promise<string> {
  const { body } = await manager('PUT', `/tables/${table}`);
  return new URL((body as { url: string }).url).search;
}
/** Waits until the page shows this table's menu, as on a guest's phone. */
const seesTable = (page: Page, table: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: table }).waitFor();
async function order(page: Page, dish: string): Promise<void> {
  await page.getByRole('button', { name: `Add ${dish}`, exact: true }).click();
  await page.getByRole('button', { name: /^Basket, / }).click();
  await page.getByRole('button', { name: 'Send to kitchen' }).click();
  await page.getByRole('article', { name: /^Order / }).waitFor();
}
async function signIn(page: Page): Promise<void> {
  await page.locator('input[type=email]').fill(waiter.email);
  await page.locator('input[type=password]').fill(waiter.password);
  await page.keyboard.press('Enter');
  await isSignedIn(page);
}
const isSignedIn = (page: Page): Promise<void> => page.locator('button.shift-start').waitFor();
const isSignedOut = (page: Page): Promise<void> => page.locator('input[type=email]').waitFor();
async function startShift(page: Page): Promise<void> {
  await page.locator('button.shift-start').click();
  await page.locator('.board').waitFor();
}
/** Waits until the board on the page shows a ticket for this table with this dish. */
const ticketOf = (page: Page, table: string, dish: string): Promise<void> =>
  page.locator('.ticket').filter({ hasText: table }).filter({ hasText: dish }).waitFor();
/** Returns the names of the apps that have stored a session for the page's origin. */
const sessionsAt = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.includes('session@'))
      .map((key) => key.split('@')[0] ?? '')
      .toSorted(),
  );

describe('on one device with a single address', () => {
  test('guests and staff have separate sessions', async () => {
    const [device, code] = await Promise.all([newDevice(), codeOf('one-1')]);
    const guest = await openTab(device, `${stack.gatewayUrl}/${code}`);
    await seesTable(guest, 'one-1');
    const kitchen = await openTab(device, `${stack.gatewayUrl}/kitchen#/board`);
    await signIn(kitchen);
    await startShift(kitchen);

    await order(guest, 'Feijoada');
    await ticketOf(kitchen, 'one-1', 'Feijoada');
    await Promise.all([guest.reload(), kitchen.reload()]);

    await guest.getByRole('article', { name: /^Order / }).waitFor();
    await ticketOf(kitchen, 'one-1', 'Feijoada');
    expect(await sessionsAt(guest)).toEqual(['comanda.kitchen.session', 'comanda.table.session']);
    await kitchen.getByRole('button', { name: 'Menu' }).click();
    await kitchen.getByRole('button', { name: /^Sign out/ }).click();
    await isSignedOut(kitchen);
    await guest.reload();
    await guest.getByRole('article', { name: /^Order / }).waitFor();
  });

  /** Stores a session as the previous release did: it stored one session for both apps. */
  async function storeShared(device: BrowserContext, pair: Record<string, unknown>): Promise<void> {
    const page = await openTab(device, `${stack.gatewayUrl}/problems/not_found`);
    const { access_token: access, refresh_token: refresh } = pair;
    await page.evaluate(
      (session) => localStorage.setItem(`comanda.session@${location.origin}`, JSON.stringify(session)),
      { access, refresh, until: 0 }, // The expired token makes the app refresh the session too.
    );
    await page.close();
  }

  test('a staff screen stays signed in after the update', async () => {
    const [device, code] = await Promise.all([newDevice(), codeOf('one-2')]);
    const { body } = await stack.call('POST', '/auth/login', { body: { ...waiter } });
    await storeShared(device, body as Record<string, unknown>);

    const guest = await openTab(device, `${stack.gatewayUrl}/`);
    await guest.getByRole('article').first().waitFor();
    const kitchen = await openTab(device, `${stack.gatewayUrl}/kitchen#/board`);
    await isSignedIn(kitchen);
    await startShift(kitchen);

    expect(await sessionsAt(guest)).toEqual(['comanda.kitchen.session']);
    await guest.goto(`${stack.gatewayUrl}/${code}`);
    await seesTable(guest, 'one-2');
    await order(guest, 'Feijoada');
    await ticketOf(kitchen, 'one-2', 'Feijoada');
  });

  test('a phone stays at its table as the same guest after the update', async () => {
    const [device, code] = await Promise.all([newDevice(), codeOf('one-3')]);
    const tableToken = new URLSearchParams(code).get('t');
    const { body } = await stack.call('POST', '/auth/guest', { body: { table_token: tableToken } });
    await storeShared(device, body as Record<string, unknown>);

    const kitchen = await openTab(device, `${stack.gatewayUrl}/kitchen#/board`);
    await isSignedOut(kitchen);
    const guest = await openTab(device, `${stack.gatewayUrl}/`);
    await seesTable(guest, 'one-3');
    await order(guest, 'Feijoada');

    expect(await sessionsAt(guest)).toEqual(['comanda.table.session']);
    await kitchen.reload();
    await isSignedOut(kitchen);
  });
});

describe('with separate hosts for guests and staff', () => {
  let gateway: RunningService;
  let notifier: RunningService;
  let guestsUrl: string;
  let staffUrl: string;
  /** Starts another gateway and notifier with the setting STAFF_URL, which use the same services. */
  beforeAll(async () => {
    const [gatewayPort, notifierPort] = await Promise.all([freePort(), freePort()]);
    guestsUrl = `http://127.0.0.1:${gatewayPort}`;
    staffUrl = `http://staff.test:${gatewayPort}`;
    const notifierUrl = `http://127.0.0.1:${notifierPort}`;
    const settings = stackSettings({
      urls: { ...perService((name) => stack.services[name].url), gateway: guestsUrl, notifier: notifierUrl },
      publicUrls: { gateway: guestsUrl, notifier: notifierUrl, staff: staffUrl },
      servers,
      secrets: testSecrets(),
    });
    notifier = await startServiceHere('notifier', { env: settings.notifier });
    gateway = await startServiceHere('gateway', {
      env: { ...settings.gateway, ...withoutLimits, ...(await builtApps()) },
    });
    await Promise.all([notifier.ready(), gateway.ready()]);
  });
  afterAll(async () => {
    await gateway?.close();
    await notifier?.close();
  });

  test('an order from one host appears live in the kitchen on the other', async () => {
    const [device, code] = await Promise.all([newDevice(), codeOf('two-1')]);
    const kitchen = await device.newPage();
    const feeds: string[] = [];
    kitchen.on('websocket', (socket) => feeds.push(new URL(socket.url()).host));
    await kitchen.goto(`${guestsUrl}/kitchen#/board`);
    expect(kitchen.url()).toBe(`${staffUrl}/kitchen#/board`);
    await signIn(kitchen);
    await startShift(kitchen);
    await kitchen.getByText('Live', { exact: true }).waitFor();
    expect(feeds).toEqual([new URL(notifier.url).host]);

    const guest = await openTab(device, `${staffUrl}/${code}`);
    await seesTable(guest, 'two-1');
    expect(new URL(guest.url()).origin).toBe(guestsUrl);
    await order(guest, 'Feijoada');

    await ticketOf(kitchen, 'two-1', 'Feijoada');
    expect([await sessionsAt(guest), await sessionsAt(kitchen)]).toEqual([
      ['comanda.table.session'],
      ['comanda.kitchen.session'],
    ]);
    const atStart = await openTab(device, staffUrl);
    expect(atStart.url()).toBe(`${staffUrl}/kitchen`);
    await isSignedIn(atStart);
  });
});
