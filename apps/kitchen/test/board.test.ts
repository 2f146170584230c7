import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import {
  bump,
  isGone,
  isLive,
  itemsAre,
  keptBumpsOf,
  more,
  readAllergies,
  signIn,
  signOut,
  statusIs,
  ticketOf,
} from './support/board-page.ts';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { press, reachable } from './support/page.ts';

let app: KitchenApp;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('kitchen-board');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

describe('a ticket, from the order to the table', () => {
  test('when an order is placed, then taps bring it to served, item by item and as a whole', async () => {
    const { page } = await app.startShift();
    await isLive(page);
    const order = await app.place('12', [{ name: 'Feijoada', quantity: 2, remarks: 'sem pimenta' }, 'Pudim de leite']);
    const ticket = ticketOf(page, order);
    await ticket.getByText('sem pimenta').waitFor();
    await press(ticket, '2 Feijoada, received');
    await press(ticket, '2 Feijoada, cooking');
    await ticket.getByRole('button', { name: '2 Feijoada, ready', exact: true }).waitFor();
    await itemsAre(app, order, ['ready', 'received']);
    await bump(page, order);
    await ticket.getByText('READY').waitFor();
    await statusIs(app, order, 'ready');
    await bump(page, order);
    await isGone(ticket);
    await statusIs(app, order, 'delivered');
    await page.getByText(`Ticket ${order.ticket} handed over`, { exact: true }).waitFor();
    await press(page, 'Undo');
    await ticket.getByText('READY').waitFor();
    await statusIs(app, order, 'ready');
    await until(async () => (await app.order(order.id)).seen_at !== null, { what: 'the order to be reported as seen' });
  });
  test('when dishes and tickets are bumped, then the board says what was done and what Bump does next, and an undone bump is not named', async () => {
    const { page } = await app.startShift();
    const order = await app.place('12', ['Feijoada', 'Pudim de leite']);
    const ticket = ticketOf(page, order);
    const next = (): Promise<string | null> =>
      ticket.getByRole('button', { name: `Bump ticket ${order.ticket}`, exact: true }).getAttribute('aria-description');
    await ticket.getByRole('button', { name: '1 Feijoada, received' }).waitFor();
    expect(await next()).toBe('start all');
    await press(ticket, '1 Feijoada, received');
    await page.getByText('Feijoada started', { exact: true }).waitFor();
    expect(await next()).toBe('all ready');
    await press(ticket, '1 Feijoada, cooking');
    await page.getByText('Feijoada done', { exact: true }).waitFor();
    await press(page, 'Undo');
    await ticket.getByRole('button', { name: '1 Feijoada, cooking' }).waitFor();
    expect(await page.locator('.board-last').count()).toBe(0);
    await bump(page, order);
    await page.getByText(`Ticket ${order.ticket} ready`, { exact: true }).waitFor();
    expect(await next()).toBe('hand over');
  });
  test('when only keys are pressed, then the same is done', async () => {
    const { page } = await app.startShift();
    const first = await app.place('1', ['Feijoada']);
    const second = await app.place('2', ['Feijoada', 'Pudim de leite']);
    await Promise.all([ticketOf(page, first).waitFor(), ticketOf(page, second).waitFor()]);
    await page.keyboard.press('2');
    const isChosen = async (): Promise<boolean> =>
      (await ticketOf(page, second).getAttribute('aria-current')) === 'true';
    await until(isChosen, { what: 'the second ticket to be chosen' });
    await page.keyboard.press('Space');
    await ticketOf(page, second).getByRole('button', { name: '1 Feijoada, cooking' }).waitFor();
    for (const status of ['ready', 'delivered']) {
      await page.keyboard.press('Enter');
      await statusIs(app, second, status);
      await page.waitForTimeout(450); // sooner it would be a double tap
    }
    await isGone(ticketOf(page, second));
    expect((await app.order(first.id)).status).toBe('received');
    await page.keyboard.press('Backspace');
    const recalls = page.getByRole('complementary', { name: 'Recall' }).getByRole('listitem');
    expect(await recalls.first().innerText()).toMatch(/served[^]*Feijoada, Pudim de leite/);
    await recalls.getByRole('button', { name: `Bring back ticket ${second.ticket}` }).press('Enter');
    await ticketOf(page, second).waitFor();
    // The same button would now undo the bump before that one.
    await isGone(page.getByRole('complementary', { name: 'Recall' }));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('m');
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await page
      .getByRole('complementary', { name: 'All-day' })
      .getByRole('row', { name: /^Feijoada 1/ })
      .waitFor();
  });
  test('when a bump bar sends the next key at once, then the key before it counts', async () => {
    const { page } = await app.startShift();
    const order = await app.place('1', ['Feijoada']);
    await ticketOf(page, order).waitFor();
    await page.evaluate(async () => {
      for (const key of ['1', 'Enter']) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        for (let turn = 0; turn < 10; turn++) await Promise.resolve(); // no frame is painted in between
      }
    });
    await statusIs(app, order, 'preparing');
  });
  test('when dishes are of two stations, then a station moves its own only', async () => {
    const { page } = await app.open();
    await press(page, 'Bar');
    await press(page, 'Start shift');
    const order = await app.place('3', ['Feijoada', 'Chope claro 300 ml']);
    const onlyFood = await app.place('4', ['Feijoada']);
    const ticket = ticketOf(page, order);
    await ticket.waitFor();
    expect(await ticket.getByRole('listitem').count()).toBe(1);
    await bump(page, order);
    await itemsAre(app, order, ['received', 'preparing']);
    expect((await app.order(order.id)).items[0].status).toBe('received');
    expect(await ticketOf(page, onlyFood).count()).toBe(0);
  });
  test('when one station has shown an order and read its allergies, then the other one still has to', async () => {
    const { page } = await app.open();
    await press(page, 'Kitchen');
    await press(page, 'Start shift');
    const order = await app.place('3', ['Feijoada', 'Caipirinha'], 'peanuts');
    const marks = async () => (await app.order(order.id)).stations as Order[];
    const isMarked = (at: number, mark: 'seen_at' | 'allergies_read_at') =>
      until(async () => (await marks())[at][mark] !== null, { what: `${mark} of station ${at}` });
    const readFirst = async (): Promise<void> => {
      await ticketOf(page, order).getByText('Tap when read').waitFor();
      await bump(page, order);
      await ticketOf(page, order).getByText('Read it, bump again').waitFor();
    };
    await readFirst();
    await readAllergies(page);
    await bump(page, order);
    await itemsAre(app, order, ['preparing', 'received']);
    await isMarked(0, 'allergies_read_at');
    await isMarked(0, 'seen_at');
    expect((await marks())[1]).toEqual({ station: 'bar', seen_at: null, seen_on: null, allergies_read_at: null });
    await press(page, 'Menu');
    await press(page, 'Station, columns, keys');
    await press(page, 'Bar');
    await press(page, 'Start shift');
    await ticketOf(page, order).getByRole('button', { name: '1 Caipirinha, received' }).waitFor();
    await readFirst();
    await itemsAre(app, order, ['preparing', 'received']);
    await isMarked(1, 'seen_at');
    await readAllergies(page);
    await bump(page, order);
    await itemsAre(app, order, ['preparing', 'preparing']);
    await isMarked(1, 'allergies_read_at');
  });
  test('when texts are HTML, then they stay text', async () => {
    const { page } = await app.startShift();
    const remark = '<img src=x onerror="document.title=1"><b>no salt</b>';
    const order = await app.place('5', [{ name: 'Feijoada', remarks: remark }], '<i>peanuts</i>');
    await ticketOf(page, order).getByText(remark).waitFor();
    await ticketOf(page, order).getByText('<i>peanuts</i>').waitFor();
    expect(await page.locator('.ticket mark *, .ticket-allergies i').count()).toBe(0);
    await press(page, 'All-day');
    await page.getByRole('complementary').getByText(remark).waitFor();
    expect(await page.title()).not.toBe('1');
  });
});

describe('changes and cancellations', () => {
  test('when others move a table, take a dish off and cancel, then the ticket says so until it is tapped', async () => {
    const { page } = await app.startShift();
    const order = await app.place('6', ['Feijoada', 'Pudim de leite'], 'nuts');
    const ticket = ticketOf(page, order);
    await ticket.getByRole('button', { name: /Tap when read/ }).click();
    await ticket.getByText(/^Read \d\d:\d\d$/).waitFor();
    await app.setItem(order, 1, 'cancelled');
    await app.manager('PUT', `/orders/${order.id}/table`, { body: { table: '16' } });
    const moved = ticketOf(page, { ...order, table: '16' });
    await moved.getByRole('button', { name: 'CHANGED Was table 6; 1 dish off' }).click();
    await isGone(moved.getByText('CHANGED'));
    await app.manager('PUT', `/orders/${order.id}`, { body: { status: 'cancelled', reason: 'guests left' } });
    await moved.getByText('CANCELLED').waitFor();
    await moved.getByText(/guests left$/).waitFor();
    await moved.getByRole('button', { name: `Clear ticket ${order.ticket}` }).click();
    await isGone(moved);
  });
  test('when a cook takes a dish off and cancels the rest, then each is asked once, on the ticket', async () => {
    const { page } = await app.startShift();
    const order = await app.place('7', ['Feijoada', 'Pudim de leite'], 'nuts');
    const ticket = ticketOf(page, order);
    await more(page, order);
    await ticket.getByText('nuts').waitFor();
    await press(ticket, 'Remove Pudim de leite');
    await press(ticket, 'No');
    await press(ticket, 'Remove Pudim de leite');
    await press(ticket, 'Yes, remove');
    await itemsAre(app, order, ['received', 'cancelled']);
    await press(ticket, `Cancel order ${order.ticket}`);
    await press(ticket, 'Yes, cancel');
    await statusIs(app, order, 'cancelled');
    await ticket.getByText('CANCELLED').waitFor();
  });
  test('when a ticket is printed twice, then the second print is marked', async () => {
    const { page } = await app.startShift();
    const order = await app.place('8', [{ name: 'Feijoada', remarks: 'no salt' }], 'nuts');
    await page.evaluate(() => {
      const prints: string[] = [];
      Object.assign(globalThis, { prints });
      window.print = () => {
        prints.push(document.querySelector<HTMLElement>('.printout')?.textContent ?? '');
        dispatchEvent(new Event('afterprint'));
      };
    });
    await more(page, order);
    const print = page.getByRole('button', { name: `Print ticket ${order.ticket}` });
    const prints = (): Promise<string[]> => page.evaluate(() => (globalThis as unknown as { prints: string[] }).prints);
    await print.click();
    await until(async () => (await prints()).length === 1, { what: 'the first print' });
    await print.click();
    await until(async () => (await prints()).length === 2, { what: 'the second print' });
    const [first, second] = await prints();
    for (const text of ['T8', 'Feijoada', 'no salt', 'nuts', `#${order.ticket}`]) expect(first).toContain(text);
    expect([first?.includes('REPRINT'), second?.includes('REPRINT')]).toEqual([false, true]);
  });
});

describe('two kitchens', () => {
  test('when both bump one ticket, then it moves once, and the loser reads who was faster', async () => {
    const [first, second] = [await app.startShift(), await app.startShift()];
    const order = await app.place('9', ['Feijoada']);
    await Promise.all([ticketOf(first.page, order).waitFor(), ticketOf(second.page, order).waitFor()]);
    expectErrors(second.page, /status of 412 .*\/orders\/\d+$/);
    await setOffline(second.page, true);
    await bump(second.page, order);
    await bump(first.page, order);
    await statusIs(app, order, 'preparing');
    await setOffline(second.page, false);
    // The same user made the same move: it is done, and nobody is told anything.
    await until(async () => (await keptBumpsOf(second.page)) === 0, { what: 'the kept bump', timeoutMs: 20_000 });
    expect(await second.page.getByRole('alert').count()).toBe(0);
    await app.setOrder(order.id, 'ready');
    await ticketOf(second.page, order).getByText('READY').waitFor();
    await setOffline(second.page, true);
    await bump(second.page, order);
    await app.setOrder(order.id, 'delivered');
    await setOffline(second.page, false);
    await second.page
      .getByRole('alert')
      .getByText(/Bumped by Marta \d\d:\d\d:\d\d/)
      .waitFor({ timeout: 20_000 });
    expect((await app.order(order.id)).status).toBe('delivered');
  });
});

test('when the session ends in the middle of a shift, then the tickets stay, the sign-in is asked, and the bump in between is made after it', async () => {
  const { page } = await app.startShift();
  const order = await app.place('11', ['Feijoada']);
  await ticketOf(page, order).waitFor();
  expectErrors(page, /status of 401 .*\/auth\/refresh$/);
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('comanda.kitchen.session@')) ?? '';
    const session = JSON.parse(localStorage.getItem(key) ?? '') as object;
    localStorage.setItem(key, JSON.stringify({ ...session, until: 0, refresh: 'revoked' }));
  });
  await bump(page, order);
  await page
    .getByRole('alert')
    .getByText(/^The sign-in of this screen ended at /)
    .waitFor();
  // It can be read, and nothing can be done with it.
  expect(await page.locator('.app-ended[inert] .ticket').filter({ hasText: 'Feijoada' }).count()).toBe(1);
  await app.shoot(page, 'sign-in-ended');
  await signIn(page, waiter);
  await statusIs(app, order, 'preparing');
  await ticketOf(page, order).getByRole('button', { name: '1 Feijoada, cooking' }).waitFor();
});

/** The list of dishes on a screen that hears of this one only what it has read first. */
async function openDeafTo(name: string): Promise<{ page: Page; dish: Locator }> {
  const { page } = await app.open();
  let read: Promise<string> | undefined;
  await page.route(/\/menu(\?|$)/, async (route) => {
    read ??= route.fetch({ url: reachable(route.request().url()) }).then((response) => response.text());
    await route.fulfill({ contentType: 'application/json', body: await read });
  });
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!String(message).includes(name)) socket.send(message);
    });
  });
  await page.reload();
  await press(page, 'Start shift');
  await press(page, 'Sold out');
  const dish = page.getByRole('listitem').filter({ hasText: name });
  await dish.getByText('5 left').waitFor();
  return { page, dish };
}
const dishOnMenu = async (id: number): Promise<unknown> =>
  (await app.stack.call('GET', '/menu')).body.find((each: Order) => each.id === id);

test('when a dish is sold out before the screen has heard of the last orders, then their portions are not put back', async () => {
  const body = { name: 'Quindim', price: '9.00', portions_left: 5 };
  const { id } = created(await app.manager('POST', '/menu', { body }));
  const { page, dish } = await openDeafTo('Quindim');
  await app.place('4', [{ name: 'Quindim', quantity: 2 }]);

  await dish.getByRole('switch').click();
  await press(page, 'Yes, sold out');

  await dish.getByText('3 left').waitFor();
  expect(await dishOnMenu(id)).toMatchObject({ available: false, portions_left: 3 });
});

test('when the last portion is sold, then the switch says so, and one tap puts the dish back', async () => {
  const body = { name: 'Manjar', price: '9.00', portions_left: 0 };
  const { id } = created(await app.manager('POST', '/menu', { body }));
  const { page } = await app.open();
  await press(page, 'Start shift');
  await press(page, 'Sold out');
  const dish = page.getByRole('listitem').filter({ hasText: 'Manjar' });
  expect(await dish.getByRole('switch').getAttribute('aria-checked')).toBe('false');

  await dish.getByRole('switch').click();

  await dish.getByRole('switch', { name: 'Manjar: Available' }).waitFor();
  expect(await dishOnMenu(id)).toMatchObject({ available: true, portions_left: null });
});

test('when portions are set before the screen has heard that the dish is sold out, then it stays sold out', async () => {
  const body = { name: 'Papo de anjo', price: '9.00', portions_left: 5 };
  const { id } = created(await app.manager('POST', '/menu', { body }));
  const { dish } = await openDeafTo('Papo de anjo');
  await app.manager('PUT', `/menu/${id}/availability`, { body: { available: false } });

  await dish.getByLabel('Papo de anjo: Portions').fill('7');
  await dish.getByLabel('Papo de anjo: Portions').press('Enter');

  await dish.getByText('7 left').waitFor();
  expect(await dishOnMenu(id)).toMatchObject({ available: false, portions_left: 7 });
});

test('when guests order another dish while portions are typed, then what is typed stays, and is set', async () => {
  const dishes = [
    { name: 'Cuscuz', price: '9.00', portions_left: 5 },
    { name: 'Tapioca', price: '9.00', portions_left: 50 },
  ];
  for (const body of dishes) created(await app.manager('POST', '/menu', { body }));
  const { page } = await app.startShift();
  await isLive(page);
  await press(page, 'Sold out');
  const input = page.getByLabel('Cuscuz: Portions');
  await input.press('ControlOrMeta+a');
  await input.pressSequentially('1');
  await app.place('4', ['Tapioca']);
  await page.getByText('49 left').waitFor();
  await input.pressSequentially('2');
  await input.press('Enter');

  await page.getByText('12 left').waitFor();
});

test('when another user signs in, then the first one’s kept bumps are not sent, and are when the first is back', async () => {
  const { page } = await app.startShift();
  const order = await app.place('10', ['Feijoada']);
  await ticketOf(page, order).waitFor();
  await setOffline(page, true);
  await bump(page, order);
  await signOut(page);
  await page.getByText('1 bump is kept on this device').waitFor();
  await press(page, 'Sign out all the same');
  await setOffline(page, false);
  const signInAndStart = async (email: string): Promise<void> => {
    await signIn(page, { ...waiter, email });
    await press(page, 'Start shift');
    await ticketOf(page, order).waitFor();
  };
  await signInAndStart('manager@comanda.test');
  await page.getByText('NEW', { exact: true }).waitFor();
  expect((await app.order(order.id)).status).toBe('received');
  await signOut(page);
  await signInAndStart(waiter.email);
  await statusIs(app, order, 'preparing');
});
