import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import { checkScreens } from '@comanda/testing/page-checks';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, reachable, says, smallPhone, tablet } from './support/page.ts';
import { tablesOf } from './support/waiter-page.ts';

let app: KitchenApp;
let at: ReturnType<typeof tablesOf>;
beforeAll(async () => {
  app = await startKitchenApp('waiter-bills');
  at = tablesOf(app);
  await app.manager('PUT', '/restaurant', {
    body: {
      service_charge: { rate: '10.00', optional: true },
      tip_suggestions: ['5.00', '10.00'],
      waiter_discount_limit: '20.00',
    },
  });
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

/** A table whose guests have ordered: 2 Feijoada and a Pudim de leite, R$ 156.20 with the service charge. */
async function seated(
  lines: Parameters<KitchenApp['place']>[1] = [{ name: 'Feijoada', quantity: 2 }, 'Pudim de leite'],
) {
  const table = await at.newTable();
  await app.manager('POST', `/tables/${table}/open`);
  const { seating } = await at.tableOf(table);
  const order = await app.placeAt({ table, seating }, lines);
  const billNow = async (): Promise<Order> => (await app.manager('GET', `/bills/${order.bill_id}`)).body;
  return { table, seating, order, id: order.bill_id as number, billNow };
}
const leftToPay = (page: Page) => page.getByRole('status', { name: 'Left to pay' });
const openBill = async (table: string): Promise<Page> => {
  const { page } = await app.openAt(`waiter/tables/${table}`, waiter, phone);
  await page.getByRole('link', { name: /^Bill, / }).click();
  await page.getByRole('region', { name: 'Bill' }).waitFor();
  return page;
};

describe('the bill of a table', () => {
  test('when all that is left is paid in cash, then it takes three taps, says the change, and one button ends it all', async () => {
    const { table, billNow } = await seated();
    const page = await openBill(table);
    await page.getByRole('listitem').filter({ hasText: 'Feijoada' }).getByText('R$ 124.00').waitFor();
    await says(leftToPay(page), 'R$ 156.20');
    await page.getByRole('button', { name: 'R$ 156.20 left' }).waitFor();

    await press(page, 'Record payment');
    await press(page, 'Cash');
    await page.getByRole('button', { name: 'Record cash R$ 156.20' }).waitFor();
    await press(page, 'R$ 200.00');
    await says(page.getByRole('status', { name: 'Change' }), 'R$ 43.80');
    await press(page, 'Record cash R$ 156.20');

    await says(page, 'Recorded: cash, R$ 156.20.');
    await says(leftToPay(page), 'R$ 0.00');
    await says(page.getByRole('listitem').filter({ hasText: 'Feijoada' }), 'paid');
    await press(page, `Close bill and free table ${table}`);
    await says(page, new RegExp(`^Bill \\d+ is closed, table ${table} is free\\.$`));
    expect(await billNow()).toMatchObject({
      status: 'closed',
      payments: [{ method: 'cash', amount: '156.20', received: '200.00', change: '43.80' }],
    });
    expect((await at.tableOf(table)).seating).toBeNull();
  });

  test('when a bill is closed at whose table somebody else has ordered, then the table is not called free', async () => {
    const { table, id, order } = await seated();
    const page = await openBill(table);
    const { ticket } = await app.placeAt({ table }, ['Feijoada']); // of nobody who sits there
    await page.goBack();
    await page.getByRole('link', { name: `Bill from order #${ticket}, R$ 68.20` }).waitFor();
    await page.getByRole('link', { name: `Bill from order #${order.ticket}, R$ 156.20` }).click();
    const part = { method: 'card', part: { rest: true }, expected_amount: '156.20' };
    expect((await app.manager('POST', `/bills/${id}/payments`, { body: part })).status).toBe(201);
    await press(page, `Close bill and free table ${table}`);
    await says(page, new RegExp(`^Bill \\d+ is closed\\. Table ${table} still has 1 open order\\.$`));
  });

  test('when guests pay dishes, a part of a dish, shares and an amount, then each price is that of the server', async () => {
    const { table, billNow } = await seated();
    const page = await openBill(table);
    await press(page, 'Record payment');
    await press(page, 'Dishes');
    await page.getByRole('checkbox', { name: /Feijoada/ }).check();
    await press(page, 'One less: How many Feijoada');
    await press(page, 'Card');
    await press(page, 'Record card R$ 68.20');
    await says(leftToPay(page), 'R$ 88.00');

    await press(page, 'Record payment');
    await press(page, 'Dishes');
    await page.getByRole('checkbox', { name: /Pudim/ }).check();
    await press(page, 'Split this dish');
    await press(page, 'Other');
    await press(page, 'Record other R$ 9.90');
    await says(leftToPay(page), 'R$ 78.10');

    await press(page, 'Record payment');
    await press(page, 'Shares');
    await page.getByRole('spinbutton', { name: 'People' }).fill('3');
    await press(page, 'Card');
    await press(page, 'Tip');
    await press(page, '10% (R$ 2.60)');
    await press(page, 'Record card R$ 28.64');
    await says(leftToPay(page), 'R$ 52.06');

    await press(page, 'Record payment');
    await press(page, 'Amount');
    await page.getByRole('textbox', { name: 'Amount' }).fill('60');
    await says(page, 'Only R$ 52.06 is left to pay.');
    await page.getByRole('textbox', { name: 'Amount' }).fill('50');
    await press(page, 'Card');
    await press(page, 'Record card R$ 50.00');
    await says(leftToPay(page), 'R$ 2.06');
    const { payments, tips } = await billNow();
    expect(payments.map(({ amount }: Order) => amount)).toEqual(['68.20', '9.90', '26.04', '50.00']);
    expect(tips).toBe('2.60');
  });

  test('when something is ordered or paid elsewhere, then the page says so by itself, and the price is not silently another one', async () => {
    const { table, seating, id } = await seated();
    const page = await openBill(table);
    await press(page, 'Record payment');
    await press(page, 'Cash');
    await page.getByRole('button', { name: 'Record cash R$ 156.20' }).waitFor();
    await app.placeAt({ table, seating }, ['Pudim de leite']);
    await says(page, 'The bill has changed: it was R$ 156.20, now it is R$ 176.00.');
    await app.manager('POST', `/bills/${id}/payments`, {
      body: { method: 'card', part: { amount: '76.00' }, expected_amount: '76.00' },
    });
    await page.getByRole('button', { name: 'Record cash R$ 100.00' }).waitFor();
  });

  test('when a payment is refunded with a reason, then its part is open again', async () => {
    const { table, billNow } = await seated();
    const page = await openBill(table);
    await press(page, 'Record payment');
    await press(page, 'Card');
    await press(page, 'Record card R$ 156.20');
    await press(page, 'Refund Card R$ 156.20');
    await press(page, 'Charged twice');
    await press(page, 'Refund R$ 156.20');
    await says(leftToPay(page), 'R$ 156.20');
    expect((await billNow()).payments).toMatchObject([{ status: 'refunded' }]);
  });

  test('when a waiter gives discounts, declines the service charge and takes a discount away, then the bill follows', async () => {
    const { table } = await seated();
    const page = await openBill(table);
    await press(page, 'Discount Pudim de leite');
    await page.getByRole('textbox', { name: 'Percent' }).fill('50');
    await page.getByRole('textbox', { name: 'Reason, for the manager' }).fill('Waited too long');
    await press(page, 'Give the discount');
    await says(leftToPay(page), 'R$ 146.30');
    await page.getByRole('switch', { name: 'Service charge (10%)' }).click();
    await says(leftToPay(page), 'R$ 133.00');
    await press(page, 'Take the discount away: Discount');
    await says(leftToPay(page), 'R$ 142.00');

    expectErrors(page, /status of 403 .*\/discounts$/);
    await press(page, 'Discount');
    await page.getByRole('textbox', { name: 'Percent' }).fill('21');
    await page.getByRole('textbox', { name: 'Reason, for the manager' }).fill('Friend');
    await press(page, 'Give the discount');
    await says(page.getByRole('alert'), 'You don’t have permission to do this.');
  });
});

describe('a payment without a network', () => {
  test('when it arrives and its answers are lost, then it is sent again with its key, and recorded once', async () => {
    const { table, billNow } = await seated();
    const page = await openBill(table);
    expectErrors(page, /net::ERR_FAILED .*\/payments$/);
    const keys: (string | null)[] = [];
    await page.context().route('**/payments', async (route) => {
      keys.push(await route.request().headerValue('idempotency-key'));
      if (keys.length > 1) return route.continue();
      await route.fetch({ url: reachable(route.request().url()) });
      return route.abort();
    });
    await press(page, 'Record payment');
    await press(page, 'Amount');
    await page.getByRole('textbox', { name: 'Amount' }).fill('10');
    await press(page, 'Card');
    await press(page, 'Record card R$ 10.00');
    await says(page, 'Recorded: card, R$ 10.00.');
    expect((await billNow()).payments).toHaveLength(1);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
  });

  test('when other people sit at the table before its end is sent, then they stay', async () => {
    const { table, id, billNow } = await seated();
    await app.manager('POST', `/bills/${id}/payments`, {
      body: { method: 'card', part: { rest: true }, expected_amount: '156.20' },
    });
    const { page } = await app.openAt(`waiter/bill/${id}`, waiter, smallPhone);
    await page.getByRole('button', { name: `Close bill and free table ${table}` }).waitFor();
    await setOffline(page, true);
    await press(page, `Close bill and free table ${table}`);
    await says(page, `Table ${table}: bill NOT CLOSED YET`);
    await app.manager('POST', `/tables/${table}/close`);
    const { body: others } = await app.manager('POST', `/tables/${table}/open`);
    await setOffline(page, false);
    await says(page, /^Bill \d+ is closed\.$/);
    expect((await billNow()).status).toBe('closed');
    expect((await at.tableOf(table)).seating).toBe(others.seating);
  });

  test('when it does not fit any more, then the page says by how much, and nothing is recorded by itself', async () => {
    const { table, id, billNow } = await seated();
    const page = await openBill(table);
    expectErrors(page, /status of 409 .*\/payments$/);
    await setOffline(page, true);
    await press(page, 'Record payment');
    await press(page, 'Cash');
    await press(page, 'Record cash R$ 156.20');
    await says(page, 'NOT RECORDED YET, kept on this phone');
    await app.manager('POST', `/bills/${id}/payments`, {
      body: { method: 'card', part: { amount: '100.00' }, expected_amount: '100.00' },
    });
    await setOffline(page, false);
    await says(page, `Table ${table}, cash R$ 156.20: NOT RECORDED`);
    await says(page, 'Meanwhile somebody else has paid. R$ 156.20 are R$ 100.00 too much: it is R$ 56.20 now.');
    await says(page, 'Nothing was recorded.');
    expect((await billNow()).payments).toHaveLength(1);
    await press(page, 'Understood');
    await until(async () => (await page.getByText('NOT RECORDED').count()) === 0, { what: 'the strip to be gone' });
  });
});

test.each(['en-US', 'pt-BR'] as const)(
  'when a manager looks at the evening (%s), then open bills and takings stand there, and follow',
  async (locale) => {
    const looks = { light: { ...tablet, colorScheme: 'light' }, dark: { ...phone, colorScheme: 'dark' } } as const;
    const { table, id } = await seated();
    await app.manager('POST', `/bills/${id}/payments`, {
      body: { method: 'other', part: { amount: '100.00' }, expected_amount: '100.00', tip: '7.00' },
    });
    const { page } = await openManager(app, '', { ...looks.light, locale });
    const row = page.getByRole('row').filter({ has: page.locator(`a[href="#/waiter/bill/${id}"]`) });
    await row.getByText(/^R\$.56[.,]20$/).waitFor();
    await page
      .locator('.manager-figures')
      .getByText(/tips|gorjetas/)
      .first()
      .waitFor();
    await app.manager('POST', `/bills/${id}/payments`, {
      body: { method: 'card', part: { rest: true }, expected_amount: '56.20' },
    });
    await row.getByText(/^(all paid|tudo pago)$/).waitFor();
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: `evening-${locale}` });
    await check('page');
    expect(found).toEqual([]);
    expect(await row.textContent()).toContain(table);
  },
);

test.each([
  ['en-US', { small: smallPhone, dark: { ...phone, colorScheme: 'dark' }, tablet }],
  ['pt-BR', { phone }],
] as const)(
  'when the pages of a bill are looked at (%s), then axe finds nothing, and all of it fits',
  async (locale, looks) => {
    const { table, id } = await seated([{ name: 'Feijoada', quantity: 12 }, 'Pudim de leite', 'Caipirinha']);
    const { lines } = (await app.manager('GET', `/bills/${id}`)).body;
    await app.manager('POST', `/bills/${id}/discounts`, {
      body: {
        percent: '100',
        line_id: lines[1].id,
        reason: 'Cold',
        label: 'Esperou demais, sobremesa da casa para a mesa',
      },
    });
    await app.manager('POST', `/bills/${id}/payments`, {
      body: {
        method: 'cash',
        part: { lines: [{ line_id: lines[0].id, quantity: 5 }] },
        expected_amount: '341.00',
        tip: '34.10',
        received: '400.00',
      },
    });
    const { page } = await app.openAt(`waiter/tables/${table}`, waiter, { ...Object.values(looks)[0], locale });
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: `bill-${locale}` });
    await page.locator('a[href*="waiter/bill/"]').waitFor();
    await check('table');
    await app.goTo(page, `waiter/bill/${id}`);
    await page.locator('.bill').waitFor();
    await check('bill');
    await page.locator('.bill-line-discount').first().click();
    await check('discount');
    await app.goTo(page, `waiter/bill/${id}/pay`);
    await page.locator('.pay-methods button').first().click();
    await check('cash');
    await page.locator('.pay-notes .chip').nth(1).click();
    await page.locator('.pay-ways .chip').nth(2).click();
    await page.locator('.choose-line input').first().check();
    await check('lines');
    await page.locator('.pay-ways .chip').nth(1).click();
    await check('shares');
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await check('shares-end');
    expect(found).toEqual([]);
  },
);
