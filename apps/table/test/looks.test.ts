import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { inSixths } from '@comanda/testing/budget';
import type { Locator } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { brokenWordsOf, textsOutsideOf } from '@comanda/testing/page-checks';
import { pin } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { newCustomer, signedIn, walletOn } from './support/customer.ts';
import { seatGuest } from './support/guest.ts';
import { startTableApp, type TableApp } from './support/table-app.ts';

// What pictures of the pages have shown, and no other test would find again.

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-looks');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const at195 = { viewport: { width: 195, height: 700 } };
const lowPhone = { viewport: { width: 320, height: 640 } };
const forced = { forcedColors: 'active' } as const;
const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((each, name) => getComputedStyle(each).getPropertyValue(name), property);

describe('where the system chooses the colours', () => {
  inSixths.test('when the kitchen takes no orders, then the button that cannot be pressed is grey', async () => {
    const { button, ...guest } = await seatGuest(app, forced);
    await guest.add('Feijoada');
    await guest.openReview();
    const before = await styleOf(button('Send to kitchen'), 'color');
    await app.manager('PUT', '/ordering', { body: { paused_until: new Date(Date.now() + 600_000).toISOString() } });
    await guest.sees(/^The kitchen takes no orders/);
    const paused = await styleOf(button('Send to kitchen'), 'color');
    await app.manager('PUT', '/ordering', { body: {} });
    expect(paused).not.toBe(before);
  });

  inSixths.test('when a dish in the basket is sold out, then what says so has an edge', async () => {
    const { page, ...guest } = await seatGuest(app, forced);
    const { body: dish } = await app.manager('POST', '/menu', { body: { name: 'Cuscuz', price: '20.00' } });
    await guest.add('Cuscuz');
    await guest.openReview();
    await app.manager('PUT', `/menu/${dish.id}/availability`, { body: { available: false } });
    const trouble = page.getByText('Sold out. Take it out');
    await trouble.waitFor();
    expect(await styleOf(trouble, 'border-top-width')).toBe('1px');
  });

  inSixths.test('when something is in the basket, then no dish is seen around the button at the foot', async () => {
    const { page, ...guest } = await seatGuest(app, { ...lowPhone, ...forced });
    await guest.add('Cheese bread');
    await guest.seesBasket('1 item, R$ 14.00');
    const foot = await styleOf(page.locator('.menu-basket'), 'background-color');
    expect(foot).toBe(await styleOf(page.locator('body'), 'background-color'));
  });

  inSixths.test(
    'when a phone shows everything at 200 %, then no word of the review is broken, and no line that is typed is cut',
    async () => {
      const { page, button, ...guest } = await seatGuest(app, { ...at195, ...forced });
      await guest.add('Cheese bread');
      await button('Português').click();
      await button(/^Pedido, /).click();
      await button(/^Observação/).waitFor();
      expect(await brokenWordsOf(page)).toEqual([]);
      const field = page.locator('textarea').first();
      await field.fill('amendoim, '.repeat(6));
      expect(await field.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
    },
  );
});

inSixths.test.each([
  ['a low phone', lowPhone],
  ['a phone at 200 %', at195],
])(
  'when money is sent to somebody with a long name (%s), then the number of the account is whole',
  async (_name, look) => {
    const { user, ...payee } = await newCustomer(app);
    const name = 'Maria Aparecida do Nascimento Albuquerque';
    const { page, ...wallet } = await signedIn(app, await newCustomer(app, { money: '100.00', pin }), look);
    await page.route(/\/accounts\/\d+\/payee$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), owner_name: name } });
    });
    await wallet.review({ user, ...payee });
    await page.getByText(name).waitFor();
    const payeeBox = page.locator('.terms-payee');
    const number = page.getByText(`account ${payee.account}`, { exact: true });
    const rightOf = (element: Locator) => element.evaluate((each) => each.getBoundingClientRect().right);
    await app.shoot(page, `looks-payee-${look.viewport.width}`);
    expect(await rightOf(number)).toBeLessThanOrEqual((await rightOf(payeeBox)) + 0.5);
    await wallet.confirm(pin);
    await wallet.posted();
    expect(await textsOutsideOf(page)).toEqual([]);
    expect(await payeeBox.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  },
);

inSixths.test('when a bill is very large, then all of each amount is read on a phone at 200 %', async () => {
  const { page, button, ...guest } = await seatGuest(app, { ...at195, ...forced });
  const { body: dish } = await app.manager('POST', '/menu', { body: { name: 'Leilão de vinhos', price: '99999.99' } });
  await guest.order('Cheese bread');
  await guest.orderCard().waitFor();
  const { seating } = await guest.placed();
  const body = { table: guest.seat.table, seating, items: [{ item_id: dish.id, quantity: 8 }] };
  created(await app.manager('POST', '/orders', { body }));
  await page.getByText('R$ 799,999.92').waitFor();
  expect(await textsOutsideOf(page)).toEqual([]);
  await page.getByRole('link', { name: /^Bill, / }).click();
  await button(/^Pay, /).click();
  await button(/^Pay all that is left/).waitFor();
  expect(await brokenWordsOf(page)).toEqual([]);
});

inSixths.test(
  'when a phone shows everything at 200 %, then the Portuguese title of a transfer stands in one line',
  async () => {
    const { page, ...wallet } = await signedIn(app, await newCustomer(app, { money: '100.00', pin }), at195);
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Português' }).click();
    await wallet.goTo('/transfer');
    const title = wallet.heading('Transferência');
    await title.waitFor();
    // While the rest of the page is loaded, the title may be another element.
    let [height, lineHeight] = [0, 0];
    const isMeasured = async (): Promise<boolean> => {
      [height, lineHeight] = await title.evaluate((element) => [
        element.getBoundingClientRect().height,
        Number.parseFloat(getComputedStyle(element).lineHeight),
      ]);
      return height > 0;
    };
    await until(isMeasured, { what: 'the title' });
    expect(height).toBeLessThan(lineHeight * 1.5);
  },
);

inSixths.test('when the table of somebody who has signed in is closed, then nobody can be called to it', async () => {
  const guest = await seatGuest(app);
  await walletOn(app, guest).signIn(await newCustomer(app));
  await guest.page.goto(`${app.url}/#/`);
  await guest.button('Call').waitFor();
  await app.manager('POST', `/tables/${guest.seat.table}/close`);
  await guest.button('Call').waitFor({ state: 'detached' });
});

inSixths.test('when the table is closed, then what this phone has ordered stays its own on the bill', async () => {
  const { page, seat, ...guest } = await seatGuest(app);
  await guest.order('Feijoada');
  await page.getByRole('link', { name: /^Bill, / }).click();
  await page.getByRole('heading', { name: 'You' }).waitFor();
  await app.manager('POST', `/tables/${seat.table}/close`);
  await guest.sees('Your time at this table has ended');
  expect(await page.locator('.bill-group h2').allTextContents()).toEqual(['You']);
});

inSixths.test(
  'when the language is changed, then what was read aloud before is not there in the other language',
  async () => {
    const { page, button, ...guest } = await seatGuest(app);
    await guest.add('Feijoada');
    await guest.hears('Feijoada');
    await button('Português').click();
    await page.getByRole('button', { name: 'English' }).waitFor();
    expect(await page.getByRole('status').getByText('Feijoada').count()).toBe(0);
  },
);

inSixths.test('when a receipt is printed from a dark page, then it is dark on white, without buttons', async () => {
  const payer = await newCustomer(app, { money: '100.00', pin });
  const { page, button, ...wallet } = await signedIn(app, payer, { colorScheme: 'dark' });
  await page.getByRole('link', { name: /^Cash deposit/ }).click();
  await wallet.heading('Posted').waitFor();
  await page.emulateMedia({ media: 'print' });
  await app.shoot(page, 'looks-printed-receipt');
  expect(await styleOf(page.locator('html'), 'color-scheme')).toBe('light');
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(await button('Done').count()).toBe(0);
});

inSixths.test('when the keys of a receipt cannot be read, then it says so after one try', async () => {
  const payer = await newCustomer(app, { money: '100.00', pin });
  const { page, context, button, ...wallet } = await signedIn(app, payer, at195);
  expectErrors(page, /net::ERR_FAILED .*\/jwks\.json$/);
  let asked = 0;
  await context.route('**/.well-known/jwks.json', (route) => {
    asked += 1;
    return route.abort();
  });
  await page.getByRole('link', { name: /^Cash deposit/ }).click();
  await wallet.heading('Posted').waitFor();
  await button('Check the signature').click();
  await page.getByText('The signature was not checked.').waitFor();
  await app.shoot(page, 'looks-no-keys');
  expect(asked).toBe(1);
  expect(await brokenWordsOf(page)).toEqual([]);
});

inSixths.test.each([lowPhone, at195])(
  'when a transfer is refused on a phone of $viewport.width px, then that and the request id are whole',
  async (look) => {
    const { page, context, ...wallet } = await signedIn(app, await newCustomer(app, { money: '100.00', pin }), look);
    expectErrors(page, /status of 403 .*\/internal-transfers$/);
    const body = JSON.stringify({ code: 'forbidden', request_id: '0197f3a0-5f0e-7c3a-9d6e-3f6a1c2b4d5e' });
    await context.route('**/accounts/internal-transfers', (route) =>
      'x-step-up-token' in route.request().headers()
        ? route.fulfill({ status: 403, contentType: 'application/problem+json', body })
        : route.fallback(),
    );
    await wallet.review(await newCustomer(app));
    await wallet.confirm(pin);
    await wallet.alert('Nothing was changed.').waitFor();
    expect([...(await brokenWordsOf(page)), ...(await textsOutsideOf(page))]).toEqual([]);
  },
);

inSixths.test('when the language is changed, then what is wrong with a transfer is said in it', async () => {
  const { page, button, ...wallet } = await signedIn(app, await newCustomer(app, { money: '100.00', pin }));
  await wallet.goTo('/transfer');
  await wallet.fill('Amount', 'much');
  await button('Review transfer').click();
  const errors = page.locator('.field-error');
  const before = await errors.allTextContents();
  await page.goto(`${app.url}/#/`);
  await button('Português').click();
  await wallet.goTo('/transfer');
  await page.locator('.transfer-form button[type=submit]').click();
  await wallet.heading('Transferência').waitFor();
  expect((await errors.allTextContents()).filter((text) => before.includes(text))).toEqual([]);
  expect(before.length).toBeGreaterThan(0);
});
