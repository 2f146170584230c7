import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '@comanda/testing/until';
import { emptyShare } from './support/empty-share.ts';
import { startKitchenApp, type KitchenApp } from './support/kitchen-app.ts';
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
    60_000,
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
