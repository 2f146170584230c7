import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { brokenWordsOf, checkScreens } from '@comanda/testing/page-checks';
import { guestOn } from './support/guest.ts';
import { startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-longest-values');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const longWord = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesschnitzel';
const looks = {
  'at-195': { viewport: { width: 195, height: 422 } },
  phone: { viewport: { width: 390, height: 844 } },
  tablet: { viewport: { width: 768, height: 1024 } },
} as const;

test('when a table, a dish and its remark are as long as they may be, then no page is wider than its screen, also at 200 %', async () => {
  const table = 'Varanda-Norte-12';
  const { body } = await app.manager('PUT', `/tables/${table}`);
  const scanned = new URL((body as { url: string }).url).search;
  const dish = {
    name: longWord,
    description: `${longWord}.`,
    price: '99999.99',
    position: 0,
    category: longWord.slice(0, 64),
  };
  await app.manager('POST', '/menu', { body: dish });
  const phone = await app.phone(looks['at-195']);
  const { page } = phone;
  const guest = guestOn(app, phone, { table, scanned });
  await page.goto(`${app.url}/${scanned}`);
  await page.getByRole('link', { name: longWord }).waitFor();
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'longest' });
  await check('menu');
  // Of the name of the table nothing is cut.
  const title = page.getByRole('heading', { level: 1 });
  await page.setViewportSize(looks.phone.viewport);
  expect(await title.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2);
  await page.setViewportSize(looks['at-195'].viewport);
  await page.getByRole('link', { name: longWord }).click();
  await page.getByRole('textbox', { name: 'Remarks' }).fill(longWord.repeat(2).slice(0, 140));
  await guest.allergies.fill('peanuts,\nand milk');
  expect(await guest.allergies.inputValue()).toBe('peanuts, and milk');
  await check('dish');
  // The amount on the button too.
  expect((await brokenWordsOf(page)).filter((word) => /\d/.test(word))).toEqual([]);
  await guest.button(/^Add Rindfleisch/).click();
  await guest.openReview();
  await check('review');
  await guest.send();
  await guest.orderCard().waitFor();
  await check('orders');
  await page.getByRole('link', { name: /^Bill, / }).click();
  await page.locator('.bill-line').waitFor();
  await check('bill');
  await guest.button(/^Pay, /).click();
  for (const way of ['Split equally', 'Only mine']) {
    await guest.button(way).click();
    await check(way);
  }
  expect(found).toEqual([]);
}, 120_000);
