/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, overflowOf } from '@comanda/testing/page-checks';
import { dishNamed, menu, minutesAgo, newBill, newDish, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { fails, never } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Locator, Page } from 'playwright-core';
import { longWord, looks, withoutAxe } from '../support/looks.ts';
import { bottomOf, goTo, phone, press } from '../support/page.ts';
import { sendOrder } from '../support/waiter-page.ts';
import { managing, newCall, newPayment, newTable } from './manager-states.ts';
import { onDuty } from './states.ts';

// The board and the waiters' pages with the longest values that the API allows.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const longTable = 'Varanda-Norte-12';
const text = (length: number): string => 'sem cebola, sem coentro; molho à parte, '.repeat(20).slice(0, length);
const longDish = newDish({ name: longWord, price: '99999.99' });
const feijoada = dishNamed('Feijoada');
const widest = (remarks: string) => ({ dish: longDish, quantity: 99, remarks });
/** Creates the board's oldest ticket with these dishes and the longest allergy text. */
const longest = (...items: Parameters<typeof newOrder>[0]['items'][number][]) =>
  newOrder({ id: 40, table: longTable, items, allergies: text(200), created_at: minutesAgo(5) });
const others = (count: number, table = '7') =>
  Array.from({ length: count }, (_, index) =>
    newOrder({ id: 50 + index, table, items: ['Feijoada', 'Risoto de cogumelos'] }),
  );

describe('the board', () => {
  /** Opens a board just after the start of a shift, in a browser that plays sounds. */
  async function showBoard(orders: ReturnType<typeof newOrder>[], look: StandLook): Promise<Page> {
    const page = await stand.show(onDuty({ orders, answers: { listMenu: [...menu, longDish] } }), '#/board', look);
    await page.locator('button.shift-start').click();
    return page;
  }
  /** Counts the cards that are taller than their slots. */
  const cutCards = (page: Page): Promise<number> =>
    page
      .locator('.board-slot .ticket')
      .evaluateAll((all) => all.filter((each) => each.scrollHeight > each.clientHeight + 1).length);

  test.each([
    { what: 'a tablet', width: 1_024, height: 768, zoom: 1 },
    { what: 'a tablet held upright', width: 768, height: 1_024, zoom: 1 },
    { what: 'a desktop screen', width: 1_440, height: 900, zoom: 1 },
    { what: 'a 4K wall screen with an enlarged page', width: 3_840, height: 2_160, zoom: 1.5 },
  ])('shows the longest ticket in full on $what', async ({ width, height, zoom }) => {
    const page = await showBoard([longest(widest(text(200)), 'Feijoada'), ...others(12)], {
      viewport: { width, height },
    });
    await page.locator('.ticket-long').first().waitFor();
    await until(async () => (await cutCards(page)) === 0, { what: 'a board without a cut card' });
    await stand.shoot(page, `longest-${width}`);
    const shown = await page.evaluate(() => ({
      zoom: document.querySelector('.board')?.currentCSSZoom,
      height: document.querySelector('.board')?.getBoundingClientRect().height,
    }));
    expect(shown).toEqual({ zoom, height });
    expect(await overflowOf(page)).toBe(0);
  });

  test('uses its dense size for the longest ticket', async () => {
    const orders = [longest(widest(text(200)), 'Feijoada'), ...others(1, '2')];
    const page = await showBoard(orders, { viewport: { width: 1_280, height: 800 } });
    await page.locator('.board-slot .ticket-long').first().waitFor();
    const faults = page.locator('.board-slot .ticket-scrolled').or(page.locator('.board:not(.board-dense)'));
    await until(async () => (await cutCards(page)) + (await faults.count()) === 0, {
      what: 'a board without a cut card',
    });
    await stand.shoot(page, 'longest-few');
    // Before a name, the letter would look like part of it, so only `T2` has one.
    expect(new Set(await page.locator('.ticket-table').allTextContents())).toEqual(new Set([longTable, 'T2']));
  });

  describe('with a card that is taller than its column', () => {
    const low = { viewport: { width: 1_024, height: 560 } };

    test('shows that a cut-off dish can be scrolled to its end', async () => {
      const page = await showBoard([longest({ dish: longDish, remarks: text(500) }, 'Feijoada')], low);
      await page.locator('.board-dense').waitFor();
      const ticket = page.locator('.board-slot .ticket').first();
      const goesOn = ticket.getByText('continues');
      await stand.shoot(page, 'longest-scrolled');
      expect(await bottomOf(ticket.getByText('Scroll this card'))).toBeCloseTo((await goesOn.boundingBox())?.y ?? 0, 0);
      expect(await bottomOf(goesOn)).toBeCloseTo(await bottomOf(ticket), 0);
    });

    test('keeps Bump in view below a remark that scrolls', async () => {
      const page = await showBoard([longest({ dish: feijoada, remarks: text(500) })], low);
      const ticket = page.locator('.board-slot .ticket').first();
      await until(async () => ticket.evaluate((each) => each.scrollHeight > each.clientHeight), {
        what: 'a high card',
      });
      const bump = ticket.locator('.ticket-bump');
      expect(await bottomOf(bump)).toBeLessThanOrEqual((await bottomOf(ticket)) + 1);
      expect(await bottomOf(ticket.getByText('Scroll this card'))).toBeCloseTo((await bump.boundingBox())?.y ?? 0, 0);
    });

    test('lets the arrow keys scroll through the whole card before they select the next one', async () => {
      const page = await showBoard([longest({ dish: feijoada, remarks: text(500) }), ...others(1, '2')], low);
      const [high, next] = [page.locator('.board-slot .ticket').first(), page.locator('.board-slot .ticket').nth(1)];
      await high.getByText('Scroll this card').waitFor();
      await next.waitFor();
      const pressUntil = async (key: string, isThere: (card: HTMLElement | SVGElement) => boolean): Promise<void> => {
        for (let tries = 0; tries < 20 && !(await high.evaluate(isThere)); tries++) await page.keyboard.press(key);
        expect(await high.evaluate(isThere)).toBe(true);
        expect(await high.getAttribute('aria-current')).toBe('true');
      };
      await page.keyboard.press('1');
      await pressUntil('ArrowDown', (card) => card.scrollTop + card.clientHeight >= card.scrollHeight - 1);
      await page.keyboard.press('ArrowDown');
      await next.and(page.locator('[aria-current]')).waitFor();
      await page.keyboard.press('ArrowUp');
      await pressUntil('ArrowUp', (card) => card.scrollTop === 0);
    });
  });

  test("keeps a dish's numbers inside the all-day drawer, even beside a long word", async () => {
    const page = await showBoard([longest(widest(text(200)))], { viewport: { width: 1_920, height: 1_080 } });
    await press(page, 'All-day');
    const row = page.getByRole('row', { name: new RegExp(longWord) });
    const rightOf = (element: Locator): Promise<number> =>
      element.evaluate((each) => each.getBoundingClientRect().right);
    expect(await rightOf(row.getByRole('cell').last())).toBeLessThan(await rightOf(page.locator('.drawer')));
  });

  test('prints the longest dish within its column', async () => {
    const page = await showBoard([longest(widest(text(200)))], { viewport: { width: 1_440, height: 900 } });
    await page.locator('.ticket').first().waitFor();
    await page.evaluate(() => {
      globalThis.print = () => document.body.classList.add('was-printed');
    });
    await press(page, 'Menu');
    await press(page, 'Print the board');
    await page.locator('.was-printed').waitFor();
    await page.emulateMedia({ media: 'print' });
    await stand.shoot(page, 'longest-printed');
    const printed = page.locator('.printed');
    const wider = await printed.evaluateAll(
      (all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length,
    );
    expect(wider).toBe(0);
    // On a paper roll, the ticket's number fits on one line beside the longest table name.
    const lines = await printed.first().evaluate((ticket) => {
      (ticket as HTMLElement).style.width = '280px';
      const range = document.createRange();
      range.selectNodeContents(ticket.querySelector('h2 span') ?? ticket);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
    expect(lines).toBe(1);
  });
});

describe('the waiters’ pages', () => {
  /** Creates a table with a call, two ready dishes and a partly paid bill. */
  function seated() {
    const item = { ...widest(text(200)), status: 'ready' } as const;
    const moqueca = { dish: dishNamed('Moqueca de peixe'), status: 'ready' } as const;
    const order = newOrder({ id: 40, table: longTable, items: [item, moqueca] });
    const amounts = { amount: '1000000.00', tip: '99.90', total: '1000099.90' };
    const payments = [newPayment({ ...amounts, part: { amount: amounts.amount } })];
    const bill = newBill([order], { table: longTable, payments, paid: '1000000.00', tips: '99.90' });
    return managing({
      orders: [order],
      bills: [bill],
      dishes: [...menu, longDish],
      tables: [newTable(longTable, { status: 'seated', seating: 88, seated_at: minutesAgo(30) })],
      answers: {
        listCalls: [newCall({ note: 'W'.repeat(100), table: longTable })],
        getBill: bill,
        getOrderHistory: never,
        placeOrder: fails('forbidden'),
      },
    });
  }

  test('show each amount on one line in Portuguese', async () => {
    const page = await stand.show(seated(), '#/waiter/ready', { ...looks['at-195'], language: 'pt-BR' });
    const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'waiter', ...withoutAxe });
    for (const [to, content, opened] of [
      ['ready', '.waiter-card'],
      ['order', '.waiter-table-choice'],
      [`order/${longTable}`, '.waiter-dish-add', 'chosen'],
      [`order/${longTable}/review`, '.waiter-ticket-line'],
      ['tables/Nowhere-9', '.waiter-page-head'],
      ['tables', '.waiter-tables a'],
      [`tables/${longTable}`, '.waiter-order'],
      ['bill/312', '.bill-line'],
      ['bill/312', '.bill-discount', 'discount'],
      ['bill/312', '.bill-payment button', 'refund'],
      ['bill/312/pay', '.pay-methods'],
      ['bill/312/pay', '.pay-methods button', 'cash'],
    ] as const) {
      await goTo(page, `waiter/${to}`);
      await page.locator(content).first().waitFor();
      if (opened !== undefined) await page.locator(content).first().click();
      await check(opened ?? to.replaceAll('/', '-'));
    }
    await page.locator('.pay-cash input').fill('99999999');
    await page.locator('.pay-ways .chip').nth(1).click();
    await check('shares');
    expect(found).toEqual([]);
  });

  test('draw edges around calls and bills in forced colours', async () => {
    const page = await stand.show(seated(), '#/waiter/ready', { ...phone, forcedColors: 'active' });
    const stylesOf = (all: Locator): Promise<string[]> =>
      all.evaluateAll((each) => each.map((one) => getComputedStyle(one).outlineStyle));
    const edges = page.locator('.waiter-call, .waiter-call-buttons button, .waiter-call-done');
    await edges.first().waitFor();
    expect(await stylesOf(edges)).not.toContain('none');
    await page.evaluate(() => (location.hash = '#/waiter/bill/312'));
    await page.locator('.bill-end').waitFor();
    expect(await stylesOf(page.locator('.waiter-panel, .bill-end'))).not.toContain('none');
  });

  test("show a rejected order's request ID in the text's colour in dark mode", async () => {
    const page = await stand.show(seated(), `#/waiter/order/${longTable}`, { ...phone, colorScheme: 'dark' });
    await press(page, 'Add Feijoada');
    await sendOrder(page);
    const strip = page.locator('.waiter-not-sent');
    const colorOf = (element: Locator): Promise<string> => element.evaluate((each) => getComputedStyle(each).color);
    expect(await colorOf(strip.locator('.request-id'))).toBe(await colorOf(strip));
  });

  test('align the ages of all tables, even beside a long name', async () => {
    const orders = [
      newOrder({ id: 41, table: longTable, items: ['Feijoada'] }),
      newOrder({ table: '3', items: ['Feijoada'] }),
    ];
    const page = await stand.show(managing({ orders }), '#/waiter/ready', phone);
    const ages = page.locator('.waiter-others-age');
    await ages.nth(1).waitFor();
    const rights = await ages.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().right)));
    expect(new Set(rights).size).toBe(1);
  });
});
