import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { startKitchenApp, type KitchenApp } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';
import { press, reachable, says } from './support/page.ts';

/** Where it is between midnight and one in the morning now. */
const hour = new Date().getUTCHours();
const timeZone = hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`;
let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('time-zone', { TIME_ZONE: timeZone });
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const timeThere = (at: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));

test('when a pause "until 21:30" is typed on a device in another time zone, then it ends at 21:30 of the restaurant, on all screens', async () => {
  const { page } = await openManager(app, 'ordering', { timezoneId: 'America/New_York' });
  await says(page, 'Guests can order.');
  await page.getByLabel('Or until').fill('21:30');
  await press(page, /^Pause orders(: .+, 21:30)?$/);
  await says(page, /^Paused until (.+, )?21:30\.$/);
  const { paused_until: until } = (await app.manager('GET', '/ordering')).body;
  expect(timeThere(until)).toBe('21:30');
  expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);

  const guest = await app.newScreen({ timezoneId: 'Asia/Tokyo' });
  await guest.page.goto(app.url);
  await says(guest.page, /until (.+, )?21:30/);
  await press(page, 'Resume now');
});

test('when midnight has passed, then the takings of the evening stay on the page, and nothing is said before they were read', async () => {
  const { bill_id: bill, total } = await app.place('1', ['Feijoada']);
  const body = { method: 'cash', part: { rest: true }, expected_amount: total };
  created(await app.manager('POST', `/bills/${bill}/payments`, { body }));

  const { page, goTo } = await openManager(app, 'ordering', { timezoneId: timeZone });
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === '/bills',
    async (route) => {
      const response = await route.fetch({ url: reachable(route.request().url()) });
      const text = await response.text();
      await promise;
      // Paid before midnight.
      const settledAt = new Date(Date.now() - 90 * 60_000).toISOString();
      return route.fulfill({ response, body: text.replaceAll(/"settled_at":"[^"]+"/g, `"settled_at":"${settledAt}"`) });
    },
  );
  await goTo('evening');
  await says(page, 'Taken since 04:00');
  await page.getByText('Reading…').nth(1).waitFor();
  expect(await page.getByText(/open bill|is open|Nothing was taken/).count()).toBe(0);
  answer();
  await says(page, '1 open bill');
  expect(await page.getByRole('term').textContent()).toBe('Cash');
  expect(await page.getByRole('definition').first().textContent()).toMatch(/^R\$.62\.00$/);
});

test("when a device is set to another time zone, then the start of a shift says which, and shows the restaurant's time", async () => {
  const { page } = await app.open({ timezoneId: 'Asia/Tokyo' });
  await says(page, 'This device is set to another time zone (Asia/Tokyo)');
  await press(page, /^Start shift/);
  expect((await page.locator('.board-clock').textContent())?.slice(0, 2)).toBe(
    timeThere(new Date().toISOString()).slice(0, 2),
  );
  const right = await app.open({ timezoneId: timeZone });
  await says(right.page, 'The clock is right');
  expect(await right.page.getByText('another time zone').count()).toBe(0);
});
