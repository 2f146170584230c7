import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { brokenWordsOf, checkScreens, misfitsOf, textsOutsideOf } from '@comanda/testing/page-checks';
import { pin } from '@comanda/testing/step-up-calls';
import { newCustomer, signedIn } from './support/customer.ts';
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
  small: { viewport: { width: 320, height: 640 } },
  phone: { viewport: { width: 390, height: 844 } },
  tablet: { viewport: { width: 768, height: 1024 } },
  desk: { viewport: { width: 1280, height: 800 } },
} as const;
const measure = async (page: Page): Promise<string[]> => [
  ...(await misfitsOf(page)),
  ...(await textsOutsideOf(page)),
  // The amounts on buttons too.
  ...(await brokenWordsOf(page)).filter((word) => /\d/.test(word)),
];

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
    allergens: ['peanuts'],
  };
  await app.manager('POST', '/menu', { body: dish });
  const phone = await app.phone(looks['at-195']);
  const { page } = phone;
  const guest = guestOn(app, phone, { table, scanned });
  await page.goto(`${app.url}/${scanned}`);
  await page.getByRole('link', { name: longWord }).waitFor();
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'longest', measure });
  await check('menu');
  // Of the name of the table nothing is cut.
  const title = page.getByRole('heading', { level: 1 });
  for (const { viewport } of [looks.small, looks.phone, looks['at-195']]) {
    await page.setViewportSize(viewport);
    expect(await title.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2);
  }
  await guest.button('Call').click();
  await guest.button('Something else').click();
  await check('call');
  await page.keyboard.press('Escape');
  await guest.button('Search dishes').click();
  await page.getByRole('searchbox').fill('q'.repeat(60));
  await guest.sees('No dish with');
  await check('nothing-found');
  await guest.button('Clear the search').click();
  await page.getByRole('link', { name: longWord }).click();
  const remarks = page.getByRole('textbox', { name: 'Remarks' });
  await remarks.fill(longWord.repeat(2).slice(0, 140));
  // Of what was typed no line is cut.
  for (const { viewport } of [looks.small, looks.phone]) {
    await page.setViewportSize(viewport);
    expect(await remarks.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2);
  }
  await guest.allergies.fill('peanuts,\nand milk');
  expect(await guest.allergies.inputValue()).toBe('peanuts, and milk');
  await check('dish');
  await guest.button(/^Add Rindfleisch/).click();
  await guest.seesBasket('1 item');
  await check('basket');
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
});

test('when a balance and a transfer are as large as they may be, then all of each amount is read', async () => {
  const payer = await newCustomer(app, { money: '1234567.89', pin });
  const { page, ...wallet } = await signedIn(app, payer, looks['at-195']);
  const { check, found } = checkScreens(page, {
    looks,
    shoot: app.shoot,
    name: 'longest-account',
    measure: async () => [...(await measure(page)), ...(await brokenWordsOf(page)), ...(await coveredAmountsOf(page))],
    examine: async () => [],
  });
  await check('account');
  await wallet.review(await newCustomer(app), '999999.99');
  await check('pin');
  await wallet.confirm(pin);
  await wallet.posted();
  await check('receipt');
  await wallet.goTo('/security');
  await page.locator('.session').first().waitFor();
  await check('security');
  expect(found).toEqual([]);
});

/** Amounts over which a button stands. */
const coveredAmountsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const range = document.createRange();
    return [...document.querySelectorAll('.balance-amount')]
      .filter((amount) => {
        range.selectNodeContents(amount);
        const text = range.getBoundingClientRect();
        const button = document.querySelector('.balance .icon-button')?.getBoundingClientRect() ?? new DOMRect();
        return text.right > button.left && text.bottom > button.top && text.top < button.bottom;
      })
      .map((amount) => `covered: ${amount.textContent}`);
  });
