import type { Page } from 'playwright-core';
import { setOffline } from '@comanda/testing/browser';
import { pin, wrongPin } from '@comanda/testing/step-up-calls';
import { newPair, walletOn } from './customer.ts';
import { guestOn, scan } from './guest.ts';
import type { Phone, TableApp } from './table-app.ts';

type Visit = (screen: string) => Promise<void>;

/** Every screen, in the order in which a guest meets them. */
export async function visitGuestScreens(app: TableApp, phone: Phone, visit: Visit): Promise<void> {
  const { page } = phone;
  const seat = await app.newSeat();
  const guest = guestOn(app, phone, seat);
  await scan(app, page, seat);
  await guest.add('Feijoada');
  await visit('menu');
  await guest.button('Allergies').click();
  await visit('filter');
  await page.keyboard.press('Escape');
  await guest.button('Search dishes').click();
  await page.getByRole('searchbox').fill('sushi');
  await guest.sees('No dish with');
  await visit('nothing-found');
  await guest.button('Clear the search').click();
  await page.getByRole('link', { name: 'Fish moqueca' }).click();
  await page.getByRole('textbox', { name: 'Remarks' }).fill('No coriander, sauce aside.');
  await guest.allergies.fill('fish');
  await guest.sees('Fish moqueca contains fish');
  await visit('dish');
  await guest.button(/^Add Fish moqueca/).click();
  await guest.openReview();
  await visit('review');
  await setOffline(page, true);
  await guest.send();
  await guest.sees('Not sent yet.');
  await visit('not-sent');
  await setOffline(page, false);
  await guest.orderCard().waitFor({ timeout: 20_000 });
  const order = await guest.placed();
  await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device: 'kitchen-1' } });
  for (const status of ['preparing', 'ready'])
    await app.manager('PUT', `/orders/${order.id}/items/${order.items[0].id}`, { body: { status } });
  await page.locator('.progress-ready').waitFor();
  await visit('orders');
  await guest.button('Order more').click();
  await guest.button('Account').click();
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
  await visit('account');
}

/** Every page of the account, in the order in which a customer meets them. */
export async function visitAccountScreens(app: TableApp, phone: Phone, visit: Visit): Promise<void> {
  const { payer, payee } = await newPair(app);
  const { page, button, ...wallet } = walletOn(app, phone);
  await wallet.signIn(payer);
  await page.getByRole('link', { name: /^Cash deposit/ }).waitFor();
  await visit('account');
  await button('Transfer').click();
  await button('Review transfer').click();
  await visit('transfer-faults');
  await wallet.fill('To account number', String(payee.account));
  await wallet.fill('Amount', '12.50');
  await button('Review transfer').click();
  await wallet.confirm(wrongPin);
  await wallet.alert('Wrong PIN').waitFor();
  await visit('pin');
  await setOffline(page, true);
  await wallet.confirm(pin);
  await wallet.heading('No answer yet').waitFor();
  await visit('no-answer');
  await button('To the account').click();
  await button('Look').waitFor();
  await visit('pending');
  await button('Look').click();
  await setOffline(page, false);
  await page.getByText('was NOT sent').waitFor({ timeout: 20_000 });
  await visit('not-sent');
  await button('Review transfer').click();
  await wallet.confirm(pin);
  await wallet.posted();
  await button('Check the signature').click();
  await wallet.sees('The signature is right.');
  await visit('receipt');
  await button('Done').last().click();
  await button('PIN and security').click();
  await page.getByText('You signed in').first().waitFor();
  await visit('security');
  await button('I forgot my PIN').click();
  await visit('pin-reset');
  await button('PIN and security').click();
  await button('Account').click();
  await wallet.block(payee);
  await visit('blocked');
  await button('Account').click();
  await button('Lock').click();
  await visit('locked');
}

/** What has no edge where the system chooses the colours. */
export async function bareWhenForced(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const bare = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '.button, .icon-button, .chip, .dish-add, .basket-button, .field-input, .remark, .tag, .pad-error, .countdown-bar, .reset-who, .pin-payment-wait, .choose-refusal',
      ),
    ]
      .filter((element) => getComputedStyle(element).borderTopWidth === '0px')
      .map((element) => element.className),
  );
  await page.emulateMedia({ forcedColors: 'none' });
  return bare;
}
