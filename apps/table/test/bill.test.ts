import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created } from '@comanda/testing/call';
import { checkScreens, faultsOf } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { guestOn, scan, seatGuest, type Guest } from './support/guest.ts';
import { startTableApp, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-bill');
  await app.manager('PUT', '/restaurant', {
    body: { service_charge: { rate: '10.00', optional: true }, tip_suggestions: ['5.00', '10.00'] },
  });
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const waiter = { email: 'waiter@comanda.test', password: 'mesa-farofa-violao' };

/** Two phones at one table: the first has ordered 2 Feijoada (R$ 124.00), the second a Milk flan (R$ 18.00). */
async function two(options?: Parameters<typeof seatGuest>[1]): Promise<{ ana: Guest; rui: Guest; id: number }> {
  const ana = await seatGuest(app, options);
  await ana.order('Feijoada', 'Feijoada');
  await ana.orderCard().first().waitFor();
  const phone = await app.phone(options);
  await scan(app, phone.page, ana.seat);
  const rui = guestOn(app, phone, ana.seat);
  await rui.order('Milk flan');
  await until(async () => (await app.ordersOf(ana.seat)).length === 2, { what: 'both orders' });
  const [order] = await app.ordersOf(ana.seat);
  return { ana, rui, id: order?.bill_id };
}
const pay = (id: number, part: object, expected: string) =>
  app.manager('POST', `/bills/${id}/payments`, { body: { method: 'card', part, expected_amount: expected } });
const left = ({ page }: Guest) => page.getByRole('status', { name: 'Left to pay' });
const line = ({ page }: Guest, dish: string) => page.getByRole('listitem').filter({ hasText: dish });
const openBill = ({ page }: Guest, amount: string) => page.getByRole('link', { name: `Bill, ${amount}` }).click();

describe('the bill on a guest’s phone', () => {
  test('when two guests have ordered, then each sees whose dishes they are, and what somebody pays is ticked at once', async () => {
    const { ana, rui, id } = await two();
    await openBill(ana, 'R$ 156.20');
    await openBill(rui, 'R$ 156.20');
    await line(ana, 'Feijoada').getByText('R$ 124.00').waitFor();
    await ana.page.getByRole('heading', { name: 'You' }).waitFor();
    await ana.page.getByRole('heading', { name: 'Guest 1' }).waitFor(); // who gave no name
    await left(ana).getByText('R$ 156.20').waitFor();
    const bill = (await app.manager('GET', `/bills/${id}`)).body;
    await pay(id, { lines: [{ line_id: bill.lines[0].id }] }, '136.40');
    for (const guest of [ana, rui]) {
      await line(guest, 'Feijoada').getByText('paid', { exact: true }).waitFor();
      await left(guest).getByText('R$ 19.80').waitFor();
    }
    await pay(id, { rest: true }, '19.80');
    await rui.sees('All is paid. Thank you.');
    const { number } = (await app.manager('POST', `/bills/${id}/close`, { body: {} })).body;
    await rui.sees(`Thank you. Bill ${number}.`);
    await rui.sees('A new order begins a new bill.');
  });

  test('when a guest has come to the bill from their orders, then Menu leads to the menu, and not to the orders', async () => {
    const { ana } = await two();
    const menu = ana.page.getByText('You are at', { exact: true });
    await openBill(ana, 'R$ 156.20');
    await ana.page.goBack();
    await ana.orderCard().first().waitFor();
    await openBill(ana, 'R$ 156.20');
    await ana.button(/^Menu$/).click();
    await menu.waitFor();
    await ana.page.goForward();
    await ana.page.reload();
    await ana.button(/^Menu$/).click();
    await menu.waitFor();
  });

  test('when a guest goes back from paying, then they are at the bill, also by two taps, and if paying stands there twice', async () => {
    const { ana } = await two();
    const toBill = ana.page.locator('.back-link');
    const goTo = (hash: string) => ana.page.evaluate((to) => void (location.hash = to), hash);
    const isPaying = () => ana.page.getByRole('heading', { level: 1, name: 'Pay' }).waitFor();
    await openBill(ana, 'R$ 156.20');
    await goTo('#/pay');
    await isPaying();
    await toBill.evaluate((button: HTMLElement) => [button, button].forEach((each) => each.click()));
    await left(ana).waitFor();
    await ana.page.goBack();
    await ana.orderCard().first().waitFor(); // which is one page before the bill, and not two
    await ana.page.goForward();
    await left(ana).waitFor();

    await goTo('#/pay');
    await goTo('#/pay/pin'); // without a payment: the page of parts takes its place
    await until(async () => new URL(ana.page.url()).hash === '#/pay', { what: 'the page of parts' });
    await toBill.click();
    await left(ana).waitFor();
    await ana.page.goForward();
    await ana.page.goForward();
    await ana.page.goBack(); // from the second to the first, which the page does not see
    await toBill.click();
    await left(ana).waitFor();
    await ana.button(/^Menu$/).click();
    await ana.page.getByText('You are at', { exact: true }).waitFor();
  });

  test('when a guest declines the service charge, then the whole table sees it, until somebody has paid', async () => {
    const { ana, rui, id } = await two();
    await ana.sees('without service'); // beside the sum of the orders
    await openBill(ana, 'R$ 156.20');
    await openBill(rui, 'R$ 156.20');
    await ana.page.getByRole('switch', { name: 'Service 10 %' }).click();
    await left(rui).getByText('R$ 142.00').waitFor();
    await pay(id, { amount: '2.00' }, '2.00');
    await left(ana).getByText('R$ 140.00').waitFor();
    expect(await ana.page.getByRole('switch').count()).toBe(0);
  });

  test('when two of the staff have ordered, then their dishes stand together', async () => {
    const { ana } = await two();
    const [order] = await app.ordersOf(ana.seat);
    const { body: signedIn } = await caller(app.url)('POST', '/auth/login', { body: waiter });
    for (const call of [app.manager, caller(app.url, { token: signedIn.access_token })])
      created(
        await call('POST', '/orders', {
          body: { table: ana.seat.table, seating: order?.seating, items: [{ name: 'Pudim de leite', quantity: 1 }] },
        }),
      );

    await openBill(ana, 'R$ 195.80');

    const group = ana.page.locator('.bill-group').filter({ hasText: 'Ordered by staff' });
    await group.getByRole('listitem').nth(1).waitFor();
    expect(await group.count()).toBe(1);
  });
});

describe('what a guest pays', () => {
  test('when a guest chooses a way and a tip, then the amount to say is that of the server', async () => {
    const { ana, rui, id } = await two();
    await openBill(rui, 'R$ 156.20');
    await rui.button('Pay, R$ 156.20 left').click();
    await rui.button('Pay all that is left, R$ 156.20').click();
    await rui.button('Only mine').click();
    await rui.page.getByRole('checkbox', { name: /Milk flan/ }).waitFor();
    expect(await rui.page.getByRole('checkbox', { checked: true }).count()).toBe(1);
    await rui.page.getByRole('list', { name: 'You' }).getByText('Milk flan').waitFor();
    await rui.page.getByRole('list', { name: 'Guest 1' }).getByText('Feijoada').waitFor();
    await rui.button('10 %, R$ 1.98').click();
    await rui.button('Card or cash: call a waiter').click();
    await rui.page.getByRole('region', { name: 'Tell the waiter this amount' }).getByText('R$ 21.78').waitFor();
    await rui.sees('R$ 19.80 and R$ 1.98 tip');

    await openBill(ana, 'R$ 156.20');
    await ana.button('Pay, R$ 156.20 left').click();
    await ana.button('Split equally').click();
    expect(await ana.page.getByRole('spinbutton', { name: 'People' }).inputValue()).toBe('2');
    await ana.page.getByRole('spinbutton', { name: 'People' }).fill('3');
    await ana.sees('Each share R$ 52.07');
    expect((await pay(id, { shares: 1, of: 3 }, '52.07')).status).toBe(201);
    await ana.sees('1 of 3 is taken');
  });

  test('when an equal part was paid, then dishes are not offered any more, but what one’s own come to, as an amount', async () => {
    const { ana, rui, id } = await two();
    await pay(id, { shares: 1, of: 2 }, '78.10');
    for (const [guest, amount] of [
      [rui, '19.80'],
      [ana, '78.10'], // at most what is left
    ] as const) {
      await openBill(guest, 'R$ 78.10');
      await guest.button('Pay, R$ 78.10 left').click();
      await guest.button('Split equally').waitFor();
      expect(await guest.button('Only mine').count()).toBe(0);
      await guest.button('Another amount').click();
      await guest.sees(/^Somebody has paid an equal part/);
      expect(await guest.page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe(amount);
      await guest.button(`Pay R$ ${amount} with PIN`).waitFor();
    }
    expect(await faultsOf(rui.page)).toEqual([]);
    await app.shoot(rui.page, 'bill-another-amount');
  });

  test('when the bill changes while a guest looks at the amount, then the old and the new one are said', async () => {
    const { ana, id } = await two();
    await openBill(ana, 'R$ 156.20');
    await ana.button('Pay, R$ 156.20 left').click();
    await ana.button(/^Pay all that is left/).click();
    await ana.button('Card or cash: call a waiter').click();
    await pay(id, { amount: '100.00' }, '100.00');
    await ana.sees('Somebody has ordered or paid: your part was R$ 156.20, now it is R$ 56.20.');
  });
});

const english = {
  zoomed: { viewport: { width: 320, height: 568 } },
  phone: { viewport: { width: 360, height: 640 } },
  dark: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  tablet: { viewport: { width: 820, height: 1180 } },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const;
const portuguese = { pt: { viewport: { width: 390, height: 844 } } };
test.each([
  ['en-US', english],
  ['pt-BR', portuguese],
] as const)(
  'when the pages of the bill are looked at (%s), then axe finds nothing, and all of it fits',
  async (locale, looks) => {
    const { ana, id } = await two();
    await pay(id, { amount: '12.34' }, '12.34');
    const { page } = await app.phone({ locale, ...Object.values(looks)[0] });
    await scan(app, page, ana.seat);
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'bill' });
    const link = page.locator('a[href="#/bill"]');
    await link.waitFor();
    await check('menu');
    await link.click();
    await page.locator('.bill').waitFor();
    await check('bill');
    await page.locator('.bill-dock .button-primary').click();
    await page.locator('.pay-ways button').nth(1).click();
    await check('shares');
    await page.locator('.choose-tip .chip').nth(1).click();
    await page.locator('.dock .button').last().click();
    await check('tell');
    expect(found).toEqual([]);
  },
);
