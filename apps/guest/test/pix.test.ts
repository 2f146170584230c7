import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { startGuestApp, type GuestApp } from './support/guest-app.ts';
import { guestOn, scan, seatGuest, type Guest } from './support/guest.ts';

// Three phones pay one bill by Pix, with all services and a bank running. `stand/pix.test.ts` checks the pages in each state.

let bank: FakeBank;
let app: GuestApp;
beforeAll(async () => {
  bank = await startFakeBank();
  app = await startGuestApp('guest-pix', bank.settings);
  bank.setHintUrl(`${app.stack.gatewayUrl}/pix-hints`);
}, 300_000);
afterAll(async () => {
  await app?.close();
  await bank?.close();
});

/** Opens the page with the Pix code for this guest's own dishes, as they do: bill, pay, Pix. Returns the code. */
async function codeOf({ page, button }: Guest): Promise<string> {
  await page.getByRole('link', { name: /^Bill · / }).click();
  await button(/^Pay · /).click();
  await button('Pay with Pix').click();
  await page
    .getByRole('status', { name: 'Payment' })
    .getByText(/^Waiting for the bank/)
    .waitFor();
  return shownCode(page);
}
const shownCode = async (page: Page): Promise<string> => (await page.locator('.pix-code').textContent()) ?? '';
/** Pays this code on the bank's page, as the demo's guests do. */
async function payAt(bankPage: Page, code: string): Promise<void> {
  await bankPage.goto(bank.url);
  await bankPage.getByRole('textbox').fill(code);
  await bankPage.getByRole('button', { name: 'Pay this code' }).click();
  await bankPage.getByRole('status').getByText('Paid').waitFor();
}

test('three phones pay one bill by Pix, and the waiter sees each payment at once', async () => {
  const ana = await seatGuest(app);
  const join = async (dish: string): Promise<Guest> => {
    const phone = await app.phone();
    await scan(app, phone.page, ana.seat);
    const guest = guestOn(app, phone, ana.seat);
    await guest.order(dish);
    await guest.orderCard().first().waitFor();
    return guest;
  };
  await ana.order('Feijoada');
  await ana.orderCard().first().waitFor();
  const [rui, bia] = [await join('Milk flan'), await join('Caipirinha')];
  await until(async () => (await app.ordersOf(ana.seat)).length === 3, { what: 'all orders' });
  const [order] = await app.ordersOf(ana.seat);
  const billId = order?.bill_id as number;
  const staff = (await app.newScreen({ viewport: { width: 390, height: 844 } })).page;
  await staff.goto(`${app.url}/kitchen#/waiter/bill/${billId}`);
  await staff.locator('input[type=email]').fill(publicSignIns.waiter.email);
  await staff.locator('input[type=password]').fill(publicSignIns.waiter.password);
  await staff.keyboard.press('Enter');
  const bankPage = (await app.newScreen({})).page;

  const codes = [await codeOf(ana), await codeOf(rui), await codeOf(bia)];
  expect(new Set(codes).size).toBe(3);
  const payments = staff.getByRole('region', { name: 'Payments' }).getByRole('listitem');
  await payments.nth(2).waitFor();
  expect(await payments.filter({ hasText: 'not paid yet' }).count()).toBe(3);
  // Bia's phone shows Ana's code too.
  await bia.button('Bill').click();
  await bia.page.getByRole('link', { name: /^Show code: Guest 1 · Pix$/ }).click();
  await bia.sees('Guest 1 pays');
  expect(await shownCode(bia.page)).toBe(codes[0]);

  for (const [index, guest] of [ana, rui].entries()) {
    await payAt(bankPage, codes[index] ?? '');
    const limit = { timeout: 3_000 };
    await Promise.all([
      guest.page.getByRole('heading', { name: /^Paid R\$ / }).waitFor(limit),
      payments.filter({ hasText: 'confirmed by the bank' }).nth(index).waitFor(limit),
    ]);
    await guest.sees('the bank');
    await guest.button('View bill').click();
    await guest.sees('Your part is paid. Thank you!');
  }
  // The same code on another phone, which then shows that Ana has paid.
  await bia.page.getByRole('heading', { name: /^Paid R\$ / }).waitFor();
  await bia.button('View bill').click();
  await app.shoot(bia.page, 'pix-two-have-paid');
  await payAt(bankPage, codes[2] ?? '');
  for (const { page } of [ana, rui, bia]) await page.getByText('All paid. Thank you!').waitFor();
  await app.shoot(staff, 'pix-all-have-paid');
  await staff.getByRole('button', { name: /^Close bill and free table/ }).click();
  await staff.getByRole('button', { name: 'Close anyway' }).click(); // Nobody has served the dishes.
  for (const { page } of [ana, rui, bia]) await page.getByText(/^Thank you! Bill no\. \d+\.$/).waitFor();

  const bill = (await app.manager('GET', `/bills/${billId}`)).body;
  expect(bill).toMatchObject({ status: 'closed', remaining: '0.00' });
  const byBank = { status: 'paid', pix: { confirmed_by: 'bank', end_to_end_id: expect.any(String) } };
  expect(bill.payments).toMatchObject([byBank, byBank, byBank]);
});
