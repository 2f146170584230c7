import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { budget } from '@comanda/testing/budget';
import { until } from '@comanda/testing/until';
import { emptyShare } from './support/empty-share.ts';
import { startKitchenApp, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { press } from './support/page.ts';
import { placeRush } from './support/rush.ts';

let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('kitchen-rush');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const wall = { width: 1_920, height: 1_080 };
const tablet = { width: 1_180, height: 820 };

/** Waits for a page without a cut card: a layout that moves cards waits for a moment, as after the font has come. */
const isLaidOut = (page: Page): Promise<boolean> =>
  until(
    () =>
      page.evaluate(() => {
        const cards = [...document.querySelectorAll('.board-slot .ticket')];
        return cards.length > 0 && cards.every(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1);
      }),
    { what: 'a page without a cut card' },
  );

describe('27 ordinary tickets', () => {
  test.each([
    ['wall', wall, 16],
    ['tablet', tablet, 9],
  ])(
    'when they stand on a %s, then enough are seen, little is empty, and the board says how many wait',
    async (look, viewport, least) => {
      await placeRush(app);
      const { page } = await app.startShift({ viewport });
      await page.locator('.board-dense').waitFor();
      await isLaidOut(page);
      // Cards that stand move to their new places after a moment.
      const isFull = async (): Promise<boolean> => (await page.evaluate(emptyShare)).tickets >= least;
      await until(isFull, { what: `${least} tickets to be seen` });
      await isLaidOut(page);
      const { tickets, empty } = await page.evaluate(emptyShare);
      await app.shoot(page, `rush-${look}`);
      expect(tickets).toBeGreaterThanOrEqual(least);
      expect(empty).toBeLessThan(0.2);
      await page.getByText(new RegExp(`^\\+${27 - tickets} more, oldest `)).waitFor();
    },
  );
  test('when a few are open, then letters are large, and as somebody has chosen at the start of the shift', async () => {
    await placeRush(app, 3);
    const { page } = await app.open({ viewport: tablet });
    const best = await page.getByRole('button', { name: /best here$/ }).innerText();
    await press(page, 'Start shift');
    await isLaidOut(page);
    const board = page.locator('.board');
    expect(await board.getAttribute('class')).toBe('board');
    expect(await board.evaluate((element) => getComputedStyle(element).getPropertyValue('--columns'))).toBe(
      best.split(',')[0],
    );
    await press(page, 'Menu');
    await press(page, 'Station, columns, keys');
    await press(page, 'Dense');
    await press(page, 'Start shift');
    await page.locator('.board-dense').waitFor();
  });
});

test('when one more ticket makes the board dense, then the cards take their new places at once, without the pause of a move', async () => {
  const viewport = { width: 1_280, height: 800 };
  await placeRush(app, 6);
  const { page } = await app.startShift({ viewport });
  await page.locator('.board:not(.board-dense) .ticket').nth(5).waitFor();
  await page.evaluate(() => {
    const wait = globalThis.setTimeout;
    // The pause never ends.
    const without = (run: TimerHandler, ms?: number): number =>
      ms !== undefined && ms > 300 && ms <= 400 ? 0 : wait(run, ms);
    Object.assign(globalThis, { setTimeout: without });
  });
  await placeRush(app, 2);
  await page.locator('.board-dense').waitFor();
  const places = (screen: Page): Promise<string[]> =>
    screen.locator('.board-slot').evaluateAll((all) => all.map((each) => each.getAttribute('style') ?? ''));
  const { page: fresh } = await app.startShift({ viewport });
  await fresh.locator('.board-dense .ticket').nth(7).waitFor();
  await until(async () => (await places(fresh)).join() === (await places(page)).join(), { what: 'the same places' });
});

test('when a ticket is higher than a column, then it goes on beside it, with its allergies, and nothing is cut', async () => {
  await placeRush(app, 2);
  const dishes = (await app.manager('GET', '/menu')).body as { name: string }[];
  const order = await app.place(
    '5',
    dishes.map(({ name }) => ({ name, remarks: 'no salt' })),
    'peanuts',
  );
  const { page } = await app.startShift({ viewport: { width: 1_920, height: 720 } });
  await isLaidOut(page);
  const parts = page.getByRole('article', { name: `Table 5, ticket ${order.ticket}`, exact: true });
  expect(await parts.count()).toBeGreaterThan(1);
  expect(await parts.first().getByText('goes on').count()).toBe(1);
  expect(await parts.getByText('continued', { exact: true }).count()).toBe((await parts.count()) - 1);
  expect(await parts.getByText('peanuts').count()).toBe(await parts.count());
  expect(await parts.getByRole('listitem').count()).toBe(dishes.length);
});

const rush = budget(20, 60); // more than a wall shows at once
describe(`a rush of ${rush} tickets`, () => {
  /** The statuses that this screen asks the server for, by order or dish. */
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
  /** The oldest ticket: a cook cooks it first. */
  const oldest = (page: Page) => page.locator('.board-slot .ticket').first();
  /**
   * What a tap answers with: the next bump, or how far its allergies are read; '' when the ticket has left, null while
   * its last bump is on the way to the server. Its place and its time change without a tap.
   */
  const stateOf = (page: Page, label: string): Promise<string | null> =>
    page.locator(`.ticket[aria-label="${label}"]`).evaluateAll((parts) => {
      if (parts.length === 0) return '';
      const [bump] = parts.flatMap((part) => [...part.querySelectorAll('.ticket-bump')]);
      if (bump === undefined) return null;
      const [allergies] = parts.flatMap((part) => [...part.querySelectorAll('.ticket-allergies em')]);
      return `${bump.getAttribute('aria-description')} ${allergies?.textContent}`;
    });
  /** Taps until the ticket has left the board; returns how many it took. */
  async function bringOff(page: Page, tap: (label: string) => Promise<void>): Promise<number> {
    const label = (await oldest(page).getAttribute('aria-label')) ?? '';
    for (let taps = 1; ; taps++) {
      const before = await stateOf(page, label);
      // Sooner it would be a double tap, or nobody would have read the allergies.
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
  /** Presses the digit that the card shows, and Enter when it has the ring. */
  const byKeys =
    (page: Page) =>
    async (label: string): Promise<void> => {
      const card = page.locator(`.ticket[aria-label="${label}"]`).first();
      const isChosen = async (): Promise<boolean> => {
        const digit = await card.locator('.ticket-position').textContent();
        if (!digit) return false; // too many gaps stand before it, for a moment
        await page.keyboard.press(digit);
        return (await card.getAttribute('aria-current')) === 'true';
      };
      await until(isChosen, { what: `${label} to be chosen` });
      await page.keyboard.press('Enter');
    };
  /** A kitchen with so many bumps a ticket, and its screen. Drinks stand on that of the bar. */
  async function startKitchen(bumps: number): Promise<{ page: Page; orders: Order[] }> {
    const body = { bumps, amber_minutes: 5, late_minutes: 8, dishes: [] };
    await app.manager('PUT', '/stations/kitchen', { body });
    const orders = await placeRush(app, rush);
    const { page } = await app.open({ viewport: wall });
    await press(page, 'Kitchen');
    await press(page, 'Start shift');
    await isLaidOut(page);
    return { page, orders };
  }
  /** Of all moves of a ticket: the server knows no shorter way, also where one tap makes them all. */
  const ways: Readonly<Record<number, string[]>> = {
    1: ['preparing', 'ready'],
    2: ['preparing', 'ready'],
    3: ['preparing', 'ready', 'delivered'],
  };

  test.each([1, 3])(
    'when a ticket takes %i taps, then each leaves after them, and none goes another way, by pointer and by keys',
    async (bumps) => {
      const { page, orders } = await startKitchen(bumps);
      const moves = followMoves(page);
      const way = ways[bumps] ?? [];
      const cooked = orders.filter(({ items }) => items.some(({ station }: Order) => station === 'kitchen'));
      for (const [index, { allergies }] of cooked.entries()) {
        const taps = await bringOff(page, index % 2 === 0 ? byPointer(page) : byKeys(page));
        // An allergy that nobody has read asks once, in its place.
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
