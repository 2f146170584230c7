import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkScreens, overflowOf } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { longWord } from './support/looks.ts';
import { openManager } from './support/manager-page.ts';
import { bottomOf } from './support/page.ts';

let app: KitchenApp;
const table = 'Varanda-Norte-12';
const text = (length: number): string => 'sem cebola, sem coentro; molho à parte, '.repeat(20).slice(0, length);
beforeAll(async () => {
  app = await startKitchenApp('kitchen-longest-values');
  await app.manager('PUT', `/tables/${table}`);
  await app.manager('POST', '/menu', { body: { name: longWord, price: '99999.99', station: 'kitchen' } });
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

/** A ticket whose allergy and remarks are as long as they may be, and enough others for the dense size. */
async function placeLongest(): Promise<Order> {
  const order = await app.place(table, [{ name: longWord, quantity: 99, remarks: text(200) }, 'Feijoada'], text(200));
  for (let others = 0; others < 12; others++) await app.place('7', ['Feijoada', 'Risoto de cogumelos']);
  return order;
}

/** How many cards are higher than their slots. */
const cutCards = (page: Page): Promise<number> =>
  page
    .locator('.board-slot .ticket')
    .evaluateAll((all) => all.filter((each) => each.scrollHeight > each.clientHeight + 1).length);

describe('the board', () => {
  test.each([
    { what: 'a tablet', width: 1_024, height: 768, zoom: 1 },
    { what: 'a tablet held upright', width: 768, height: 1_024, zoom: 1 },
    { what: 'a desk', width: 1_440, height: 900, zoom: 1 },
    { what: 'a wall of 4K, whose page is enlarged', width: 3_840, height: 2_160, zoom: 1.5 },
  ])('when the longest ticket stands on $what, then nothing of it is cut', async ({ width, height, zoom }) => {
    await placeLongest();
    const { page } = await app.startShift({ viewport: { width, height } });
    await page.locator('.ticket-long').first().waitFor();
    await until(async () => (await cutCards(page)) === 0, { what: 'a board without a cut card' });
    await app.shoot(page, `longest-${width}`);
    const shown = await page.evaluate(() => ({
      zoom: document.querySelector('.board')?.currentCSSZoom,
      height: document.querySelector('.board')?.getBoundingClientRect().height,
    }));
    expect(shown).toEqual({ zoom, height });
    expect(await overflowOf(page)).toBe(0);
  });

  test('when the longest ticket stands with few others, then the board takes its dense size, and nothing of it is cut', async () => {
    await app.place(table, [{ name: longWord, quantity: 99, remarks: text(200) }, 'Feijoada'], text(200));
    await app.place('2', ['Feijoada', 'Pudim de leite']);
    const { page } = await app.startShift({ viewport: { width: 1_280, height: 800 } });
    await page.locator('.board-slot .ticket-long').first().waitFor();
    const faults = page.locator('.board-slot .ticket-scrolled').or(page.locator('.board:not(.board-dense)'));
    await until(async () => (await cutCards(page)) + (await faults.count()) === 0, {
      what: 'a board without a cut card',
    });
    await app.shoot(page, 'longest-few');
    // A letter before a name would be read as a part of it.
    expect(new Set(await page.locator('.ticket-table').allTextContents())).toEqual(new Set([table, 'T2']));
  });

  test('when a dish is higher than a column, then its card says that it is scrolled, and the word stays in view', async () => {
    await app.place(table, [{ name: longWord, remarks: text(500) }, 'Feijoada'], text(200));
    const { page } = await app.startShift({ viewport: { width: 1_024, height: 560 } });
    await page.locator('.board-dense').waitFor();
    const ticket = page.locator('.board-slot .ticket').first();
    const goesOn = ticket.getByText('goes on');
    await app.shoot(page, 'longest-scrolled');
    expect(await bottomOf(ticket.getByText('Scroll this card'))).toBeCloseTo((await goesOn.boundingBox())?.y ?? 0, 0);
    expect(await bottomOf(goesOn)).toBeCloseTo(await bottomOf(ticket), 0);
  });

  test('when a remark is higher than a column, then it is scrolled, the card says so, and Bump stays in view', async () => {
    await app.place(table, [{ name: 'Feijoada', remarks: text(500) }], text(200));
    const { page } = await app.startShift({ viewport: { width: 1_024, height: 560 } });
    const ticket = page.locator('.board-slot .ticket').first();
    await until(async () => ticket.evaluate((each) => each.scrollHeight > each.clientHeight), {
      what: 'a high card',
    });
    const bump = ticket.locator('.ticket-bump');
    expect(await bottomOf(bump)).toBeLessThanOrEqual((await bottomOf(ticket)) + 1);
    expect(await bottomOf(ticket.getByText('Scroll this card'))).toBeCloseTo((await bump.boundingBox())?.y ?? 0, 0);
  });

  test('when a card is higher than its column, then the keys show all of it, and only then choose the next one', async () => {
    await app.place(table, [{ name: 'Feijoada', remarks: text(500) }], text(200));
    await app.place('2', ['Feijoada']);
    const { page } = await app.startShift({ viewport: { width: 1_024, height: 560 } });
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

  test('when a dish has one long word, then its figures stand in the all-day drawer', async () => {
    await placeLongest();
    const { page } = await app.startShift({ viewport: { width: 1_440, height: 900 } });
    await page.getByRole('button', { name: 'All-day' }).click();
    const drawer = await page.locator('.drawer').boundingBox();
    const figure = await page
      .getByRole('row', { name: new RegExp(longWord) })
      .getByRole('cell')
      .last()
      .boundingBox();
    expect((figure?.x ?? 0) + (figure?.width ?? 0)).toBeLessThan((drawer?.x ?? 0) + (drawer?.width ?? 0));
  });
});

test('when the longest dish is printed, then it stays in its column, and covers no other ticket', async () => {
  await app.place(table, [{ name: longWord, quantity: 99, remarks: text(200) }], text(200));
  const { page } = await app.startShift({ viewport: { width: 1_440, height: 900 } });
  await page.locator('.ticket').first().waitFor();
  await page.evaluate(() => {
    window.print = () => document.body.classList.add('was-printed');
  });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Print the board' }).click();
  await page.locator('.was-printed').waitFor();
  await page.emulateMedia({ media: 'print' });
  await app.shoot(page, 'longest-printed');
  const wider = await page
    .locator('.printed')
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length);
  expect(wider).toBe(0);
  // On the roll, the number is in one line beside the longest table.
  const lines = await page
    .locator('.printed')
    .first()
    .evaluate((ticket) => {
      (ticket as HTMLElement).style.width = '280px';
      const range = document.createRange();
      range.selectNodeContents(ticket.querySelector('h2 span') ?? ticket);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
  expect(lines).toBe(1);
});

describe('at 195 px, a phone at 200 %', () => {
  const at195 = { viewport: { width: 195, height: 422 } };
  const widthFaults = async (page: Page): Promise<string[]> => {
    const inside = await page.evaluate(() => {
      const main = document.querySelector('main');
      return main ? main.scrollWidth - main.clientWidth : 0;
    });
    return (await overflowOf(page)) + inside > 0 ? ['it scrolls sideways'] : [];
  };
  test('when the waiter’s pages are visited, then none is wider than the screen', async () => {
    await app.manager('POST', `/tables/${table}/open`);
    const order = await app.place(table, [{ name: longWord, quantity: 2, remarks: text(200) }, 'Feijoada'], text(200));
    await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device: 'kitchen-1' } });
    for (const status of ['preparing', 'ready']) await app.setItem(order, 0, status);
    const { page } = await app.openAt('waiter', waiter, at195);
    const { check, found } = checkScreens(page, {
      looks: { at195 },
      shoot: app.shoot,
      name: 'longest',
      measure: widthFaults,
      examine: async () => [],
    });
    const visit = async (to: string, element: string): Promise<void> => {
      await app.goTo(page, `waiter/${to}`);
      await page.locator(element).first().waitFor();
      await check(to.replaceAll('/', '-'));
    };
    await visit('ready', '.waiter-card');
    await visit('tables', '.waiter-tables a');
    await visit(`tables/${table}`, '.waiter-order');
    await visit(`order/${table}`, '.waiter-dish');
    await page.locator('.waiter-dish .icon-button').first().click();
    await visit(`order/${table}/review`, '.waiter-review-line');
    await visit(`bill/${order.bill_id}`, '.bill-line');
    await visit(`bill/${order.bill_id}/pay`, '.pay-methods');
    expect(found).toEqual([]);
  });
  test('when the manager’s pages are visited, then none is wider than the screen, and every key of the PIN is in view', async () => {
    await app.place(table, ['Feijoada']);
    const { page, pad } = await openManager(app, 'evening', at195);
    const { check, found } = checkScreens(page, {
      looks: { at195 },
      shoot: app.shoot,
      name: 'longest',
      measure: widthFaults,
      examine: async () => [],
    });
    for (const [to, content] of [
      ['evening', '.evening-table a'],
      ['menu', '.menu-row'],
      ['menu/new', '.dish-form'],
      ['tables', '.table-card'],
      ['people', '.person'],
      ['deposits', 'input'],
      ['screens', 'form'],
      ['ordering', '.going-on'],
    ]) {
      await app.goTo(page, `manager/${to}`);
      await page.locator(`.manager-main ${content}`).first().waitFor();
      await check(`manager-${to}`);
    }
    await page.getByRole('button', { name: 'Stop transfers' }).click();
    await pad.waitFor();
    const rights = await pad
      .getByRole('button')
      .evaluateAll((keys) => keys.map((key) => key.getBoundingClientRect().right));
    expect(Math.max(...rights)).toBeLessThanOrEqual(195);
    expect(found).toEqual([]);
  });
});
