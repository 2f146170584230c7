/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { brokenWordsOf, isInView, textFaultsOf } from '@comanda/testing/page-checks';
import { dishNamed, minutesAgo, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, unreachable, type State } from '@comanda/testing/stand/state';
import type { Locator, Page } from 'playwright-core';
import { longName, looks } from '../support/looks.ts';
import { ticketOf } from '../support/board-page.ts';
import { phone, tablet } from '../support/page.ts';
import { rushOrders } from '../support/rush.ts';
import { onShift } from './states.ts';

// How the board looks in particular states.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const at195 = looks['at-195'];
const longTable = 'Varanda-Norte-12';
const portuguese = { language: 'pt-BR' } as const;
const showBoard = (state: State, look: StandLook): Promise<Page> => stand.show(state, '#/board', look);
const bump = (page: Page, ticket: number): Promise<void> =>
  page.getByRole('button', { name: `Bump, start all: ticket ${ticket}`, exact: true }).click();

test.each([at195, phone])(
  'the longest message that a colleague was faster is in view at $viewport.width px',
  async (look) => {
    const order = newOrder({ table: longTable, items: ['Feijoada', 'Pudim de leite'] });
    const by = {
      what: 'status',
      actor: { id: 9, role: 'waiter', name: longName },
      from: 'preparing',
      to: 'ready',
      at: minutesAgo(0),
    };
    const answers = {
      updateOrder: fails('version_mismatch'),
      getOrder: { ...order, status: 'ready', version: 3 },
      getOrderHistory: [by],
    } as unknown as State['answers'];
    const page = await showBoard(onShift({ orders: [order], answers }), look);
    await bump(page, order.ticket);
    const notice = page.locator('.board-notice');
    await notice.waitFor();
    expect(await isInView(notice.getByRole('button'))).toBe(true);
    expect(await textFaultsOf(page)).toEqual([]);
  },
);

test.each(['light', 'dark'] as const)(
  "a rejected bump's request ID is as easy to read as the rest (%s)",
  async (colorScheme) => {
    const order = newOrder({ items: ['Feijoada', 'Pudim de leite'] });
    const answers = { updateOrder: fails('forbidden') };
    const page = await showBoard(onShift({ orders: [order], answers }), { ...at195, colorScheme });
    await bump(page, order.ticket);
    const notice = page.locator('.board-notice');
    await notice.waitFor();
    const colorOf = (element: Locator): Promise<string> => element.evaluate((each) => getComputedStyle(each).color);
    for (const part of ['.request-id', '.button-quiet'])
      expect(await colorOf(notice.locator(part))).toBe(await colorOf(notice));
    expect(await isInView(notice.getByRole('button', { name: 'Close' }))).toBe(true);
  },
);

test.each([
  { width: 320, height: 640 },
  { width: 1_920, height: 1_080 },
])('a ticket with one dish breaks no word on a screen $width px wide', async (viewport) => {
  const orders = [newOrder({ id: 50, table: '3', items: ['Caipirinha'] }), ...rushOrders(17)];
  const page = await showBoard(onShift({ orders }), { viewport, ...portuguese });
  await page.locator('.ticket').nth(9).waitFor();
  expect(await brokenWordsOf(page)).toEqual([]);
});

test.each([phone, { viewport: { width: 820, height: 1_180 } }, { viewport: { width: 1_024, height: 768 } }])(
  'the station and the number of open tickets are visible at $viewport.width px',
  async (look) => {
    const page = await showBoard(onShift({ orders: rushOrders(12) }), { ...look, ...portuguese });
    await page.locator('.ticket').nth(2).waitFor();
    const [station, counts] = [page.locator('.board-station'), page.locator('.board-counts')];
    expect([await station.textContent(), await counts.textContent()]).toEqual(['Todas as praças', '12 abertas']);
    // This appears because the browser has muted the page.
    await page.locator('.tool-alarm').waitFor();
    expect([await isInView(station), await isInView(counts)]).toEqual([true, true]);
    expect(await station.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect(await textFaultsOf(page)).toEqual([]);
  },
);

test.each([at195, { viewport: { width: 1_180, height: 820 } }, { viewport: { width: 1_024, height: 768 } }])(
  'a ticket with an unsent bump is complete at $viewport.width px',
  async (look) => {
    const order = newOrder({ id: 50, table: '2', items: ['Feijoada', 'Pudim de leite'] });
    const state = onShift({ orders: [order, ...rushOrders(12)], answers: { updateOrder: unreachable } });
    const page = await showBoard(state, { ...look, ...portuguese });
    await page.locator('.ticket').first().waitFor();
    await stand.standing({ status: 'stalled' });
    await page.getByRole('button', { name: `Avançar, começar tudo: comanda ${order.ticket}`, exact: true }).click();
    const foot = page.locator('.ticket-foot-kept').first();
    await foot.waitFor();
    expect(await foot.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(await brokenWordsOf(page)).toEqual([]);
  },
);

test('a long table name and an allergen stay on one line on a phone at 200% zoom', async () => {
  const order = newOrder({ table: longTable, items: [{ dish: dishNamed('Feijoada') }], allergies: 'amendoim' });
  const page = await showBoard(onShift({ orders: [order] }), { ...at195, ...portuguese });
  const ticket = page.locator('.ticket').first();
  await ticket.getByText('amendoim').waitFor();
  expect(await brokenWordsOf(page)).toEqual([]);
  const lines = await ticket.locator('.ticket-table').evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
  expect(lines).toBeLessThanOrEqual(2);
});

test('a ticket is new only until it turns amber, then not started', async () => {
  const order = newOrder({ items: [{ dish: dishNamed('Feijoada'), remarks: 'no salt' }], created_at: minutesAgo(6) });
  const fresh = newOrder({ id: 2, table: '2', items: ['Feijoada'] });
  const page = await showBoard(onShift({ orders: [order, fresh] }), tablet);
  await ticketOf(page, fresh).getByText('NEW', { exact: true }).waitFor();
  await ticketOf(page, order).getByText('not started', { exact: true }).waitFor();
  expect(await page.getByText('NEW', { exact: true }).count()).toBe(1);
  const colorOf = (part: string): Promise<string> =>
    ticketOf(page, order)
      .locator(part)
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  // A remark stands out below the amber header.
  expect(await colorOf('mark')).not.toBe(await colorOf('.ticket-head'));
});
