import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { brokenWordsOf, textsOutsideOf } from '@comanda/testing/page-checks';
import { dishNamed, minutesAgo, newBill, newDish, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, unreachable } from '@comanda/testing/stand/state';
import { pin } from '@comanda/testing/step-up-calls';
import type { Locator } from 'playwright-core';
import { accountPage, enterPin } from '../support/customer.ts';
import { guestPage } from '../support/guest.ts';
import { afterPin, deposit, newTransfer, seated, signedIn } from './states.ts';

// Layout faults that were found in screenshots, and that no other test would detect.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const at195 = { viewport: { width: 195, height: 700 } };
const lowPhone = { viewport: { width: 320, height: 640 } };
const forced = { forcedColors: 'active' } as const;
const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((each, name) => getComputedStyle(each).getPropertyValue(name), property);

describe('a page in forced colours', () => {
  test('greys out the send button while the kitchen takes no orders', async () => {
    const page = await stand.show(seated(), '#/', forced);
    const { button, ...phone } = guestPage(page);
    await phone.add('Feijoada');
    await phone.openReview();
    const before = await styleOf(button('Send to kitchen'), 'color');
    const paused = { paused_until: minutesAgo(-10), reason: null, version: 2 };
    await stand.emit('ordering.changed', paused);
    await phone.sees(/^The kitchen isn’t taking orders/);
    expect(await styleOf(button('Send to kitchen'), 'color')).not.toBe(before);
  });

  test('draws an edge around the notice about a sold-out dish', async () => {
    const page = await stand.show(seated(), '#/', forced);
    const phone = guestPage(page);
    await phone.add('Feijoada');
    await phone.openReview();
    const item = { ...dishNamed('Feijoada'), available: false, deleted: false, version: 2 };
    await stand.emit('menu.item_changed', { item });
    const trouble = page.getByText('Sold out. Remove it');
    await trouble.waitFor();
    expect(await styleOf(trouble, 'outline-style')).toBe('solid');
  });

  test('hides the dishes behind the basket button at the bottom', async () => {
    const page = await stand.show(seated(), '#/', { ...lowPhone, ...forced });
    const phone = guestPage(page);
    await phone.add('Cheese bread');
    await phone.seesBasket('1 item, R$ 14.00');
    const foot = await styleOf(page.locator('.menu-basket'), 'background-color');
    expect(foot).toBe(await styleOf(page.locator('body'), 'background-color'));
  });

  test('breaks no word in the order on a phone at 200% zoom', async () => {
    const page = await stand.show(seated(), '#/', { ...at195, ...forced });
    const { button, ...phone } = guestPage(page);
    await phone.add('Cheese bread');
    await phone.setting('Português');
    await button(/^Pedido, /).click();
    await button(/^Adicionar observação/).waitFor();
    expect(await brokenWordsOf(page)).toEqual([]);
    const field = page.locator('textarea').first();
    await field.fill('amendoim, '.repeat(6));
    expect(await field.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
  });
});

/** Starts a transfer of R$ 12.50 to account 22 on the account page, and continues to the PIN pad. */
async function review({ button, fill, pad }: ReturnType<typeof accountPage>): Promise<void> {
  await button('Transfer').click();
  await fill('To account number', '22');
  await fill('Amount', '12.50');
  await button('Review transfer').click();
  await pad.waitFor();
}

test.each([
  ['a short phone', lowPhone],
  ['a phone at 200%', at195],
])("an account number is fully visible beside the owner's long name (%s)", async (_name, look) => {
  const name = 'Maria Aparecida do Nascimento Albuquerque';
  const answers = {
    ...afterPin(newTransfer()),
    getPayee: { account_id: 22, owner_name: name, currency: 'BRL' } as const,
  };
  const page = await stand.show(signedIn({ answers }), '#/account', look);
  const wallet = accountPage(page);
  await review(wallet);
  await page.getByText(name).waitFor();
  const payeeBox = page.locator('.terms-payee');
  const number = page.getByText('account 22', { exact: true });
  const rightOf = (element: Locator) => element.evaluate((each) => each.getBoundingClientRect().right);
  expect(await rightOf(number)).toBeLessThanOrEqual((await rightOf(payeeBox)) + 0.5);
  await enterPin(wallet.pad, pin);
  await wallet.button('Confirm transfer').click();
  await wallet.heading('Completed').waitFor();
  expect(await textsOutsideOf(page)).toEqual([]);
  expect(await payeeBox.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('a very large bill shows every amount in full on a phone at 200% zoom', async () => {
  const wine = newDish({ name: 'Leilão de vinhos', price: '99999.99' });
  const orders = [
    newOrder({ id: 1, items: ['Cheese bread'] }),
    newOrder({ id: 2, items: [{ dish: wine, quantity: 8 }] }),
  ];
  const page = await stand.show(seated({ orders, bills: [newBill(orders)] }), '#/orders', { ...at195, ...forced });
  await page.getByText('R$ 799,999.92').waitFor();
  expect(await textsOutsideOf(page)).toEqual([]);
  await page.getByRole('link', { name: /^Bill · / }).click();
  await page.getByRole('button', { name: /^Pay · / }).click();
  await page.getByRole('button', { name: /^Pay everything/ }).waitFor();
  expect(await brokenWordsOf(page)).toEqual([]);
});

test('the Portuguese title of a transfer fits on one line on a phone at 200% zoom', async () => {
  const page = await stand.show(signedIn(), '#/account/transfer', { ...at195, language: 'pt-BR' });
  const title = accountPage(page).heading('Transferência');
  await page.locator('.transfer-form').waitFor();
  const [height, lineHeight] = await title.evaluate((element) => [
    element.getBoundingClientRect().height,
    Number.parseFloat(getComputedStyle(element).lineHeight),
  ]);
  expect(height).toBeGreaterThan(0);
  expect(height).toBeLessThan((lineHeight ?? 0) * 1.5);
});

test("the bell disappears from a customer's phone when their table is closed", async () => {
  const who = { userId: 5, role: 'customer', name: 'Lia', table: '12', seating: 88, isGuest: false } as const;
  const page = await stand.show(seated({ who }));
  const call = page.getByRole('button', { name: 'Call', exact: true });
  await call.waitFor();
  await stand.emit('seating.closed', { seating: 88, table: '12', closed_at: minutesAgo(0) });
  await call.waitFor({ state: 'detached' });
});

test('the bill still shows who ordered each dish after the table was closed', async () => {
  const orders = [newOrder({ items: ['Feijoada'] })];
  const page = await stand.show(seated({ orders, bills: [newBill(orders)] }), '#/bill');
  await page.getByRole('heading', { name: 'You' }).waitFor();
  await stand.emit('seating.closed', { seating: 88, table: '12', closed_at: minutesAgo(0) });
  await page.getByText('You’re no longer at this table').waitFor();
  expect(await page.locator('.bill-group h2').allTextContents()).toEqual(['You']);
});

test('a language change removes an announcement in the other language', async () => {
  const page = await stand.show(seated());
  const phone = guestPage(page);
  await phone.add('Feijoada');
  await phone.hears('Feijoada');
  await phone.setting('Português');
  await phone.button('Idioma e carteira').waitFor();
  expect(await page.getByRole('status').getByText('Feijoada').count()).toBe(0);
});

test('a receipt prints dark on white without buttons', async () => {
  const page = await stand.show(signedIn(), '#/account', { colorScheme: 'dark' });
  await page.getByRole('link', { name: /^Cash deposit/ }).click();
  await accountPage(page).heading('Completed').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await styleOf(page.locator('html'), 'color-scheme')).toBe('light');
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
});

test('a receipt shows that its keys could not be loaded', async () => {
  const header = Buffer.from('{"alg":"ES256","typ":"receipt+jws","kid":"1"}').toString('base64url');
  const answers = { jwks: unreachable, getTransfer: { ...deposit, receipt: `${header}.e30.c2ln` } };
  const page = await stand.show(signedIn({ answers }), '#/account', at195);
  await page.getByRole('link', { name: /^Cash deposit/ }).click();
  const { button, heading } = accountPage(page);
  await heading('Completed').waitFor();
  await button('Check the signature').click();
  await page.getByText('The signature wasn’t checked.').waitFor();
  expect(await stand.calls('jwks')).toHaveLength(1);
  expect(await brokenWordsOf(page)).toEqual([]);
});

test.each([lowPhone, at195])(
  'a rejected transfer is fully visible on a phone $viewport.width px wide',
  async (look) => {
    const refused = fails('forbidden', { members: { request_id: '0197f3a0-5f0e-7c3a-9d6e-3f6a1c2b4d5e' } });
    const page = await stand.show(signedIn({ answers: afterPin(refused) }), '#/account', look);
    const wallet = accountPage(page);
    await review(wallet);
    await enterPin(wallet.pad, pin);
    await wallet.button('Confirm transfer').click();
    await wallet.alert('Nothing was changed.').waitFor();
    expect([...(await brokenWordsOf(page)), ...(await textsOutsideOf(page))]).toEqual([]);
  },
);

test('errors of a transfer are in the selected language', async () => {
  const page = await stand.show(signedIn(), '#/account/transfer');
  const wallet = accountPage(page);
  await wallet.fill('Amount', 'much');
  await wallet.button('Review transfer').click();
  const errors = page.locator('.field-error');
  const before = await errors.allTextContents();
  await page.goto(`${page.url().split('#')[0]}#/`);
  await guestPage(page).setting('Português');
  await page.goto(`${page.url().split('#')[0]}#/account/transfer`);
  await page.locator('.transfer-form button[type=submit]').click();
  await wallet.heading('Transferência').waitFor();
  expect((await errors.allTextContents()).filter((text) => before.includes(text))).toEqual([]);
  expect(before.length).toBeGreaterThan(0);
});

test('all digits in amounts are equally wide', async () => {
  const page = await stand.show(seated());
  await page.getByRole('article', { name: 'Feijoada', exact: true }).waitFor();
  const widths = await page.evaluate(async () => {
    await document.fonts.ready;
    const widthOf = (css: string): number => {
      const span = document.body.appendChild(document.createElement('span'));
      span.style.cssText = `position: absolute; ${css}`;
      span.textContent = '----------';
      return span.getBoundingClientRect().width;
    };
    const price = document.querySelector('.money');
    return [widthOf('') - widthOf('font-variant-numeric: normal'), price && getComputedStyle(price).fontVariantNumeric];
  });
  expect(widths).toEqual([0, 'tabular-nums']);
});
