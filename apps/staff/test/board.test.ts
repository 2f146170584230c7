import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { expectErrors, setOffline } from '@comanda/testing/browser';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import {
  bump,
  isGone,
  isLaidOut,
  isLive,
  itemsAre,
  keptBumpsOf,
  readAllergies,
  signIn,
  statusIs,
  ticketOf,
} from './support/board-page.ts';
import { startStaffApp, waiter, type StaffApp, type Order } from './support/staff-app.ts';
import { press } from './support/page.ts';
import { placeRush } from './support/rush.ts';

const setTaps = (bumps: number): Promise<unknown> =>
  app?.manager('PUT', '/stations/kitchen', { body: { bumps, amber_minutes: 5, late_minutes: 8, dishes: [] } });
const manager = { ...waiter, email: 'manager@comanda.test' };

let app: StaffApp;
// If the machine has no browser, the first run downloads one.
beforeAll(async () => {
  app = await startStaffApp('kitchen-board');
}, 300_000);
afterEach(async () => {
  await app?.clear();
  await setTaps(3);
});
afterAll(() => app?.close());

test('an order can be served with taps on dishes and tickets', async () => {
  const { page } = await app.startThreeTapShift();
  await isLive(page);
  const order = await app.place('12', [{ name: 'Feijoada', quantity: 2, remarks: 'sem pimenta' }, 'Pudim de leite']);
  const ticket = ticketOf(page, order);
  await ticket.getByText('sem pimenta').waitFor();
  await press(ticket, '2 Feijoada, waiting');
  await press(ticket, '2 Feijoada, preparing');
  await ticket.getByRole('button', { name: '2 Feijoada, ready', exact: true }).waitFor();
  await itemsAre(app, order, ['ready', 'received']);
  await bump(page, order);
  await ticket.getByText('READY', { exact: true }).waitFor();
  await statusIs(app, order, 'ready');
  await bump(page, order);
  await isGone(ticket);
  await statusIs(app, order, 'delivered');
  await page.getByText(`Ticket ${order.ticket} handed over`, { exact: true }).waitFor();
  await press(page, 'Undo');
  await ticket.getByText('READY', { exact: true }).waitFor();
  await statusIs(app, order, 'ready');
  await until(async () => (await app.order(order.id)).seen_at !== null, { what: 'the order to be reported as seen' });
});

test('each station moves only its own dishes', async () => {
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
  await press(page, 'Board settings');
  await press(page, 'Bar');
  await press(page, 'Start shift');
  await ticketOf(page, order).getByRole('button', { name: '1 Caipirinha, waiting' }).waitFor();
  await readFirst();
  await itemsAre(app, order, ['preparing', 'received']);
  await isMarked(1, 'seen_at');
  await readAllergies(page);
  await bump(page, order);
  await itemsAre(app, order, ['preparing', 'preparing']);
  await isMarked(1, 'allergies_read_at');
});

test("one tap marks a station's dishes as ready if a manager has chosen this for the station", async () => {
  const { page } = await app.openAt('board', manager);
  await press(page, 'Kitchen');
  await press(page, 'Taps and limits of this station');
  await press(page, '1: ready');
  await press(page, 'Other limits for Feijoada');
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
  // Even after a reload, the ticket can be recalled.
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

test('a ticket bumped by two kitchens moves once', async () => {
  const [first, second] = [await app.startThreeTapShift(), await app.startThreeTapShift()];
  const order = await app.place('9', ['Feijoada']);
  await Promise.all([ticketOf(first.page, order).waitFor(), ticketOf(second.page, order).waitFor()]);
  // The server rejects a bump of an older version, such as before the order was reported as seen. The board then sends it again.
  for (const { page } of [first, second]) expectErrors(page, /status of 412 .*\/orders\/\d+$/);
  await setOffline(second.page, true);
  await bump(second.page, order);
  await bump(first.page, order);
  await statusIs(app, order, 'preparing');
  await setOffline(second.page, false);
  // The same user has already made this change on another screen, so the bump succeeds without a message.
  await until(async () => (await keptBumpsOf(second.page)) === 0, { what: 'the kept bump', timeoutMs: 20_000 });
  expect(await second.page.getByRole('alert').count()).toBe(0);
  await app.setOrder(order.id, 'ready');
  await ticketOf(second.page, order).getByText('READY', { exact: true }).waitFor(); // not the button’s “all ready”
  await setOffline(second.page, true);
  await bump(second.page, order);
  await app.setOrder(order.id, 'delivered');
  await setOffline(second.page, false);
  await second.page
    .getByRole('alert')
    .getByText(/Bumped by Marta at \d\d:\d\d:\d\d/)
    .waitFor({ timeout: 20_000 });
  expect((await app.order(order.id)).status).toBe('delivered');
});

test('the tickets stay when a session ends during a shift', async () => {
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
    .getByText(/^You were signed out at /)
    .waitFor();
  // The tickets are readable, but can't be tapped.
  expect(await page.locator('.app-ended[inert] .ticket').filter({ hasText: 'Feijoada' }).count()).toBe(1);
  await signIn(page, waiter);
  await statusIs(app, order, 'preparing');
  await ticketOf(page, order).getByRole('button', { name: '1 Feijoada, preparing' }).waitFor();
});

/** Reloads the page. The named part of the app can't be loaded until the returned function is called. */
async function reloadWithout(page: Page, part: string): Promise<() => Promise<void>> {
  const script = `**/assets/${part}-*.js`;
  expectErrors(page, /net::ERR_FAILED/);
  await page.route(script, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.reload();
  await failed;
  return () => page.unroute(script);
}

test('a message about a bump appears even if its script could not be loaded at first', async () => {
  const { page } = await app.startShift();
  const order = await app.place('13', ['Feijoada']);
  expectErrors(page, /status of 412 .*\/orders\/\d+$/);
  const mayLoad = await reloadWithout(page, 'notice');
  await ticketOf(page, order).waitFor();
  await setOffline(page, true);
  await bump(page, order);
  await app.setOrder(order.id, 'preparing');
  await mayLoad();
  await setOffline(page, false);
  const message = page.getByRole('alert').getByText(/Bumped by Marta/);
  await message.waitFor({ timeout: 20_000 });
  await press(page, 'Close');
  await isGone(message);
});

test('a drawer that could not be loaded opens after a reload', async () => {
  const { page } = await app.startShift();
  const mayLoad = await reloadWithout(page, 'drawers');
  const recall = page.getByRole('button', { name: 'Recall' });
  await recall.waitFor();
  await mayLoad();
  const drawer = page.locator('.drawer');
  const opensAfterReload = page.waitForEvent('load').then(() => recall.click());
  await recall.click();

  // No reload is needed if only the preload failed, and the script was loaded afterwards.
  await Promise.race([opensAfterReload, drawer.waitFor()]);
  await drawer.waitFor();
});

describe('tickets in a row', () => {
  /** Records the statuses that this page requests from the server, by order or dish. */
  function followMoves(page: Page): Map<string, string[]> {
    const moves = new Map<string, string[]>();
    page.on('request', (request) => {
      const [path] = /\/orders\/\d+(\/items\/\d+)?$/.exec(request.url()) ?? [];
      if (path === undefined || request.method() !== 'PUT') return;
      const { status } = request.postDataJSON() as { status: string };
      moves.set(path, [...(moves.get(path) ?? []), status]);
    });
    return moves;
  }
  /** Returns the oldest ticket, which a cook would prepare next. */
  const oldest = (page: Page) => page.locator('.board-slot .ticket').first();
  /**
   * Returns a ticket's current state as text: its next bump, and which allergies are confirmed. Empty once the ticket has left
   * the board; null while its last bump has no response.
   */
  const stateOf = (page: Page, label: string): Promise<string | null> =>
    page.locator(`.ticket[aria-label="${label}"]`).evaluateAll((parts) => {
      if (parts.length === 0) return '';
      const [button] = parts.flatMap((part) => [...part.querySelectorAll('.ticket-bump')]);
      if (button === undefined) return null;
      const [allergies] = parts.flatMap((part) => [...part.querySelectorAll('.ticket-allergies em')]);
      // The label of the selected card's button also names its key.
      return `${button.getAttribute('aria-label')?.replace(' (Enter)', '')} ${allergies?.textContent}`;
    });
  /** Taps until the ticket has left the board. Returns how many taps that took. */
  async function bringOff(page: Page, tap: (label: string) => Promise<void>): Promise<number> {
    const label = (await oldest(page).getAttribute('aria-label')) ?? '';
    for (let taps = 1; ; taps++) {
      const before = await stateOf(page, label);
      // A faster tap would be taken as a double tap, or would come before a cook could have read the allergies.
      if (taps > 1) await page.waitForTimeout(before?.includes('bump again') ? 750 : 450);
      await tap(label);
      let state: string | null = before;
      const isAnswered = async (): Promise<boolean> => {
        state = await stateOf(page, label);
        return state !== before && state !== null;
      };
      await until(isAnswered, { what: `${label} to answer a tap` });
      if (state === '') return taps;
    }
  }
  const byPointer =
    (page: Page) =>
    (label: string): Promise<void> =>
      page.locator(`.ticket[aria-label="${label}"] .ticket-bump`).click();
  /** Presses the digit on the card to select it, or Enter if it is already selected. */
  const byKeys =
    (page: Page) =>
    async (label: string): Promise<void> => {
      const card = page.locator(`.ticket[aria-label="${label}"]`).first();
      const isChosen = async (): Promise<boolean> => {
        const digit = await card.locator('.ticket-position').textContent();
        if (!digit) return false; // Until cards move up, gaps before this card use up the ten digits.
        await page.keyboard.press(digit);
        return (await card.getAttribute('aria-current')) === 'true';
      };
      await until(isChosen, { what: `${label} to be chosen` });
      await page.keyboard.press('Enter');
    };
  /** Opens a kitchen screen on which each ticket takes this many bumps. Drinks are on the bar's screen. */
  async function startKitchen(bumps: number): Promise<{ page: Page; orders: Order[] }> {
    await setTaps(bumps);
    const orders = await placeRush(app, budget(bumps === 1 ? 12 : 6, 60)); // Twelve are more than there are digits.
    const { page } = await app.open({ viewport: { width: 1_920, height: 1_080 } });
    await press(page, 'Kitchen');
    await press(page, 'Start shift');
    await isLaidOut(page);
    return { page, orders };
  }
  /** All steps of a dish, by the number of taps that a ticket takes. Even a single tap makes every step on the server. */
  const ways: Readonly<Record<number, string[]>> = {
    1: ['preparing', 'ready'],
    3: ['preparing', 'ready', 'delivered'],
  };

  test.each([1, 3])(
    'leave the board after %i taps each, by pointer and by keyboard',
    async (bumps) => {
      const { page, orders } = await startKitchen(bumps);
      const moves = followMoves(page);
      const way = ways[bumps] ?? [];
      const cooked = orders.filter(({ items }) => items.some(({ station }: Order) => station === 'kitchen'));
      for (const [index, { allergies }] of cooked.entries()) {
        const taps = await bringOff(page, index % 2 === 0 ? byPointer(page) : byKeys(page));
        // Unread allergies take one more tap.
        expect(taps).toBe(allergies === null ? bumps : bumps + 1);
      }
      expect(await page.locator('.ticket').count()).toBe(0);
      for (const order of cooked) {
        const isDone = async (): Promise<boolean> =>
          (await app.order(order.id)).items.every(
            ({ station, status }: Order) => status === (station === 'kitchen' ? way.at(-1) : 'received'),
          );
        await until(isDone, { what: `order ${order.id} to be ${way.at(-1)} in the kitchen, and nowhere else` });
      }
      expect([...moves].filter(([, statuses]) => statuses.join() !== way.join())).toEqual([]);
    },
    240_000,
  );
});
