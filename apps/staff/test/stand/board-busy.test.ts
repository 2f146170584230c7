/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { demoLimits } from '@comanda/local-stack/demo-menu';
import { dishNamed, minutesAgo, newOrder, restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails } from '@comanda/testing/stand/state';
import { checkScreens } from '@comanda/testing/page-checks';
import { withoutAxe } from '../support/looks.ts';
import { press, says, tablet } from '../support/page.ts';
import { rushOrders } from '../support/rush.ts';
import { ticketOf } from '../support/board-page.ts';
import { onShift } from './states.ts';

// What a busy kitchen does on the board: pause guests' orders, mute it for a while, and see what is late by category.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

describe('a busy kitchen', () => {
  const busy = 'Busy: pause guests’ orders for 15 min';

  test("pauses guests' orders for 15 minutes in the board's menu, and ends the pause there", async () => {
    const paused = { paused_until: minutesAgo(-14.9), reason: null, version: 2 };
    const open = { paused_until: null, reason: null, version: 3 };
    const page = await stand.show(onShift({ answers: { putOrdering: { turns: [paused, open] } } }), '#/board', tablet);
    const startedAt = Date.now();
    await press(page, 'Menu');
    await press(page, busy);
    await page.locator('.board-paused').waitFor();
    const [first] = await stand.calls('putOrdering');
    const minutes = (Date.parse(String(first?.input['paused_until'])) - startedAt) / 60_000;
    expect(minutes).toBeGreaterThan(14.5);
    expect(minutes).toBeLessThanOrEqual(15);
    await press(page, 'Menu');
    await press(page, 'Let guests order again');
    await page.locator('.board-paused').waitFor({ state: 'detached' });
    expect((await stand.calls('putOrdering'))[1]?.input).toEqual({});
  });

  test('reads what to do if a manager has set a longer pause', async () => {
    const answers = {
      getOrdering: { paused_until: minutesAgo(-60), reason: null, version: 2 },
      putOrdering: fails('forbidden'),
    };
    const page = await stand.show(onShift({ answers }), '#/board', tablet);
    await page.locator('.board-paused').waitFor();
    await press(page, 'Menu');
    await press(page, 'Let guests order again');
    await says(page.getByRole('alert'), /^Still paused.*Ask a manager to end it\.$/);
    await stand.shoot(page, 'board-not-resumed');
  });
});

describe("the board's sounds", () => {
  test('are off for ten minutes after a tap', async () => {
    const page = await stand.show(onShift(), '#/board', tablet);
    await page.locator('.board-main').click({ position: { x: 5, y: 5 } });
    await page.getByRole('button', { name: 'Sound', exact: true }).click();
    const muted = page.getByRole('button', { name: /^Sound off, back in (10:00|9:5\d)$/ });
    await muted.waitFor();
    const looks = { tablet, narrow: { viewport: { width: 768, height: 1024 } } };
    const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'board-muted', ...withoutAxe });
    await check('board');
    expect(found).toEqual([]);
    await muted.click();
    await page.getByRole('button', { name: 'Sound', exact: true }).waitFor();
  });

  test('come back by themselves, even after a reload', async () => {
    const device = { 'comanda.kitchen.muted-until': String(Date.now() + 4_000) };
    const page = await stand.show({ ...onShift(), device }, '#/board', tablet);
    await page.getByRole('button', { name: /^Sound off, back in 0:0\d$/ }).waitFor();
    // Nobody has touched this page yet, so the browser keeps its sounds off.
    await page.getByRole('button', { name: 'SOUND OFF, TAP' }).waitFor();
  });
});

test("the restaurant's limits by category decide when a ticket is late", async () => {
  const at = { created_at: minutesAgo(7) };
  const drink = newOrder({ id: 1, table: '4', items: [dishNamed('Caipirinha').name], ...at });
  const main = newOrder({ id: 2, table: '5', items: ['Feijoada'], ...at });
  const category_limits = [
    { category: 'BEBIDAS', amber_minutes: 3, late_minutes: 6 },
    { category: 'Pratos', amber_minutes: 15, late_minutes: 22 },
  ];
  const answers = { getRestaurant: { ...restaurant, category_limits } };
  const page = await stand.show(onShift({ orders: [drink, main], answers }), '#/board', tablet);
  await ticketOf(page, drink).and(page.locator('.ticket-late')).waitFor();
  await ticketOf(page, main).and(page.locator('.ticket-fresh')).waitFor();
});

test("with the demo's limits, seven minutes are late for drinks only, and early for most tickets", async () => {
  const orders = rushOrders(27).map((order) => ({ ...order, created_at: minutesAgo(7) }));
  const drinks = orders.filter(({ items }) => items.some(({ station }) => station === 'bar')).length;
  const answers = { getRestaurant: { ...restaurant, category_limits: [...demoLimits] } };
  const page = await stand.show(onShift({ orders, answers }), '#/board', tablet);
  await page.locator('.board-late').getByText(`${drinks} late`).waitFor();
  await page.locator('.ticket-fresh').nth(3).waitFor();
  const [fresh, all] = [await page.locator('.ticket-fresh').count(), await page.locator('.board-slot .ticket').count()];
  expect(fresh).toBeGreaterThan(all / 2);
});
