import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { menu, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { isLaidOut } from '../support/board-page.ts';
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

test.each([
  { viewport: { width: 1_920, height: 1_080 }, least: 16 },
  { viewport: smallTablet, least: 9 },
])('27 tickets fill a screen $viewport.width px wide', async ({ viewport, least }) => {
  const page = await stand.show(onShift({ orders: rushOrders(27) }), '#/board', { viewport });
  await page.locator('.board-dense').waitFor();
  await isLaidOut(page);
  // Cards move to their new positions after a short delay.
  const isFull = async (): Promise<boolean> => (await page.evaluate(emptyShare)).tickets >= least;
  await until(isFull, { what: `${least} tickets to be seen` });
  await isLaidOut(page);
  const { tickets, empty } = await page.evaluate(emptyShare);
  expect(tickets).toBeGreaterThanOrEqual(least);
  expect(empty).toBeLessThan(0.2);
  await page.getByText(new RegExp(`^\\+${27 - tickets} more, oldest `)).waitFor();
});

test('a board with a few tickets uses large letters', async () => {
  const page = await stand.show(onDuty({ orders: rushOrders(3) }), '#/board', { viewport: smallTablet });
  const best = await page.getByRole('button', { name: /best here$/ }).innerText();
  await press(page, 'Start shift');
  await isLaidOut(page);
  const board = page.locator('.board');
  expect(await board.getAttribute('class')).toBe('board slate');
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
  expect(await parts.getByText('peanuts').count()).toBe(await parts.count());
  expect(await parts.getByRole('listitem').count()).toBe(menu.length);
});
