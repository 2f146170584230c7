import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { checkScreens, overflowOf } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager } from './support/manager-page.ts';

let app: KitchenApp;
const longWord = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesschnitzel';
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
    const cut = (): Promise<number> =>
      page
        .locator('.board-slot .ticket')
        .evaluateAll((all) => all.filter((each) => each.scrollHeight > each.clientHeight + 1).length);
    await until(async () => (await cut()) === 0, { what: 'a board without a cut card' });
    await app.shoot(page, `longest-${width}`);
    const shown = await page.evaluate(() => ({
      zoom: document.querySelector('.board')?.currentCSSZoom,
      height: document.querySelector('.board')?.getBoundingClientRect().height,
    }));
    expect(shown).toEqual({ zoom, height });
    expect(await overflowOf(page)).toBe(0);
  });

  test('when a remark is higher than a column, then it is scrolled, and Bump stays in view', async () => {
    await app.place(table, [{ name: 'Feijoada', remarks: text(500) }], text(200));
    const { page } = await app.startShift({ viewport: { width: 1_024, height: 560 } });
    const ticket = page.locator('.board-slot .ticket').first();
    await until(async () => ticket.evaluate((each) => each.scrollHeight > each.clientHeight), { what: 'a high card' });
    const [card, bump] = [await ticket.boundingBox(), await ticket.locator('.ticket-bump').boundingBox()];
    expect((bump?.y ?? 0) + (bump?.height ?? 0)).toBeLessThanOrEqual((card?.y ?? 0) + (card?.height ?? 0) + 1);
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
  }, 60_000);
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
  }, 60_000);
});
