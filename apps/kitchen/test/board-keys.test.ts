import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { bump, changeOrders, isGone, itemsAre, more, readAllergies, statusIs, ticketOf } from './support/board-page.ts';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { holdList, press, tapTwice } from './support/page.ts';

const manager = { ...waiter, email: 'manager@comanda.test' };

let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('kitchen-keys');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

describe('a bump bar, without a pointer and without Tab', () => {
  test('when allergies are unread, then the first Enter asks, the second bumps, and U takes it back', async () => {
    const { page } = await app.startShift();
    const order = await app.place('1', ['Feijoada', 'Pudim de leite'], 'peanuts');
    const ticket = ticketOf(page, order);
    await ticket.waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await ticket.getByText('Read it, bump again').waitFor();
    expect((await app.order(order.id)).status).toBe('received');
    await readAllergies(page);
    await page.keyboard.press('Enter');
    await statusIs(app, order, 'preparing');
    await ticket.getByText(/^Read \d\d:\d\d$/).waitFor();
    await page.keyboard.press('u');
    await statusIs(app, order, 'received');
  });
  test('when R is pressed, then the allergy is read on every screen and after a reload, and the first bump counts', async () => {
    const { page } = await app.startShift();
    const order = await app.place('1', ['Feijoada'], 'peanuts');
    const ticket = ticketOf(page, order);
    await ticket.waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('r');
    await ticket.getByText(/^Read \d\d:\d\d$/).waitFor();
    const { page: other } = await app.startShift();
    await ticketOf(other, order)
      .getByText(/^Read \d\d:\d\d$/)
      .waitFor();
    await page.reload();
    await ticket.getByText(/^Read \d\d:\d\d$/).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await statusIs(app, order, 'preparing');
  });
  test('when Enter is held, then it asks about the allergies, and once read it bumps once', async () => {
    const { page } = await app.startShift();
    const order = await app.place('1', ['Feijoada'], 'peanuts');
    const ticket = ticketOf(page, order);
    await ticket.waitFor();
    await page.keyboard.press('1');
    await page.keyboard.down('Enter');
    await ticket.getByText('Read it, bump again').waitFor();
    await readAllergies(page);
    for (let times = 0; times < 3; times++) await page.keyboard.down('Enter');
    expect(await ticket.getByText('Read it, bump again').count()).toBe(1);
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await statusIs(app, order, 'preparing');
  });
  test('when "Remove" is asked with Enter, then the next Enter says no, and none bumps a ticket while its back is open', async () => {
    const { page } = await app.startShift();
    const order = await app.place('1', ['Feijoada']);
    const ticket = ticketOf(page, order);
    await ticket.waitFor();
    for (const key of ['1', 'm']) await page.keyboard.press(key);
    await ticket.getByRole('button', { name: 'Remove Feijoada' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await ticket.getByRole('button', { name: 'No', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await isGone(ticket.getByRole('button', { name: 'No', exact: true }));
    for (const key of ['Enter', 'Space', 'm']) await page.keyboard.press(key);
    await ticket.getByRole('button', { name: '1 Feijoada, received' }).waitFor();
    await page.keyboard.press('Enter');
    await statusIs(app, order, 'preparing');
  });
  test('when Sold out is open, then arrows leave its fields and write nothing, No has the focus, and Escape closes it', async () => {
    const { page } = await app.startShift();
    await page.keyboard.press('o');
    const drawer = page.getByRole('complementary', { name: 'Sold out' });
    await drawer.getByRole('switch').first().waitFor();
    const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.className);
    const portions = drawer.locator('.dish-portions').first();
    for (const field of ['drawer-search', 'dish-portions', 'switch']) {
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe(field);
    }
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await portions.inputValue()).toBe('');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Cancel', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await drawer.locator('.drawer-search').focus();
    await page.keyboard.press('Escape');
    await isGone(drawer);
  });
  test('when Recall is opened, then arrows and Enter bring a ticket back, also one of another screen, and after a reload', async () => {
    const [first, second] = [await app.place('1', ['Feijoada']), await app.place('2', ['Feijoada'])];
    for (const { id } of [first, second])
      for (const status of ['preparing', 'ready', 'delivered']) await app.setOrder(id, status);
    const { page } = await app.startShift();
    await page.keyboard.press('Backspace');
    const recall = page.getByRole('complementary', { name: 'Recall' });
    await recall.getByRole('button', { name: `Bring back ticket ${first.ticket}`, exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
    expect(await focused()).toBe(`Bring back ticket ${first.ticket}`);
    await page.keyboard.press('Enter');
    await statusIs(app, first, 'ready');
    await isGone(recall);
    await ticketOf(page, first).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await statusIs(app, first, 'delivered');
  });
  test('when the cards of a phone are scrolled, then the chosen one comes into view, and its keys show all of it', async () => {
    const orders: Order[] = [];
    for (const table of ['1', '2', '3', '4']) orders.push(await app.place(table, ['Feijoada', 'Pudim de leite']));
    const remarks = 'sem cebola, sem coentro; molho à parte, '.repeat(12);
    const high = await app.place('5', [
      { name: 'Feijoada', remarks },
      { name: 'Pudim de leite', remarks },
    ]);
    const { page } = await app.startShift({ viewport: { width: 390, height: 640 } });
    const sides = (order: Order): Promise<{ top: number; bottom: number }> =>
      ticketOf(page, order).evaluate((card) => {
        const main = document.querySelector('.board-main')?.getBoundingClientRect();
        const { top, bottom } = card.getBoundingClientRect();
        return { top: top - (main?.top ?? 0), bottom: (main?.bottom ?? 0) - bottom };
      });
    await ticketOf(page, high).waitFor();
    await page.keyboard.press('4');
    await until(async () => (await sides(orders[3])).bottom >= 0, { what: 'the fourth ticket in view' });
    await page.keyboard.press('ArrowDown');
    await ticketOf(page, high).and(page.locator('[aria-current]')).waitFor();
    for (let tries = 0; tries < 20 && (await sides(high)).bottom < 0; tries++) await page.keyboard.press('ArrowDown');
    expect((await sides(high)).bottom).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('1');
    await until(async () => (await sides(orders[0])).top >= 0, { what: 'the first ticket in view' });
  });
  test('when the back of a short ticket is opened, then all of it is seen, and arrows reach its buttons', async () => {
    const { page } = await app.startShift();
    const order = await app.place('1', ['Feijoada']);
    const ticket = ticketOf(page, order);
    await ticket.waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('m');
    const back = ticket.locator('.ticket-back');
    await back.waitFor();
    expect(await back.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
    for (const name of ['Remove Feijoada', `Print ticket ${order.ticket}`, `Cancel order ${order.ticket}`]) {
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Escape');
    await isGone(back);
  });
});

test('when a table has the longest name, then the whole head is seen, with age and state', async () => {
  const table = 'VARANDA-NORTE-12';
  await app.manager('PUT', `/tables/${table}`);
  const order = await app.place(table, ['Feijoada', 'Pudim de leite']);
  for (const status of ['preparing', 'ready']) await app.setOrder(order.id, status);
  for (const viewport of [
    { width: 1_180, height: 820 },
    { width: 1_920, height: 1_080 },
  ]) {
    const { page } = await app.startShift({ viewport });
    const head = ticketOf(page, order).locator('.ticket-head');
    await head.getByText('READY').waitFor();
    await app.shoot(page, `long-table-${viewport.width}`);
    const cut = await head.evaluate((element) => {
      const edge = element.getBoundingClientRect();
      return [element, ...element.querySelectorAll('.ticket-table, .ticket-state, .ticket-age, .ticket-who')]
        .filter((each) => {
          const { right, bottom, top } = each.getBoundingClientRect();
          const isOut = right > edge.right || bottom > edge.bottom + 1 || top < edge.top - 1;
          return isOut || each.scrollWidth > each.clientWidth + 1;
        })
        .map(({ className }) => className);
    });
    expect(cut).toEqual([]);
  }
});

test('when a wall is loaded again, or the browser lets its display go, then it is asked to stay on without a touch', async () => {
  const { page, context } = await app.open();
  await context.addInitScript(() => {
    const locks: EventTarget[] = [];
    const request = (): Promise<EventTarget> => {
      locks.push(new EventTarget());
      return Promise.resolve(locks.at(-1) ?? new EventTarget());
    };
    Object.assign(globalThis, { locks });
    Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
  });
  const count = (): Promise<number> =>
    page.evaluate(() => (globalThis as unknown as { locks: unknown[] }).locks.length);
  const asked = (times: number): Promise<boolean> =>
    until(async () => (await count()) === times, { what: `wake lock request ${times}` });
  await page.reload();
  await press(page, 'Start shift');
  await asked(1);
  await page.reload();
  await page.locator('.board').waitFor();
  await asked(1);
  await page.evaluate(() => {
    (globalThis as unknown as { locks: EventTarget[] }).locks[0]?.dispatchEvent(new Event('release'));
  });
  await asked(2);
  // The first touch brings the sound back too.
  await page.getByRole('button', { name: 'SOUND OFF, TAP' }).waitFor();
  const order = await app.place('1', ['Feijoada']);
  await bump(page, order);
  await page.getByRole('button', { name: 'Sound', exact: true }).waitFor();
});

describe('a double tap', () => {
  test('when it is on Bump, then it bumps once, and does not say that allergies were read', async () => {
    const { page } = await app.startShift();
    const [order, allergic] = [await app.place('1', ['Feijoada']), await app.place('2', ['Feijoada'], 'peanuts')];
    const bumpOf = ({ ticket }: Order) => page.getByRole('button', { name: `Bump ticket ${ticket}`, exact: true });
    await bumpOf(allergic).waitFor();
    for (const each of [order, allergic]) await tapTwice(bumpOf(each));
    await ticketOf(page, allergic).getByText('Read it, bump again').waitFor();
    await ticketOf(page, order).getByRole('button', { name: '1 Feijoada, cooking' }).waitFor();
    await readAllergies(page);
    await bump(page, allergic);
    await statusIs(app, allergic, 'preparing');
    await bump(page, order);
    await statusIs(app, order, 'ready');
  });
  test('when it is on "Cancel order", or on a dish on sale, then nothing is cancelled or taken off', async () => {
    const { page } = await app.startShift();
    const order = await app.place('1', ['Feijoada']);
    const ticket = ticketOf(page, order);
    await more(page, order);
    await tapTwice(ticket.getByRole('button', { name: `Cancel order ${order.ticket}` }));
    await ticket.locator('.ticket-back').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await press(page, 'Sold out');
    const sold = page.getByRole('switch').first();
    const name = await sold.getAttribute('aria-label');
    await tapTwice(sold);
    await press(page, 'Cancel');
    expect(await sold.getAttribute('aria-label')).toBe(name);
    expect((await app.order(order.id)).status).toBe('received');
  });
});

describe('a station that a manager has set', () => {
  test('when it takes one tap, then a bump finishes the food, and the expediter hands out what is finished', async () => {
    const { page } = await app.openAt('board', manager);
    await press(page, 'Kitchen');
    await press(page, 'Taps and limits of this station');
    await press(page, '1: done');
    await press(page, 'Other limits for Feijoada');
    await app.shoot(page, 'station-form');
    await press(page, 'Save');
    await isGone(page.getByRole('form', { name: 'Kitchen, on all screens' }));
    await press(page, 'Start shift');
    const expediter = await app.open();
    await press(expediter.page, 'Expediter');
    await press(expediter.page, 'Start shift');

    const order = await app.place('1', ['Feijoada', 'Chope claro 300 ml']);
    const handOut = ticketOf(expediter.page, order);
    await handOut.getByText('Not ready yet').waitFor();
    await bump(page, order);
    await isGone(ticketOf(page, order));
    await itemsAre(app, order, ['ready', 'received']);
    // It can be brought back after a reload, too.
    await page.reload();
    await press(page, 'Recall');
    await press(page, `Bring back ticket ${order.ticket}`);
    await itemsAre(app, order, ['preparing', 'received']);
    await bump(page, order);
    await itemsAre(app, order, ['ready', 'received']);
    await handOut.getByRole('button', { name: '1 Feijoada, ready' }).waitFor();
    await bump(expediter.page, order);
    await itemsAre(app, order, ['delivered', 'received']);
  });
  test('when its name has an accent, then its settings are saved; and a board shows its dishes however it writes the name', async () => {
    for (const dish of [
      { name: 'Batida de coco', station: 'Balcão' },
      { name: 'Batida de caju', station: 'balca\u0303o' },
    ])
      await app.manager('POST', '/menu', { body: { ...dish, price: '18.00' } });
    const { page } = await app.openAt('board', manager);
    await press(page, 'Balcão');
    await press(page, 'Taps and limits of this station');
    await press(page, '2: begun, done');
    await press(page, 'Save');
    await isGone(page.getByRole('form', { name: 'Balcão, on all screens' }));
    const { body: stations } = await app.manager('GET', '/stations');
    expect(stations).toContainEqual({ station: 'Balcão', bumps: 2, amber_minutes: 5, late_minutes: 8, dishes: [] });

    // As an earlier release has kept it.
    await page.evaluate(() => localStorage.setItem('comanda.kitchen.station', 'BALCA\u0303O'));
    await page.reload();
    await page.getByRole('button', { name: 'Balcão', pressed: true }).waitFor();
    await press(page, 'Start shift');
    const order = await app.place('1', ['Batida de coco', 'Batida de caju']);
    await ticketOf(page, order).getByRole('button', { name: '1 Batida de caju, received' }).waitFor();
    await app.shoot(page, 'station-with-accent');
    await bump(page, order);
    await bump(page, order);
    await isGone(ticketOf(page, order));
    await itemsAre(app, order, ['ready', 'ready']);
  });
  test('when its settings are not read yet, then nothing can be saved over them', async () => {
    const set = { bumps: 2, amber_minutes: 6, late_minutes: 9, dishes: [] };
    const { page } = await app.openAt('board', manager);
    await press(page, 'Kitchen');
    const release = await holdList(page, '/stations');
    await app.manager('PUT', '/stations/kitchen', { body: set });
    await press(page, 'Taps and limits of this station');
    const form = page.getByRole('form', { name: 'Kitchen, on all screens' });
    await form.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await form.getByRole('button', { name: 'Save' }).count()).toBe(0);
    release();
    await form.getByRole('button', { name: '2: begun, done', exact: true, pressed: true }).waitFor();
    await press(form, 'Save');
    await isGone(form);
    const { body: stations } = await app.manager('GET', '/stations');
    expect(stations).toContainEqual({ station: 'kitchen', ...set });
  });
  test('when its limits are short, then the ticket is late on each screen, in words and with a sign', async () => {
    const limits = { bumps: 3, amber_minutes: 1, late_minutes: 2, dishes: [] };
    await app.manager('PUT', '/stations/bar', { body: limits });
    const { page } = await app.startShift();
    const order = await app.place('2', ['Chope claro 300 ml']);
    const food = await app.place('3', ['Feijoada']);
    await ticketOf(page, order).waitFor();
    const older = (at: string): string => new Date(Date.parse(at) - 150_000).toISOString();
    const withOlder = (text: string): string =>
      [order, food].reduce((all, { created_at: at }) => all.replaceAll(at, older(at)), text);
    await changeOrders(page, withOlder);
    await page.reload();
    await ticketOf(page, order).getByText('LATE').waitFor();
    expect(await ticketOf(page, order).locator('.ticket-age-line svg').count()).toBe(1);
    expect(await ticketOf(page, food).getByText('LATE').count()).toBe(0);
  });
});
