import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { expectErrors } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import { feedIsLive, guestOn, scan, seatGuest, type Guest } from './support/guest.ts';
import { startTableApp, withoutTls, type Order, type TableApp } from './support/table-app.ts';

let app: TableApp;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startTableApp('table-order', {}, ['notifier']);
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

const setItem = (order: Order, item: Order, status: string) =>
  app.manager('PUT', `/orders/${order.id}/items/${item.id}`, { body: { status } });

describe('an order, as its guest sees it', () => {
  test('when a guest scans, orders, and the kitchen works, then each step is said, and the sum', async () => {
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
    await card.getByText('Not yet on the kitchen’s screen.').waitFor();
    // A screen reader says that it is sent, and goes on with the order.
    await guest.hears(`Order ${order.ticket} is sent.`);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(`Order ${order.ticket}`);
    const [feijoada, chope] = order.items;
    const itemOf = (name: string) => card.getByRole('listitem').filter({ hasText: name });
    await itemOf('Feijoada').getByText('received').waitFor();
    await guest.sees('Table total R$ 86.00');
    await card.getByRole('button', { name: `Cancel order ${order.ticket}` }).waitFor();

    await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device: 'kitchen-1' } });
    await card.getByText(/On the kitchen’s screen \d\d:\d\d/).waitFor();
    await setItem(order, feijoada, 'preparing');
    await itemOf('Feijoada').getByText('cooking').waitFor();
    await card.getByText('The kitchen has started. Call a waiter').waitFor();
    for (const status of ['preparing', 'ready']) await setItem(order, chope, status);
    await guest.hears('Ready: Draught lager 300 ml');
    expect(await card.getByRole('listitem').first().textContent()).toContain('ready');
    await until(async () => (await page.title()).startsWith('● 2 ready'), { what: 'the title' });
    await setItem(order, chope, 'delivered');
    await itemOf('Draught').getByText('served').waitFor();
    for (const status of ['ready', 'delivered']) await setItem(order, feijoada, status);
    await itemOf('Feijoada').getByText('served').waitFor();
    await card.getByText(/On the kitchen’s screen \d\d:\d\d/).waitFor();
  });
  test('when a dish is ready while the list is still being read, then the guest hears it', async () => {
    const phone = await app.phone();
    const held = Promise.withResolvers<void>();
    await phone.context.route(/\/orders\?/, (route) => held.promise.then(() => route.fallback()));
    const seat = await app.newSeat();
    await scan(app, phone.page, seat);
    const guest = guestOn(app, phone, seat);
    await guest.order('Feijoada');
    await guest.orderCard().waitFor();
    await feedIsLive(phone.page);
    const order = await guest.placed();
    for (const status of ['preparing', 'ready']) await setItem(order, order.items[0], status);
    await guest.hears('Ready: Feijoada');
    held.resolve();
  });
  test('when the guest cancels before the kitchen starts, then it is cancelled and costs nothing', async () => {
    const guest = await seatGuest(app);
    await guest.add('Grilled picanha');
    await guest.openReview();
    await guest.allergies.fill('peanuts');
    await guest.send();
    await guest.sees('Allergy told to the kitchen: peanuts');
    // On a low phone the ways stand beside each other: the orders have the room.
    const ways = guest.page.locator('.orders-dock > :is(a, button)');
    await ways.nth(1).waitFor();
    const tops = await ways.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(1);
    // One that did not get through can be tried again.
    expectErrors(guest.page, /net::ERR_CONNECTION_RESET .*\/orders\/\d+$/);
    await guest.page.route(/\/orders\/\d+$/, (route) => route.abort('connectionreset'), { times: 1 });
    for (const isAnswered of [false, true]) {
      await guest.button(/^Cancel order /).click();
      await guest.button('Yes, cancel it').click();
      if (!isAnswered) await guest.page.getByRole('alert').waitFor();
    }
    await guest.page.getByText('Allergy told to the kitchen').waitFor({ state: 'detached' });
    await guest.sees('Table total R$ 0.00');
    expect((await guest.placed()).status).toBe('cancelled');
    await guest.page.getByRole('link', { name: /^Bill/ }).waitFor({ state: 'detached' });
  });
  test('when an order has HTML in a remark and allergies, then all of it stays text', async () => {
    const { page, ...guest } = await seatGuest(app);
    const remark = '<img src=x onerror="document.title=1"><b>no salt</b>';
    await page.getByRole('link', { name: 'Feijoada' }).click();
    await page.getByRole('textbox', { name: 'Remarks' }).fill(remark);
    await guest.allergies.fill('<i>peanuts</i>');
    await guest.button(/^Add Feijoada/).click();
    await guest.openReview();
    await guest.send();
    await guest.orderCard().getByText(remark).waitFor();
    expect(await page.locator('.remark b, .remark img').count()).toBe(0);
    const order = await guest.placed();
    expect([order.items[0].remarks, order.allergies]).toEqual([remark, '<i>peanuts</i>']);
  });
});

/** Breaks the way of orders to the server. Returns their idempotency keys. */
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

describe('one order for one intent', () => {
  test('when "Send to kitchen" is tapped twice, then one order is placed', async () => {
    const guest = await seatGuest(app);
    await guest.add('Feijoada');
    await guest.openReview();
    await guest.button('Send to kitchen').dblclick();
    await guest.orderCard().waitFor();
    await guest.placed();
  });
  test('when the page is reloaded while an order has no answer, then it goes on with the same key', async () => {
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
  test('when the guest stops, then the basket has it again; an earlier try that arrived is named', async () => {
    const guest = await seatGuest(app);
    await breakOrders(guest, async (route, tries) => {
      if (tries === 1) await route.fetch();
      return route.abort('connectionreset');
    });
    await guest.order('Milk flan');
    await guest.button('Stop, I will tell a waiter').click();
    const order = await guest.placed();
    await guest.sees(`It did arrive: it is order ${order.ticket}.`);
    await guest.button('Remove Milk flan').waitFor();
  });
});

describe('after the order', () => {
  test('when orders and bill have not been read yet, then no page says that nothing was ordered', async () => {
    const { page, ...guest } = await seatGuest(app);
    const goTo = (hash: string) => page.evaluate((to) => void (location.hash = to), hash);
    await goTo('#/orders');
    await guest.sees('Nothing ordered yet');
    await goTo('#/bill');
    await guest.sees('Nothing was ordered yet');
    await goTo('#/');
    await guest.order('Feijoada');
    await guest.orderCard().waitFor();
    const lists = Promise.withResolvers<void>();
    for (const list of ['orders', 'bills'])
      await page.route(`**/${list}?*`, (route) => lists.promise.then(() => route.fallback()));
    await page.reload();
    await guest.sees('Loading the orders…');
    await goTo('#/bill');
    await guest.sees('Loading the bill…');
    lists.resolve();
    await page.getByRole('status', { name: 'Left to pay' }).waitFor();
    await page.goBack();
    await guest.orderCard().waitFor();

    const { page: elsewhere } = await app.phone(); // at no table, so there is nothing to read
    await elsewhere.goto(`${app.url}/#/bill`);
    await elsewhere.getByText('Nothing was ordered yet').waitFor();
  });
  test('when the notifier is down, then the phone shows the orders and says that it is not live, until it is', async () => {
    const { page, ...guest } = await seatGuest(app);
    expectErrors(page, /WebSocket connection to .* failed/, /socket\.io/);
    await guest.order('Feijoada');
    await guest.sees('Table total R$ 62.00');
    const notLive = page.getByRole('status').getByText(/^Not live since \d\d:\d\d\. What you see may be old\./);
    await app.stack.processOf('notifier').end('SIGKILL');
    try {
      await notLive.waitFor({ timeout: 30_000 });
      // A page that was never live says so too.
      await page.reload();
      await guest.sees('Table total R$ 62.00');
      await notLive.waitFor({ timeout: 30_000 });
    } finally {
      await app.stack.processOf('notifier').start();
    }
    await notLive.waitFor({ state: 'detached', timeout: 30_000 });
  });
  test('when the table is closed, then every phone of it says so, orders nothing, and keeps what was chosen', async () => {
    const { seat, ...first } = await seatGuest(app);
    const phone = await app.phone();
    await scan(app, phone.page, seat);
    const second = guestOn(app, phone, seat);
    await first.order('Feijoada');
    await second.add('Milk flan');
    await second.button('Basket, 1 item').click();
    await second.button('Send to kitchen').waitFor();

    await app.manager('POST', `/tables/${seat.table}/close`);

    for (const guest of [first, second]) await guest.sees('Your time at this table has ended');
    expect(await second.button('Send to kitchen').isDisabled()).toBe(true);
    await second.button('Remove Milk flan').waitFor();
    await first.placed();
    await scan(app, phone.page, seat);
    await second.seesBasket('1 item');
    await second.openReview();
    await second.send();
    await second.orderCard().waitFor();
  });
  test('when a phone hears of the closing by its refused order only, then it says that nothing was ordered', async () => {
    const { context, page, seat, ...guest } = await seatGuest(app);
    expectErrors(page, /status of 409 .*\/orders$/, /WebSocket/);
    await context.routeWebSocket(/socket\.io/, (socket) => socket.close());
    // It asks then whether the table is open.
    const asked = page.waitForResponse('**/auth/me');
    await page.reload();
    await asked;
    await guest.add('Feijoada');
    await guest.openReview();
    await app.manager('POST', `/tables/${seat.table}/close`);

    await guest.send();

    await guest.sees('Nothing was ordered, and what you chose is kept.');
    await guest.button('Remove Feijoada').waitFor();
    expect(await guest.button('Send to kitchen').isDisabled()).toBe(true);
    expect(await app.ordersOf(seat)).toEqual([]);
  });
  test('when the menu is scrolled, then the orders can be reached; "Order more" opens the menu at its top', async () => {
    const { page, ...guest } = await seatGuest(app);
    await guest.order('Sparkling water');
    await guest.button('Order more').click();
    const link = page.getByRole('link', { name: /^Orders · / });
    await link.waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await guest.add('Sparkling water');
    const isInView = (): Promise<boolean> =>
      link.evaluate(
        (element) => scrollY > 500 && document.elementFromPoint(40, innerHeight - 50)?.closest('a') === element,
      );
    await until(isInView, { what: 'the link in view at the end of the menu' });
  });
});
