import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startKitchenApp, type KitchenApp } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';
import { press, says } from './support/page.ts';

let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('time-zone');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const timeIn = (timeZone: string, at: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));

test('when a pause "until 21:30" is typed on a device in New York, then it ends at 21:30 of the restaurant, on all screens', async () => {
  const { page } = await openManager(app, 'ordering', { timezoneId: 'America/New_York' });
  await says(page, 'Guests can order.');
  await page.getByLabel('Or until').fill('21:30');
  await press(page, /^Pause orders(: .+, 21:30)?$/);
  await says(page, /^Paused until (.+, )?21:30\.$/);
  const { paused_until: until } = (await app.manager('GET', '/ordering')).body;
  expect(timeIn('America/Sao_Paulo', until)).toBe('21:30');
  expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);

  const guest = await app.newScreen({ timezoneId: 'Asia/Tokyo' });
  await guest.page.goto(app.url);
  await says(guest.page, /until (.+, )?21:30/);
  await press(page, 'Resume now');
});
