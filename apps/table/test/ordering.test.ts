import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '@comanda/testing/until';
import { addDish, openReview, sendOrder, startTableApp } from './support/table-app.ts';
import type { Order } from './support/table-app.ts';

let app: Awaited<ReturnType<typeof startTableApp>>;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startTableApp('table-app');
}, 300_000);
afterEach(() => app?.closePages());
afterAll(() => app?.close());

const orderCard = (page: Page, ticket: number) => page.getByRole('article', { name: `Order ${ticket}`, exact: true });
const allergiesField = (page: Page) => page.getByRole('textbox', { name: 'Your allergies' });
async function avoid(page: Page, allergen: string): Promise<void> {
  await page.getByRole('button', { name: 'Allergies' }).click();
  await page.getByRole('button', { name: allergen, exact: true }).click();
  await page.getByRole('button', { name: 'Show the dishes' }).click();
}
const dishCard = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
/** Makes the session's access token expired for the client, which stores when it expires. */
const expireToken = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.session@')) ?? '';
    localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? ''), until: 0 }));
  });

describe('an order, as its guest sees it', () => {
  test('when a guest scans, orders, and the kitchen works, then each step is said, and the sum', async () => {
    const seat = await app.newSeat();
    const { page, errors } = await app.phone();
    // An address that is not localhost: no secure context.
    await page.goto(`${app.url.replace('127.0.0.1', 'comanda.test')}/`);
    await app.scan(page, seat);
    expect(page.url()).not.toContain('t=');
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await addDish(page, 'Feijoada');
    await addDish(page, 'Chope claro 300 ml');
    await addDish(page, 'Chope claro 300 ml');
    await page.getByRole('button', { name: 'Basket, 3 items, R$ 86.00' }).click();
    await page.getByRole('heading', { level: 1, name: `Table ${seat.table}` }).waitFor();
    await page.getByRole('button', { name: 'Send to kitchen' }).click();

    await until(async () => (await app.ordersOf(seat)).length === 1, { what: 'the order in the kitchen' });
    const [order] = (await app.ordersOf(seat)) as [Order];
    const card = orderCard(page, order.ticket);
    await card.getByText('Not yet on the kitchen’s screen.').waitFor();
    const [feijoada, chope] = order.items;
    const itemOf = (name: string) => card.getByRole('listitem').filter({ hasText: name });
    await itemOf('Feijoada').getByText('received').waitFor();
    await page.getByText('Table total R$ 86.00').waitFor();
    await card.getByRole('button', { name: `Cancel order ${order.ticket}` }).waitFor();

    await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device: 'kitchen-1' } });
    await card.getByText(/On the kitchen’s screen \d\d:\d\d/).waitFor();
    const move = (item: Order, status: string) =>
      app.manager('PUT', `/orders/${order.id}/items/${item.id}`, { body: { status } });
    await move(feijoada, 'preparing');
    await itemOf('Feijoada').getByText('cooking').waitFor();
    await card.getByText('The kitchen has started. Call a waiter').waitFor();
    await move(chope, 'preparing');
    await move(chope, 'ready');
    await page.getByRole('status').getByText('Ready: Chope claro 300 ml').waitFor({ state: 'attached' });
    expect(await card.getByRole('listitem').first().textContent()).toContain('ready');
    await until(async () => (await page.title()).startsWith('● 2 ready'), { what: 'the title' });
    await move(chope, 'delivered');
    await itemOf('Chope').getByText('served').waitFor();
    for (const status of ['ready', 'delivered']) await move(feijoada, status);
    await itemOf('Feijoada').getByText('served').waitFor();
    await card.getByText(/On the kitchen’s screen \d\d:\d\d/).waitFor();
    // The browser notes that a header means nothing without TLS.
    expect(errors.filter((error) => !error.startsWith('The Cross-Origin-Opener-Policy header'))).toEqual([]);
  });
  test('when the guest cancels before the kitchen starts, then it is cancelled and costs nothing', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Picanha na brasa');
    await sendOrder(page);
    await page.getByRole('button', { name: /^Cancel order / }).click();
    await page.getByRole('button', { name: 'Yes, cancel it' }).click();
    await page.getByText('Table total R$ 0.00').waitFor();
    expect((await app.ordersOf(seat)).map(({ status }) => status)).toEqual(['cancelled']);
  });
  test('when an order has HTML in a remark and allergies, then all of it stays text', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    const remark = '<img src=x onerror="document.title=1"><b>no salt</b>';
    await page.getByRole('link', { name: 'Feijoada' }).click();
    await page.getByRole('textbox', { name: 'Remarks' }).fill(remark);
    await page.getByRole('textbox', { name: 'Your allergies' }).fill('<i>peanuts</i>');
    await page.getByRole('button', { name: /^Add Feijoada/ }).click();
    await sendOrder(page);
    await page
      .getByRole('article', { name: /^Order / })
      .getByText(remark)
      .waitFor();
    expect(await page.locator('.remark b, .remark img').count()).toBe(0);
    const [order] = (await app.ordersOf(seat)) as [Order];
    expect([order.items[0].remarks, order.allergies]).toEqual([remark, '<i>peanuts</i>']);
  });
});

describe('one order for one intent', () => {
  test('when "Send to kitchen" is tapped twice, then one order is placed', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Feijoada');
    await openReview(page);
    await page.getByRole('button', { name: 'Send to kitchen' }).dblclick();
    await page.getByRole('article', { name: /^Order / }).waitFor();
    expect(await app.ordersOf(seat)).toHaveLength(1);
  });
  test('when the first answer is lost, then the page says that it is not sent, and one order is placed', async () => {
    const seat = await app.newSeat();
    const { page, context } = await app.phone();
    await app.scan(page, seat);
    const keys: (string | undefined)[] = [];
    let isDown = true;
    await context.route('**/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      if (!isDown) return route.fallback();
      if (keys.length === 1) await route.fetch();
      return route.abort('connectionreset');
    });
    await addDish(page, 'Feijoada');
    await sendOrder(page);
    await page.getByRole('heading', { name: 'Not sent yet.' }).waitFor();
    await page.getByText('We keep trying. The kitchen has NOT got this.').waitFor();
    isDown = false;
    await page.getByRole('article', { name: /^Order / }).waitFor({ timeout: 20_000 });
    expect(await app.ordersOf(seat)).toHaveLength(1);
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
  });
  test('when the page is reloaded while an order has no answer, then it goes on with the same key', async () => {
    const seat = await app.newSeat();
    const { page, context } = await app.phone();
    await app.scan(page, seat);
    const keys = new Set<string | undefined>();
    let isDown = true;
    await context.route('**/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.add(route.request().headers()['idempotency-key']);
      return isDown ? route.abort('connectionreset') : route.fallback();
    });
    await addDish(page, 'Feijoada');
    await sendOrder(page);
    await page.getByRole('heading', { name: 'Not sent yet.' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Not sent yet.' }).waitFor();
    isDown = false;
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByRole('article', { name: /^Order / }).waitFor({ timeout: 20_000 });
    expect(await app.ordersOf(seat)).toHaveLength(1);
    expect(keys.size).toBe(1);
  });
  test('when the guest stops, then the basket has it again; an earlier try that arrived is named', async () => {
    const seat = await app.newSeat();
    const { page, context } = await app.phone();
    await app.scan(page, seat);
    let hasArrived = false;
    await context.route('**/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      if (!hasArrived) await route.fetch();
      hasArrived = true;
      return route.abort('connectionreset');
    });
    await addDish(page, 'Pudim de leite');
    await sendOrder(page);
    await page.getByRole('button', { name: 'Stop, I will tell a waiter' }).click();
    const [order] = (await app.ordersOf(seat)) as [Order];
    await page.getByText(`It did arrive: it is order ${order.ticket}.`).waitFor();
    await page.getByRole('button', { name: 'Remove Pudim de leite' }).waitFor();
    expect(await app.ordersOf(seat)).toHaveLength(1);
  });
  test('when the same dish is ordered twice on purpose, then two orders are placed', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    for (const count of [1, 2]) {
      await addDish(page, 'Caipirinha');
      await sendOrder(page);
      await page.getByText(`Table total R$ ${24 * count}.00`).waitFor();
      await page.getByRole('button', { name: 'Order more' }).click();
    }
    const orders = await app.ordersOf(seat);
    expect(orders.map(({ items }) => [items[0].name, items[0].quantity])).toEqual([
      ['Caipirinha', 1],
      ['Caipirinha', 1],
    ]);
  });
});

test('when the notifier is down, then the phone shows the orders and says that it is not live, until it is', async () => {
  const seat = await app.newSeat();
  const { page } = await app.phone();
  await app.scan(page, seat);
  await addDish(page, 'Feijoada');
  await sendOrder(page);
  await page.getByText('Table total R$ 62.00').waitFor();
  const notLive = page.getByRole('status').getByText(/^Not live since \d\d:\d\d\. What you see may be old\./);
  await app.stack.services.notifier.end('SIGKILL');
  try {
    await notLive.waitFor({ timeout: 30_000 });
    // A page that was never live says so too.
    await page.reload();
    await page.getByText('Table total R$ 62.00').waitFor();
    await notLive.waitFor({ timeout: 30_000 });
  } finally {
    await app.stack.services.notifier.start();
  }
  await notLive.waitFor({ state: 'detached', timeout: 30_000 });
}, 120_000);

describe('the seat', () => {
  const whoOf = (page: Page): Promise<string | null> =>
    page.evaluate(() => localStorage.getItem(Object.keys(localStorage).find((key) => key.includes('session@')) ?? ''));
  const userIn = (session: string | null): unknown =>
    JSON.parse(
      atob(
        JSON.parse(session ?? '')
          .access.split('.')[1]
          .replaceAll('-', '+')
          .replaceAll('_', '/'),
      ),
    ).sub;

  test("when the code is scanned again, then it is the same guest, and the table's orders are there", async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Feijoada');
    await sendOrder(page);
    await page.getByText('Table total R$ 62.00').waitFor();
    const before = userIn(await whoOf(page));
    await app.scan(page, seat);
    await page.getByRole('link', { name: /^Orders · R\$ 62\.00/ }).click();
    await page.getByText('Table total R$ 62.00').waitFor();
    expect(userIn(await whoOf(page))).toBe(before);

    const other = await app.phone();
    await app.scan(other.page, seat);
    await other.page.getByRole('link', { name: /^Orders · R\$ 62\.00/ }).waitFor();
  });
  test('when the page is reloaded, then the basket is still there', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Feijoada');
    await page.reload();
    await page.getByRole('button', { name: 'Basket, 1 item, R$ 62.00' }).waitFor();
  });
  test('when the table is closed while a guest chooses, then the page says so, and a new scan finds the basket', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Feijoada');
    await openReview(page);
    await app.manager('POST', `/tables/${seat.table}/close`);
    await expireToken(page);
    await page.getByRole('button', { name: 'Send to kitchen' }).click();
    await page.getByText('Your time at this table has ended.').first().waitFor();
    expect(await app.ordersOf(seat)).toEqual([]);
    await app.scan(page, seat);
    await page.getByRole('button', { name: 'Basket, 1 item, R$ 62.00' }).waitFor();
  });
  test('when the table is closed while a guest looks at the orders, then the page says so, without buttons that cannot work, and keeps the total', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Feijoada');
    await sendOrder(page);
    await page.getByRole('button', { name: /^Cancel order / }).waitFor();
    await app.manager('POST', `/tables/${seat.table}/close`);
    await expireToken(page);
    await page.getByText('Your time at this table has ended').waitFor();
    await page.getByText('Table total R$ 62.00').waitFor();
    await page.getByRole('heading', { level: 1, name: `Table ${seat.table}` }).waitFor();
    expect(await page.getByRole('button', { name: /^Cancel order |^Order more/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'To the menu' }).click();
    await page.getByRole('link', { name: /^Orders · R\$ 62\.00/ }).waitFor();
    const ended = page.getByText('Your time at this table has ended');
    await page.mouse.wheel(0, 5000);
    await until(
      () => ended.evaluate((element) => scrollY > 500 && element.getBoundingClientRect().bottom < innerHeight),
      {
        what: 'the notice in view at the end of the menu',
      },
    );
  });
  test('when the menu is scrolled, then the orders can be reached; "Order more" opens the menu at its top', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Água com gás');
    await sendOrder(page);
    await page.getByRole('button', { name: 'Order more' }).click();
    const link = page.getByRole('link', { name: /^Orders · / });
    await link.waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await addDish(page, 'Água com gás');
    await until(
      () =>
        link.evaluate(
          (element) => scrollY > 500 && document.elementFromPoint(40, innerHeight - 50)?.closest('a') === element,
        ),
      { what: 'the link in view at the end of the menu' },
    );
  });
  test('when no code was scanned, then the menu can be read, and nothing can be added', async () => {
    const { page } = await app.phone();
    await page.goto(app.url);
    await page.getByText('Scan the code on your table').waitFor();
    await dishCard(page, 'Feijoada').waitFor();
    expect(await page.getByRole('button', { name: /^Add / }).count()).toBe(0);
  });
  test('when the code is not valid any more, then the page says what to do', async () => {
    const { page } = await app.phone();
    await page.goto(`${app.url}/?t=bm9uc2Vuc2U`);
    await page.getByText('This code is not valid any more').waitFor();
    await dishCard(page, 'Feijoada').waitFor();
    expect(page.url()).not.toContain('t=');
  });
  test('when a signed-in customer scans, then they stay signed in and order for that table', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('customer@comanda.test');
    await page.getByRole('textbox', { name: 'Password' }).fill('mesa-farofa-violao');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: /^(Your accounts|Account \d)/ }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('heading', { level: 1, name: 'Menu' }).waitFor();
    await app.scan(page, seat);
    await addDish(page, 'Feijoada');
    await sendOrder(page);
    await page.getByText('Your total R$ 62.00').waitFor();
    const [order] = (await app.ordersOf(seat)) as [Order];
    expect(order.placed_by.name).toBe('Ana');
  });
  test('when somebody registers with a common password, then the form says why and keeps what was typed', async () => {
    const { page } = await app.phone();
    await page.goto(`${app.url}/#/account`);
    await page.getByRole('button', { name: 'I am new here' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Lia');
    const email = `lia-${Date.now()}@comanda.test`;
    await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill('password');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('alert').getByText('This password is too easy to guess.').waitFor();
    await page.getByRole('alert').getByText('Request id').waitFor();
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(email);
    await page.getByRole('textbox', { name: 'Password' }).fill('farofa-com-violao-9');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { level: 1, name: /^(Your accounts|Account \d)/ }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('heading', { level: 1, name: 'Menu' }).waitFor();
  });
});

describe('what is said before an order is placed', () => {
  async function newDish(name: string, more: Record<string, unknown> = {}): Promise<Order> {
    const body = { name, price: '10.00', category: 'Testes', position: 900, ...more };
    return (await app.manager('POST', '/menu', { body })).body;
  }
  test('when a price changes after the dish was chosen, then the review says both prices', async () => {
    const dish = await newDish('Bolo de preço');
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, dish.name);
    await openReview(page);
    await app.manager('PUT', `/menu/${dish.id}`, { body: { price: '12.00' } });
    await page.getByText('The price changed: it was R$ 10.00, now it is R$ 12.00.').waitFor();
    await page.getByRole('button', { name: 'Send to kitchen' }).click();
    await page.getByText('Table total R$ 12.00').waitFor();
  });
  test('when few portions are left, and then none, then the menu and the review say so', async () => {
    const dish = await newDish('Torta contada', { portions_left: 2 });
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await dishCard(page, dish.name).getByText('2 left').waitFor();
    await addDish(page, dish.name);
    await addDish(page, dish.name);
    await page.getByRole('button', { name: `Add ${dish.name}` }).click({ force: true });
    await page.getByText(`There is no more ${dish.name}.`).waitFor({ state: 'attached' });
    await addDish(page, 'Feijoada');
    await page.getByRole('button', { name: 'Basket, 3 items, R$ 82.00' }).waitFor();
    await openReview(page);
    await app.manager('PUT', `/menu/${dish.id}/availability`, { body: { available: false } });
    await page.getByText('Sold out. Take it out to send the rest.').waitFor();
    await page.getByRole('button', { name: 'Send to kitchen' }).click({ force: true });
    await page.getByText('Not sent. First take out what is sold out.').waitFor({ state: 'attached' });
    expect(await app.ordersOf(seat)).toEqual([]);
    await page.getByRole('button', { name: 'Take out what is sold out' }).click();
    await page.getByRole('button', { name: 'Send to kitchen' }).click();
    await page.getByText('Table total R$ 62.00').waitFor();
  });
  test('when ordering is paused, then the page says until when, and keeps the basket', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Feijoada');
    await openReview(page);
    const pausedUntil = new Date(Date.now() + 3600_000).toISOString();
    await app.manager('PUT', '/ordering', { body: { paused_until: pausedUntil, reason: 'The oven is cold' } });
    try {
      await page.getByText(/The kitchen takes no orders until \d\d:\d\d/).waitFor();
      await page.getByText('The oven is cold').waitFor();
      await page.getByRole('button', { name: 'Send to kitchen' }).click({ force: true });
      expect(await app.ordersOf(seat)).toEqual([]);
    } finally {
      await app.manager('PUT', '/ordering', { body: {} });
    }
    await page.getByText('The oven is cold').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send to kitchen' }).click();
    await page.getByText('Table total R$ 62.00').waitFor();
  });
  test('when a guest cannot eat something, then dishes with it are hidden, and how many is said', async () => {
    const { page } = await app.phone();
    await page.goto(app.url);
    await dishCard(page, 'Moqueca de peixe').waitFor();
    await avoid(page, 'fish');
    await page.getByText('2 dishes are hidden: with fish.').waitFor();
    expect(await dishCard(page, 'Moqueca de peixe').count()).toBe(0);
    await page.reload();
    await page.getByText('2 dishes are hidden: with fish.').waitFor();
  });
  test('when a guest cannot eat something, then a dish that states no allergens says so, on its card and page', async () => {
    const dish = await newDish('Tapioca sem dados');
    const unstated = 'Allergens not stated: ask';
    const { page } = await app.phone();
    await page.goto(app.url);
    await dishCard(page, dish.name).waitFor();
    expect(await page.getByText(unstated).count()).toBe(0);
    await avoid(page, 'gluten');
    await dishCard(page, dish.name).getByText(unstated).waitFor();
    expect(await dishCard(page, 'Pão de queijo').getByText(unstated).count()).toBe(0);
    await page.getByRole('link', { name: dish.name }).click();
    await page.getByRole('heading', { name: unstated }).waitFor();
  });
  test.each(['gluten', 'Alergia a glúten!'])(
    'when a guest writes "%s" for a dish with it, then the dish and the review warn, and it can be sent',
    async (written) => {
      const seat = await app.newSeat();
      const { page } = await app.phone();
      await app.scan(page, seat);
      await page.getByRole('link', { name: 'Feijoada' }).click();
      await allergiesField(page).fill('peanuts');
      expect(await page.getByText('Feijoada contains').count()).toBe(0);
      await allergiesField(page).fill(written);
      await page.getByText('Feijoada contains gluten.').waitFor();
      await page.getByRole('button', { name: /^Add Feijoada/ }).click();
      await addDish(page, 'Caipirinha');
      await openReview(page);
      await page.getByRole('listitem').filter({ hasText: 'Feijoada' }).getByText('Feijoada contains gluten.').waitFor();
      await page.getByText('Feijoada contains gluten. Remove it, or send anyway.').waitFor();
      expect(await page.getByText('Caipirinha contains').count()).toBe(0);
      await page.getByRole('button', { name: 'Send to kitchen' }).click();
      await page.getByText(`Allergy told to the kitchen: ${written}`).waitFor();
    },
  );
  test("when a dish was chosen before its allergen, then the review warns of the filter's choice", async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await addDish(page, 'Feijoada');
    await addDish(page, 'Chope claro 300 ml');
    await avoid(page, 'gluten');
    await openReview(page);
    await page.getByText('2 dishes contain what you cannot eat. Remove them, or send anyway.').waitFor();
  });
  test('when something was chosen on the menu, then it is written for the kitchen, and again in the next order', async () => {
    const seat = await app.newSeat();
    const { page } = await app.phone();
    await app.scan(page, seat);
    await avoid(page, 'fish');
    await addDish(page, 'Feijoada');
    await openReview(page);
    expect(await allergiesField(page).inputValue()).toBe('fish');
    await allergiesField(page).fill('fish, kiwi');
    await page.getByRole('button', { name: 'Send to kitchen' }).click();
    await page.getByText('Allergy told to the kitchen: fish, kiwi').waitFor();
    await page.getByRole('button', { name: 'Order more' }).click();
    await addDish(page, 'Caipirinha');
    await openReview(page);
    expect(await allergiesField(page).inputValue()).toBe('fish, kiwi');
    // What the guest takes out stays out.
    await allergiesField(page).fill('');
    await page.reload();
    await page.getByRole('button', { name: 'Send to kitchen' }).waitFor();
    expect(await allergiesField(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Send to kitchen' }).click();
    await page.getByText('Table total R$ 86.00').waitFor();
    expect((await app.ordersOf(seat)).map(({ allergies }) => allergies)).toEqual(['fish, kiwi', null]);
  });
  test('when a guest searches without accents, then the dish is found; when nothing fits, then the page says so', async () => {
    const { page } = await app.phone();
    await page.goto(app.url);
    await dishCard(page, 'Feijoada').waitFor();
    await page.getByRole('button', { name: 'Search dishes' }).click();
    await page.getByRole('searchbox', { name: 'Search dishes' }).fill('pao');
    await dishCard(page, 'Feijoada').waitFor({ state: 'detached' });
    expect(await page.getByRole('article').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search dishes' }).fill('sushi');
    await page.getByText('No dish with “sushi”').waitFor();
  });
});
