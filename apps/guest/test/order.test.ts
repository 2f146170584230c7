import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import type { ItemOption } from '@comanda/contracts/item-options';
import { expectErrors } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import { guestOn, scan, seatGuest, type Guest } from './support/guest.ts';
import { startGuestApp, withoutTls, type Order, type GuestApp } from './support/guest-app.ts';

let app: GuestApp;
// If the machine has no browser, the first run downloads one.
beforeAll(async () => {
  app = await startGuestApp('table-order', {}, ['notifier']);
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const setItem = (order: Order, item: Order, status: string) =>
  app.manager('PUT', `/orders/${order.id}/items/${item.id}`, { body: { status } });

describe("an order on the guest's phone", () => {
  test('shows every step from the scan until it is served', async () => {
    const phone = await app.phone();
    const seat = await app.newSeat();
    const { page, ...guest } = guestOn(app, phone, seat);
    await page.goto(withoutTls(app));
    await scan(app, page, seat);
    expect(page.url()).not.toContain('t=');
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    for (const dish of ['Feijoada', 'Draught lager 300 ml', 'Draught lager 300 ml']) await guest.add(dish);
    await guest.button('Basket, 3 items, R$ 86.00').click();
    await page.getByRole('heading', { level: 1, name: `Table ${seat.table}` }).waitFor();
    await guest.send();

    await guest.orderCard().waitFor();
    const order = await guest.placed();
    const card = guest.orderCard(order.ticket);
    await card.getByText('Not on the kitchen screen yet.').waitFor();
    // A screen reader announces that the order was sent, and the order has the focus.
    await guest.hears(`Order ${order.ticket} sent.`);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(`Order ${order.ticket}`);
    const [feijoada, chope] = order.items;
    const itemOf = (name: string) => card.getByRole('listitem').filter({ hasText: name });
    await itemOf('Feijoada').getByText('waiting').waitFor();
    await guest.sees('Table total R$ 86.00');
    await card.getByRole('button', { name: `Cancel order ${order.ticket}` }).waitFor();

    await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device: 'kitchen-1' } });
    await card.getByText(/On the kitchen screen since \d\d:\d\d/).waitFor();
    await setItem(order, feijoada, 'preparing');
    await itemOf('Feijoada').getByText('preparing').waitFor();
    await card.getByText('The kitchen has started. Call a waiter').waitFor();
    for (const status of ['preparing', 'ready']) await setItem(order, chope, status);
    await guest.hears('Ready: Draught lager 300 ml');
    expect(await card.getByRole('listitem').first().textContent()).toContain('ready');
    await until(async () => (await page.title()).startsWith('● 2 ready'), { what: 'the title' });
    await setItem(order, chope, 'delivered');
    await itemOf('Draught').getByText('served').waitFor();
    for (const status of ['ready', 'delivered']) await setItem(order, feijoada, status);
    await itemOf('Feijoada').getByText('served').waitFor();
    await card.getByText(/On the kitchen screen/).waitFor({ state: 'detached' });
  });
  test('has the options of a pizza in two halves for the kitchen, and the bill adds up', async () => {
    const guest = await seatGuest(app);
    const { page } = guest;
    await page.getByText('from R$ 36.00').waitFor();
    await guest.add('Pizza');
    for (const name of ['Large, 8 slices', 'Smoked sausage', 'Ham, egg and onion', 'Cheddar'])
      await page.locator('.option-main').filter({ hasText: name }).click();
    await guest.button('Add Pizza, R$ 73.00').click();
    await guest.add('Draught lager 300 ml');
    await guest.seesBasket('2 items, R$ 85.00');
    await guest.openReview();
    await guest.send();
    await guest.orderCard().getByText('1/2 Smoked sausage and onion').waitFor();
    const [line] = (await guest.placed()).items;
    const forKitchen = ({ kitchen_name: name, quantity, of, options }: ItemOption): string[] => [
      `${name} ${quantity}/${of}`,
      ...options.flatMap(forKitchen),
    ];
    expect([line.unit_price, line.options.flatMap(forKitchen)]).toEqual([
      '73.00',
      ['GRANDE 1/null', 'CALAB 1/2', 'PORT 1/2', 'BORDA CHED 1/null'],
    ]);
    await page.getByRole('link', { name: /^Bill/ }).click();
    const bill = page.getByRole('region', { name: 'Bill' });
    await bill
      .getByRole('listitem')
      .filter({ hasText: 'Pizza' })
      .filter({ hasText: '1/2 Ham' })
      .getByText('R$ 73.00')
      .waitFor();
    await bill.getByText('R$ 85.00').first().waitFor();
  });
  test('costs nothing if the guest cancels it before the kitchen starts', async () => {
    const guest = await seatGuest(app);
    await guest.add('Grilled picanha');
    await guest.openReview();
    await guest.allergies.fill('peanuts');
    await guest.send();
    await guest.sees('The kitchen knows about your allergy: peanuts');
    // A cancellation that the network has lost can be retried.
    expectErrors(guest.page, /net::ERR_CONNECTION_RESET .*\/orders\/\d+$/);
    await guest.page.route(/\/orders\/\d+$/, (route) => route.abort('connectionreset'), { times: 1 });
    await guest.button(/^Cancel order /).click();
    await guest.button('Yes, cancel it').click();
    await guest.page.getByRole('alert').waitFor();
    await guest.button('Yes, cancel it').click();
    await guest.page.getByText('The kitchen knows about your allergy').waitFor({ state: 'detached' });
    await guest.sees('Table total R$ 0.00');
    expect((await guest.placed()).status).toBe('cancelled');
    await guest.page.getByRole('link', { name: /^Bill/ }).waitFor({ state: 'detached' });
  });
});

/** Passes each order to `handle` instead of the server. Returns the orders' idempotency keys. */
async function breakOrders({ context, page }: Guest, handle: (route: Route, tries: number) => Promise<void>) {
  expectErrors(page, /net::ERR_CONNECTION_RESET .*\/orders$/);
  const keys: (string | undefined)[] = [];
  await context.route('**/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push(route.request().headers()['idempotency-key']);
    return handle(route, keys.length);
  });
  return keys;
}

describe('an order without a response', () => {
  test('is sent once, even after a reload', async () => {
    const guest = await seatGuest(app);
    let isDown = true;
    const keys = await breakOrders(guest, (route) => (isDown ? route.abort('connectionreset') : route.fallback()));
    await guest.order('Feijoada');
    await guest.sees('Not sent yet.');
    await guest.page.reload();
    await guest.sees('Not sent yet.');
    const tries = keys.length;
    await guest.button('Try now').click();
    await until(() => keys.length > tries, { what: 'another try' });
    isDown = false;
    await guest.orderCard().waitFor({ timeout: 20_000 });
    await guest.placed();
    expect(new Set(keys).size).toBe(1);
  });
  test('returns to the basket once the guest stops it', async () => {
    const guest = await seatGuest(app);
    await breakOrders(guest, async (route, tries) => {
      if (tries === 1) await route.fetch();
      return route.abort('connectionreset');
    });
    await guest.order('Milk flan');
    await guest.button('Stop. I’ll tell a waiter').click();
    const order = await guest.placed();
    await guest.sees(`It went through after all: order ${order.ticket}.`);
    await guest.button('Review').click();
    await guest.button('Remove Milk flan').waitFor();
  });
});

describe('a phone at a table', () => {
  test('shows the orders while the notifier is down', async () => {
    const { page, ...guest } = await seatGuest(app);
    expectErrors(page, /WebSocket connection to .* failed/, /socket\.io/);
    await guest.order('Feijoada');
    await guest.sees('Table total R$ 62.00');
    const notLive = page
      .getByRole('status')
      .getByText(/^No updates since \d\d:\d\d\. What you see may be out of date\./);
    await app.stack.processOf('notifier').end('SIGKILL');
    try {
      await notLive.waitFor({ timeout: 30_000 });
      // The same notice appears on a page whose feed was never live.
      await page.reload();
      await guest.sees('Table total R$ 62.00');
      await notLive.waitFor({ timeout: 30_000 });
    } finally {
      await app.stack.processOf('notifier').start();
    }
    await notLive.waitFor({ state: 'detached', timeout: 30_000 });
  });
  test('keeps the basket when the table is closed', async () => {
    const { seat, ...first } = await seatGuest(app);
    const phone = await app.phone();
    await scan(app, phone.page, seat);
    const second = guestOn(app, phone, seat);
    await first.order('Feijoada');
    await second.add('Milk flan');
    await second.button('Basket, 1 item').click();
    await second.button('Send to kitchen').waitFor();

    await app.manager('POST', `/tables/${seat.table}/close`);

    for (const guest of [first, second]) await guest.sees('You’re no longer at this table');
    expect(await second.button('Send to kitchen').isDisabled()).toBe(true);
    await second.button('Remove Milk flan').waitFor();
    await first.placed();
    await scan(app, phone.page, seat);
    await second.seesBasket('1 item');
    await second.openReview();
    await second.send();
    await second.orderCard().waitFor();
  });
});
