import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { dishCard, seatGuest } from './support/guest.ts';
import { startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-offline');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

test('when the app is opened without a network, then it has the menu that it knew, and says how old it is', async () => {
  const { page, sees } = await seatGuest(app, { serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  expectErrors(page, /net::ERR_(INTERNET_DISCONNECTED|FAILED)/, /^WebSocket connection/);
  await setOffline(page, true);
  await page.reload();
  await dishCard(page, 'Feijoada').waitFor();
  await sees(/^No connection\. This is the menu of \d\d:\d\d/);
  await app.shoot(page, 'opened-offline');
  // What is loaded later is on the phone too.
  await page.getByRole('button', { name: 'Add Feijoada', exact: true }).click();
  await page.getByRole('button', { name: /^Basket, 1 item/ }).click();
  await page.getByRole('button', { name: 'Send to kitchen' }).waitFor();
  await setOffline(page, false);
  await page.goBack();
  await page.getByText(/^No connection/).waitFor({ state: 'detached' });
});

test('a part that could not be loaded is opened by “Try again” once it can be', async () => {
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

test('when a part of the old release is gone, then the page takes the new one, and opens what was asked for', async () => {
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
  await page.getByText(/^This screen has a new version since \d\d:\d\d/).waitFor();
  await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
});

test.each([
  ['/kitchen', []],
  ['/', ['manifest-display-not-supported']], // on the Home Screen it opens in the browser, where the scanned table is known
])('when %s is opened, then the browser finds all that the Home Screen needs', async (path, wanted) => {
  const { page, context } = await app.phone({ serviceWorkers: 'allow' });
  await page.goto(app.stack.gatewayUrl + path);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const devtools = await context.newCDPSession(page);
  const { errors } = await devtools.send('Page.getAppManifest');
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  const known = new Set(['in-incognito', ...wanted]); // as each context of a test is
  expect([errors, installabilityErrors.filter(({ errorId }) => !known.has(errorId))]).toEqual([[], []]);
});
