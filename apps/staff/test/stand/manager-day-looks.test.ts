/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { checkScreens, inBothLanguages, misfitsOf } from '@comanda/testing/page-checks';
import { minutesAgo, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import type { State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { longName, longWord, looks, withoutAxe } from '../support/looks.ts';
import { goTo } from '../support/page.ts';
import { newCount, newDay, newDrawer, newFigures, newMovement, newReport } from './day-states.ts';
import { managing, newCall, newException } from './manager-states.ts';

// Today, the cash drawers, the closing and closed days on all screen sizes, in both languages, with the longest values.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const allLooks = { ...looks, wall: { viewport: { width: 1_920, height: 1_080 } } } as const;
const longTable = 'Varanda-Norte-12';
const longReason = 'sem cebola, sem coentro; molho à parte, '.repeat(5);
const largest = '999999.99';

/** Lists faulty texts, and on screens without zoom also targets that are too small. */
async function measure(page: Page): Promise<string[]> {
  const isEnlarged = (page.viewportSize()?.width ?? 0) < 320;
  return [...(await withoutAxe.measure(page)), ...(isEnlarged ? [] : await misfitsOf(page))];
}

function longest(): State {
  const by = { id: 2, name: longName };
  const figures = newFigures();
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, orders: 999, items: 9_999, amount: '99999.99' }));
  const waiters = [
    { by, method: 'card', confirmed_by: null, count: 999, amount: largest, tips: largest, refunds: largest } as const,
    ...figures.waiters,
  ];
  const count = newCount({
    by,
    expected: largest,
    counted: '100000.00',
    difference: '-899999.99',
    left: '100000.00',
  });
  const drawer = newDrawer('main', { label: longWord.slice(0, 60), counted_at: count.at });
  const report = newReport({
    closed_by: by,
    note: longReason,
    payments: [{ method: 'pix', confirmed_by: 'staff', count: 9_999, amount: largest, tips: largest }],
    refunds: [{ method: 'account', confirmed_by: null, count: 9_999, amount: largest, tips: largest }],
    refunded_after_closing: largest,
    unsettled: { before: largest, after: largest },
    cash_drawers: [
      { name: 'main', opening: largest, sums: { difference: '-899999.99' }, left: largest, counts: [count] },
    ],
    carried_over: { count: 3, bills: [1_000_312, 1_000_313, 1_000_314] },
  });
  const paid = { method: 'pix', confirmed_by: 'staff', count: 9_999, amount: largest, tips: largest } as const;
  return managing({
    orders: [newOrder({ items: ['Feijoada'], table: longTable, created_at: minutesAgo(200) })],
    answers: {
      getDay: newDay({
        overdue: true,
        open_bills: [
          { id: 312, table: longTable, created_at: minutesAgo(6_000), remaining: largest },
          { id: 313, table: null, created_at: minutesAgo(3), remaining: '0.00' },
        ],
      }),
      getDayFigures: newFigures({
        bills: { closed: 999, open: 2, remaining: largest },
        hours,
        dishes: [{ item_id: 1, name: `${longWord} com arroz, farofa e couve`, quantity: 9_999, amount: largest }],
        stations: [{ station: longWord.slice(0, 32), items: 999, median_seconds: 7_200, p90_seconds: 13_000 }],
        payments: [...figures.payments, paid],
        waiters,
        exceptions: [...figures.exceptions, { kind: 'order_moved', by, count: 999, amount: largest }],
      }),
      listCalls: [newCall({ note: 'W'.repeat(100), table: longTable, created_at: minutesAgo(9) })],
      listCashDrawers: [
        drawer,
        newDrawer('bar', { label: 'Bar', moved: true }),
        newDrawer('cofre', { label: 'Cofre', status: 'retired' }),
      ],
      listCounts: [count, newCount({ id: 1, by, difference: null, expected: null })],
      listMovements: [
        newMovement({ by, amount: `-${largest}`, reason: longReason, kind: 'drop', other: 'bar' }),
        newMovement({ id: 2, by, amount: largest, reason: longReason, reverses: 9 }),
      ],
      getDayReport: report,
      getReport: waiters,
      listDays: [report, newReport({ number: 213 })],
      listExceptions: [newException('discount', { by, name: longWord, amount: largest, reason: longReason })],
    },
  });
}

/** Opens another page of the app without a reload. */
async function openPage(page: Page, to: string, content: string): Promise<void> {
  await goTo(page, `manager/${to}`);
  await page.locator(`.manager-main ${content}`).first().waitFor();
}

test('every page of the day shows the longest values in full', async () => {
  const page = await stand.show(longest(), '#/manager/today', allLooks['at-195']);
  const { check, found } = checkScreens(page, {
    looks: inBothLanguages(allLooks),
    shoot: stand.shoot,
    name: 'day',
    measure,
  });
  await page.locator('.hours').waitFor();
  await check('today');
  await openPage(page, 'cash', '.leave-form');
  await check('cash');
  await openPage(page, 'cash/bar', '.panel:first-child > .count-form:not(.leave-form) .button-secondary');
  await page.locator('.count-form .button-secondary').first().click();
  await page.locator('.pieces').waitFor();
  await check('pieces');
  await openPage(page, 'today/close', '.close-day');
  await check('close');
  await openPage(page, 'today/214', '.report-person');
  await check('report');
  await openPage(page, 'today/214/charts', '.hours');
  await check('charts');
  await openPage(page, 'today/days', '.days-table');
  await check('days');
  expect(found).toEqual([]);
});

test('an ordinary evening has no faults', async () => {
  const answers: State['answers'] = {
    getDay: newDay(),
    getDayFigures: newFigures(),
    listCashDrawers: [newDrawer('main', { moved: true })],
    listCounts: [newCount()],
    listMovements: [newMovement()],
    getDayReport: newReport(),
    getReport: newFigures().waiters,
    listExceptions: [newException('item_cancelled', { name: 'Feijoada', reason: 'Demorou' })],
    listDays: [newReport({ number: 215, business_date: '2026-11-21' }), newReport()],
  };
  const device = { 'comanda.manager.opening-list': 'hidden' };
  const page = await stand.show(managing({ answers, device }), '#/manager/today', allLooks['at-195']);
  const { check, found } = checkScreens(page, {
    looks: inBothLanguages(allLooks),
    shoot: stand.shoot,
    name: 'evening',
    measure,
  });
  await page.locator('.hours').waitFor();
  await check('today');
  await openPage(page, 'cash', '.count-form input');
  await check('cash');
  await openPage(page, 'today/close', '.close-day');
  await check('close');
  await openPage(page, 'today/214', '.report-person');
  await check('report');
  await openPage(page, 'today/days', '.days-table');
  await check('days');
  expect(found).toEqual([]);
});

test('charts keep their bars in forced colours', async () => {
  const answers = { getDay: newDay(), getDayFigures: newFigures() };
  const page = await stand.show(managing({ answers }), '#/manager/today', { ...looks.desk, forcedColors: 'active' });
  await page.locator('.hours-bar').first().waitFor();
  await stand.shoot(page, 'today-forced-colours');
  const colours = await page.evaluate(() => {
    const colourOf = (selector: string): string =>
      getComputedStyle(document.querySelector(selector) ?? document.body).backgroundColor;
    return ['.panel', '.hours-bar', '.bar'].map(colourOf);
  });
  expect(colours.slice(1)).not.toContain(colours[0]);
});
