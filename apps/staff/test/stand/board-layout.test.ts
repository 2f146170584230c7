import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { menu, minutesAgo, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { never } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { isGone, isLaidOut } from '../support/board-page.ts';
import { emptyShare } from '../support/empty-share.ts';
import { press, tablet } from '../support/page.ts';
import { rushOrders } from '../support/rush.ts';
import { onDuty, onShift } from './states.ts';

// How the board arranges its tickets.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const smallTablet = { width: 1_180, height: 820 };

const partsOf = (page: Page): Promise<number> => page.locator('.board-slot .ticket-goes-on').count();
/** Waits until the board shows at least this many tickets in full, and has stopped moving them. */
async function isFull(page: Page, least: number): Promise<void> {
  await page.locator('.board-dense').waitFor();
  // Cards move to their new positions after a short delay.
  await until(async () => (await page.evaluate(emptyShare)).tickets >= least, { what: `${least} tickets to be seen` });
  await isLaidOut(page);
}

test.each([
  { viewport: { width: 1_920, height: 1_080 }, least: 20 },
  { viewport: smallTablet, least: 10 },
  { viewport: { width: 1_024, height: 768 }, least: 9 },
  { viewport: { width: 768, height: 1_024 }, least: 9 },
])('27 tickets fill a screen $viewport.width px wide with at least $least', async ({ viewport, least }) => {
  const page = await stand.show(onShift({ orders: rushOrders(27) }), '#/board', { viewport });
  await isFull(page, least);
  await stand.shoot(page, `27-tickets-${viewport.width}`);
  const { tickets, empty } = await page.evaluate(emptyShare);
  expect(tickets).toBeGreaterThanOrEqual(least);
  expect(empty).toBeLessThan(0.3);
  const begun = new Set(
    await page.locator('[data-order]').evaluateAll((all) => all.map((slot) => slot.getAttribute('data-order'))),
  );
  await page.getByText(new RegExp(`^\\+${27 - begun.size} more, oldest `)).waitFor();
});

test.each(['en', 'pt-BR'] as const)(
  'late tickets on a narrow board keep table and age on one line (%s)',
  async (language) => {
    const orders = rushOrders(27).map((order) => ({ ...order, created_at: minutesAgo(16) }));
    const look = { viewport: { width: 1_024, height: 768 }, language };
    const page = await stand.show(onShift({ orders }), '#/board', look);
    await isFull(page, 9);
    await stand.shoot(page, `late-${language}`);
    const heads = await page.locator('.board-slot .ticket-head').evaluateAll((all) =>
      all.map((head) => {
        const [table, age, sign] = ['.ticket-table', '.ticket-age', '.ticket-age-line svg'].map((part) =>
          head.querySelector(part)?.getBoundingClientRect(),
        );
        const isInside = (age?.right ?? 9_999) <= head.getBoundingClientRect().right;
        return isInside && (table?.height ?? 99) < 40 && (sign?.width ?? 0) >= 18;
      }),
    );
    expect(heads).not.toContain(false);
  },
);

test('nine tickets that fit on a page stay whole', async () => {
  const page = await stand.show(onShift({ orders: rushOrders(9) }), '#/board', {
    viewport: { width: 1_280, height: 720 },
  });
  await isFull(page, 9);
  expect(await partsOf(page)).toBe(0);
});

test('tickets stay whole on all pages if the shift has selected that', async () => {
  const look = { viewport: { width: 1_024, height: 768 } };
  const page = await stand.show(onDuty({ orders: rushOrders(27) }), '#/board', look);
  await press(page, 'Keep tickets whole');
  await press(page, 'Start shift');
  await isFull(page, 7);
  for (let turns = 0; turns < 3; turns++) {
    expect(await partsOf(page)).toBe(0);
    await page.keyboard.press('PageDown');
    await isLaidOut(page);
  }
});

test('All-day is a strip beside the tickets of a tablet, and stays open', async () => {
  const orders = rushOrders(27);
  const page = await stand.show(onShift({ orders, answers: { updateOrder: never } }), '#/board', {
    viewport: { width: 1_024, height: 768 },
  });
  await press(page, 'All-day');
  const strip = page.getByRole('complementary', { name: 'All-day' });
  await strip.getByText('Feijoada', { exact: true }).waitFor();
  expect((await strip.boundingBox())?.width).toBe(200);
  await isFull(page, 6);
  await stand.shoot(page, 'all-day-strip');
  await press(page, 'Recall');
  await isGone(strip);
  await page.keyboard.press('Escape');
  await strip.waitFor();
  await page.keyboard.press('Escape');
  await isGone(strip);
});

test('a board with a few tickets uses large letters', async () => {
  const page = await stand.show(onDuty({ orders: rushOrders(3) }), '#/board', { viewport: smallTablet });
  const best = await page.getByRole('button', { name: /best here$/ }).innerText();
  await press(page, 'Start shift');
  await isLaidOut(page);
  const board = page.locator('.board');
  expect(await board.getAttribute('class')).toBe('stack board slate');
  expect(await board.evaluate((element) => getComputedStyle(element).getPropertyValue('--columns'))).toBe(
    best.split(',')[0],
  );
  await press(page, 'Menu');
  await press(page, 'Board settings');
  await press(page, 'Dense');
  await press(page, 'Start shift');
  await page.locator('.board-dense').waitFor();
});

test('cards move without a delay when one more ticket makes the board dense', async () => {
  const orders = rushOrders(8);
  const page = await stand.show(onShift({ orders: orders.slice(0, 6) }), '#/board', tablet);
  await page.locator('.board:not(.board-dense) .ticket').nth(5).waitFor();
  await page.evaluate(() => {
    const wait = globalThis.setTimeout;
    // The board's timers before it moves cards never run.
    const without = (run: TimerHandler, ms?: number): number =>
      ms !== undefined && ms > 300 && ms <= 400 ? 0 : wait(run, ms);
    Object.assign(globalThis, { setTimeout: without });
  });
  for (const order of orders.slice(6)) await stand.emit('order.created', { order });
  await page.locator('.board-dense .ticket').nth(7).waitFor();
  const places = async (): Promise<string> =>
    (
      await page.locator('.board-slot').evaluateAll((all) => all.map((each) => each.getAttribute('style') ?? ''))
    ).join();
  await isLaidOut(page);
  const moved = await places();
  await stand.show(onShift({ orders }), '#/board', tablet);
  await page.locator('.board-dense .ticket').nth(7).waitFor();
  await until(async () => (await places()) === moved, { what: 'the same places on a new page' });
});

test('a ticket taller than a column continues in the next one', async () => {
  const items = menu.map((dish) => ({ dish, remarks: 'no salt' }));
  const order = newOrder({ id: 90, table: '5', items, allergies: 'peanuts' });
  const orders = [...rushOrders(2), order];
  const page: Page = await stand.show(onShift({ orders }), '#/board', { viewport: { width: 1_920, height: 720 } });
  await isLaidOut(page);
  const parts = page.getByRole('article', { name: `Table 5, ticket ${order.ticket}`, exact: true });
  expect(await parts.count()).toBeGreaterThan(1);
  expect(await parts.first().getByText('continues').count()).toBe(1);
  expect(await parts.getByText('continued', { exact: true }).count()).toBe((await parts.count()) - 1);
  expect(await parts.getByRole('timer').count()).toBe(await parts.count());
  expect(await parts.getByText('peanuts').count()).toBe(await parts.count());
  expect(await parts.getByRole('listitem').count()).toBe(menu.length);
});
