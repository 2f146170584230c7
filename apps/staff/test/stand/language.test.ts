import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { menu, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails } from '@comanda/testing/stand/state';
import type { Locator, Page } from 'playwright-core';
import { phone, press, says, tablet } from '../support/page.ts';
import { manager, onDuty } from './states.ts';

// Error messages that are visible when the page's language changes.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const bill = newBill([newOrder({ items: ['Feijoada'] })]);
const showPage = (path: string, look: object = tablet): Promise<Page> => {
  const answers = {
    listMenu: menu.map((dish) => ({ ...dish, image_url: null })),
    listScreens: [],
    listUsers: [],
    getBill: bill,
    getAccount: fails('not_found'),
    getPayee: fails('not_found'),
    transactionPassword: { status: 'usable', created_at: '2026-11-20T21:00:00.000Z', attempts_remaining: 3 } as const,
  };
  return stand.show(onDuty({ who: manager, bills: [bill], answers }), `#/${path}`, look);
};
const choosePortuguese = async (page: Page): Promise<void> => {
  await press(page, 'Menu');
  await press(page, 'Português');
  await page.locator('html[lang=pt-BR]').waitFor();
};
const error = (page: Page): Locator => page.locator('.field-error', { hasText: /./ }).first();
/** Checks that a field's error changes together with the language. */
async function expectOther(page: Page): Promise<void> {
  const before = await error(page).textContent();
  await choosePortuguese(page);
  expect(await error(page).textContent()).not.toBe(before);
}

test.each([
  { path: 'manager/ordering', label: 'Or until', typed: 'later' },
  { path: 'manager/menu/new', label: 'Price', typed: 'much' },
])("a field's error on $path changes language with the page", async ({ path, label, typed }) => {
  const page = await showPage(path);
  await page.getByLabel(label).first().fill(typed);
  await page.keyboard.press('Enter');
  await expectOther(page);
});

test("a picture's error changes language with the page", async () => {
  const page = await showPage('manager/menu/new');
  const buffer = Buffer.from('....ftypheic');
  await page.getByLabel('Upload a picture').setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer });
  await says(page.getByRole('alert'), /This is a HEIC photo/);
  await choosePortuguese(page);
  await says(page.getByRole('alert'), /Esta é uma foto HEIC/);
});

test('the error for an unknown account changes language with the page', async () => {
  const page = await showPage('manager/deposits');
  await page.locator('.manager-form input').fill('999999');
  await page.keyboard.press('Enter');
  await error(page).waitFor();
  await expectOther(page);
});

test('the error for a cash amount changes language with the page', async () => {
  const page = await showPage(`waiter/bill/${bill.id}/pay`, phone);
  await page.locator('.pay-methods button').first().click();
  await page.locator('.pay-cash input').fill('much');
  await expectOther(page);
});

test('the error for a table name changes language with the page', async () => {
  const page = await showPage('manager/tables');
  await press(page, 'Add tables');
  await press(page, 'One');
  await page.getByLabel('Name of the new table').fill('no spaces');
  await page.keyboard.press('Enter');
  await expectOther(page);
});
