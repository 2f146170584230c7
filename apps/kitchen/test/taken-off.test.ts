import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { checkScreens } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { isGone, more, ticketOf } from './support/board-page.ts';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says, tablet } from './support/page.ts';
import { tablesOf } from './support/waiter-page.ts';

let app: KitchenApp;
let at: ReturnType<typeof tablesOf>;
beforeAll(async () => {
  app = await startKitchenApp('kitchen-taken-off');
  at = tablesOf(app);
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const statusesOf = async (order: Order): Promise<string[]> =>
  (await app.order(order.id)).items.map(({ status }: Order) => status);
/** An order at a table of its own, whose dishes have these statuses. */
async function cooked(statuses: readonly string[]) {
  const table = await at.newTable();
  await app.manager('POST', `/tables/${table}/open`);
  const { seating } = await at.tableOf(table);
  const order = await app.placeAt({ table, seating }, ['Feijoada', 'Pudim de leite'].slice(0, statuses.length));
  const steps = ['preparing', 'ready', 'delivered'];
  for (const [index, status] of statuses.entries())
    for (const step of steps.slice(0, steps.indexOf(status) + 1)) await app.setItem(order, index, step);
  return { table, order };
}

test('a waiter says why a dish that cooks is taken off, and is not offered one that was once delivered', async () => {
  const { table, order } = await cooked(['preparing', 'delivered']);
  await app.setItem(order, 1, 'ready');
  const { page } = await app.openAt(`waiter/tables/${table}`, waiter, { ...phone, locale: 'en-US' });
  await press(page, 'Take Feijoada off');
  expect(await page.getByRole('button', { name: 'Take Pudim de leite off' }).count()).toBe(0);
  const yes = page.getByRole('button', { name: 'Yes, take it off' });
  expect(await yes.isDisabled()).toBe(true);
  await press(page, 'Wrong order');
  await page.getByLabel('Another reason').fill('No pork today');
  const { check, found } = checkScreens(page, { looks: { phone }, shoot: app.shoot, name: 'reasons-waiter' });
  await check('question');
  await yes.click();
  await says(page, /^Feijoada is off order/);

  expect(await statusesOf(order)).toEqual(['cancelled', 'ready']);
  expect((await app.manager('GET', '/exceptions?limit=1')).body[0]).toMatchObject({
    kind: 'item_cancelled',
    name: 'Feijoada',
    reason: 'No pork today',
  });
  expect(found).toEqual([]);
});

test('a cook says why an order that cooks is cancelled; one that nobody has begun needs no reason', async () => {
  const { page } = await app.startShift();
  const { order } = await cooked(['preparing', 'preparing']);
  const ticket = ticketOf(page, order);
  await more(page, order);
  await press(ticket, 'Remove Feijoada');
  await press(ticket, 'Took too long');
  await press(ticket, 'Yes, remove');
  await until(async () => (await statusesOf(order))[0] === 'cancelled', { what: 'the dish to be off' });
  await press(ticket, `Cancel order ${order.ticket}`);
  expect(await ticket.getByRole('button', { name: 'Yes, cancel' }).isDisabled()).toBe(true);
  await press(ticket, 'Sold out');
  await app.shoot(page, 'reasons-board');
  await press(ticket, 'Yes, cancel');
  await ticket.getByText('CANCELLED').waitFor();

  const rows = (await app.manager('GET', '/exceptions?limit=2')).body;
  expect(rows.map(({ reason }: Order) => reason)).toEqual(['Sold out', 'Took too long']);

  const { order: fresh } = await cooked(['received']);
  const next = ticketOf(page, fresh);
  await more(page, fresh);
  await press(next, `Cancel order ${fresh.ticket}`);
  await press(next, 'Yes, cancel');
  await next.getByText('CANCELLED').waitFor();
  await isGone(next.getByRole('group', { name: 'Why?' }));
});

test.each(['en-US', 'pt-BR'])(
  'the evening (%s) lists what was taken off and given back, as it comes',
  async (locale) => {
    const looks = { light: { ...tablet, colorScheme: 'light' }, dark: { ...phone, colorScheme: 'dark' } } as const;
    const { table, order } = await cooked(['preparing']);
    const bill = (await app.order(order.id)).bill_id as number;
    const { page } = await openManager(app, 'evening', { ...looks.light, locale });
    const list = page.getByRole('list', { name: /^(Cancellations|Cancelamentos)/ });
    const given = { percent: '10', reason: `Birthday at ${table}` };
    const { discounts } = (await app.manager('POST', `/bills/${bill}/discounts`, { body: given })).body;
    const later = await app.placeAt({ table, seating: order.seating }, ['Feijoada']);
    const discount = list.getByRole('listitem').filter({ hasText: given.reason });
    // The list has what it took when it was given.
    await says(discount, /(all discounts on this bill|todos os descontos desta conta): R\$/);
    await app.manager('PUT', `/orders/${later.id}`, { body: { status: 'cancelled', reason: 'Changed their mind' } });
    await app.manager('DELETE', `/bills/${bill}/discounts/${discounts[0].id}`);
    const { remaining } = (await app.manager('GET', `/bills/${bill}`)).body;
    const cash = page.locator('.manager-figures > div').filter({ hasText: /Cash|Dinheiro/ });

    const paid = await app.manager('POST', `/bills/${bill}/payments`, {
      body: { method: 'cash', part: { rest: true }, expected_amount: remaining },
    });
    await cash.waitFor();
    const reason = `Charged twice at ${table}`;
    await app.manager('POST', `/bills/${bill}/payments/${paid.body.id}/refund`, { body: { reason } });
    const row = list.getByRole('listitem').filter({ hasText: reason });
    await row.waitFor();
    await says(cash, /\d (refunds?|estornos?) -?.?R\$/);
    await app.manager('PUT', `/orders/${order.id}`, { body: { status: 'cancelled' } });
    const cancelled = list
      .getByRole('listitem')
      .filter({ has: page.locator(`a[href="#/waiter/bill/${bill}"]`), hasText: /no reason given|sem motivo/ });
    await cancelled.waitFor();
    await app.manager('POST', `/bills/${bill}/close`, { body: {} });
    await list
      .getByText(/nothing to pay|sem nada a pagar/)
      .first()
      .waitFor();

    expect(await row.textContent()).toMatch(/Refunded|Estornado/);
    expect(await cancelled.textContent()).toMatch(/Feijoada/);
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: `taken-off-${locale}` });
    await check('page');
    expect(found).toEqual([]);
  },
);
