/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { brokenWordsOf, overflowOf, textsOutsideOf } from '@comanda/testing/page-checks';
import type { Locator, Page } from 'playwright-core';
import { startKitchenApp, waiter, type KitchenApp } from './support/kitchen-app.ts';
import { looks } from './support/looks.ts';
import { openManager } from './support/manager-page.ts';
import { phone, press, says } from './support/page.ts';
import { placeRush } from './support/rush.ts';

// What pictures of a full evening have shown, and no other test would find again.

let app: KitchenApp;
const at195 = { ...looks['at-195'], locale: 'pt-BR' };
const upright = { viewport: { width: 768, height: 1024 }, locale: 'pt-BR' };
const wall = { viewport: { width: 1_920, height: 1_080 }, locale: 'pt-BR' };
beforeAll(async () => {
  app = await startKitchenApp('kitchen-looks-evening');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const boxOf = (element: Locator): Promise<DOMRect> => element.evaluate((each) => each.getBoundingClientRect());
/** Whether all of it is in view and nothing stands over it. */
const isWhole = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const points = [x, y, left + 2, y, right - 2, y, x, top + 2, x, bottom - 2]; // its corners are round
    const isSeen = points.every(
      (at, index) => index % 2 === 1 || each.contains(document.elementFromPoint(at, points[index + 1] ?? 0)),
    );
    return isSeen && each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight + 1;
  });
/** How much room an element leaves around its text, in px: the least on any side. */
const restOf = (element: Locator): Promise<number> =>
  element.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const [text, box] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
    return Math.min(text.left - box.left, box.right - text.right, text.top - box.top, box.bottom - text.bottom);
  });
const pause = (body: object): Promise<unknown> => app.manager('PUT', '/ordering', { body });
const inTenMinutes = () => ({ paused_until: new Date(Date.now() + 600_000).toISOString() });
const openBoard = async (look: Parameters<KitchenApp['startShift']>[0], size: 'large' | 'dense'): Promise<Page> => {
  const { page } = await app.open(look);
  await page
    .locator('.shift-choice')
    .nth(1)
    .locator('button')
    .nth(size === 'large' ? 1 : 2)
    .click();
  await page.locator('button.shift-start').click();
  await page.locator('.ticket').nth(2).waitFor();
  return page;
};

describe('the strip of a pause', () => {
  test.each([upright, { viewport: { width: 1_024, height: 768 }, locale: 'pt-BR' }, wall])(
    'when guests cannot order, and a ticket of a later page was bumped, then a screen of $viewport.width px shows the pause, the older tickets and Undo in full',
    async (look) => {
      await placeRush(app, 27);
      const page = await openBoard(look, 'large');
      await pause(inTenMinutes());
      const strip = page.locator('.board-bottom').getByText(/^Clientes não podem pedir até \d\d:\d\d$/);
      await strip.waitFor();
      expect(await isWhole(strip)).toBe(true);
      await page.locator('.board-bottom > .tool').click();
      const older = page.locator('.board-older');
      await older.waitFor();
      await page.locator('.ticket-bump').last().click();
      const undo = page.getByRole('button', { name: 'Desfazer', exact: true });
      await undo.waitFor();
      await app.shoot(page, `looks-pause-${look.viewport.width}`);
      for (const each of [strip, older, undo]) expect(await isWhole(each)).toBe(true);

      await pause({});
      await strip.waitFor({ state: 'detached' });
    },
  );

  test('when the system chooses the colours, then the strip has an edge', async () => {
    const { page } = await app.startShift({ forcedColors: 'active' });
    await pause(inTenMinutes());
    const strip = page.getByText(/^Guests cannot order until /);
    expect(await strip.evaluate((each) => getComputedStyle(each).borderTopWidth)).toBe('1px');
    await pause({});
  });

  test.each([at195, phone])(
    'when guests cannot order, then a waiter’s phone of $viewport.width px says so in full above each page',
    async (look) => {
      const { page } = await app.openAt('waiter/ready', waiter, look);
      await pause(inTenMinutes());
      const strip = page.locator('.waiter-unsent').getByText(/\d\d:\d\d/);
      for (const to of ['ready', 'tables', 'order']) {
        await app.goTo(page, `waiter/${to}`);
        await strip.waitFor();
        expect(await isWhole(strip)).toBe(true);
      }
      await pause({});
      await strip.waitFor({ state: 'detached' });
    },
  );
});

describe('the board', () => {
  test('when the back of a ticket is open on a phone at 200 %, then no word and no button of it is cut, also while it asks', async () => {
    await app.place('7', ['Risoto de cogumelos', 'Feijoada']);
    const { page } = await app.startShift(at195);
    await page.locator('.ticket button.ticket-position').click();
    const back = page.locator('.ticket-back');
    const check = async (): Promise<void> => {
      await app.shoot(page, 'looks-ticket-back');
      const rights = await back.locator('button').evaluateAll((all) => all.map((b) => b.getBoundingClientRect().right));
      expect(Math.max(...rights)).toBeLessThanOrEqual((await boxOf(back)).right);
      expect(await back.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
      expect([...(await brokenWordsOf(page)), ...(await textsOutsideOf(page)), await overflowOf(page)]).toEqual([0]);
    };
    await back.waitFor();
    await check();
    await press(back, /^Cancelar pedido/);
    await press(back, 'Não');
    await back.getByRole('button', { name: 'Tirar Risoto de cogumelos' }).click();
    await back.getByText('Tirar 1 Risoto de cogumelos?').waitFor();
    await check();
  });

  test('when a drawer is open on a phone at 200 %, then its title, its words and its search field are whole', async () => {
    const { ticket } = await app.place('3', ['Risoto de cogumelos', 'Feijoada']);
    const { page } = await app.startShift(at195);
    await press(page, `Avançar comanda ${ticket}`);
    await press(page, 'Voltar atrás');
    await page.getByRole('button', { name: `Trazer de volta a comanda ${ticket}` }).waitFor();
    expect([...(await brokenWordsOf(page)), ...(await textsOutsideOf(page))]).toEqual([]);
    const [title, close] = [page.locator('.drawer h2'), page.locator('.drawer-close')];
    expect((await boxOf(close)).left - (await boxOf(title)).right).toBeGreaterThanOrEqual(8);
    await page.keyboard.press('Escape');
    await press(page, 'Esgotados');
    const room = await page.locator('.drawer-search').evaluate((field: HTMLElement | SVGElement) => {
      const style = getComputedStyle(field);
      const context = document.createElement('canvas').getContext('2d');
      if (!context) return 0;
      context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const text = context.measureText((field as HTMLInputElement).placeholder).width;
      return field.clientWidth - 2 * Number.parseFloat(style.paddingLeft) - text;
    });
    expect(room).toBeGreaterThanOrEqual(0);
  });

  test.each(['large', 'dense'] as const)(
    'when a wall shows %s cards, then each number and the word of each button leave room to their edges',
    async (size) => {
      for (const [dish, quantity] of [
        ['Feijoada', 3],
        ['Risoto de cogumelos', 2],
      ] as const)
        await app.place('8', [{ name: dish, quantity }]);
      await placeRush(app, 11);
      const page = await openBoard(wall, size);
      await page.locator('.ticket-one-dish').first().waitFor();
      const gaps = await page.locator('.board-slot .ticket-quantity-many').evaluateAll((all) =>
        all.flatMap((each) => {
          const [number, row] = [each.getBoundingClientRect(), each.closest('li')?.getBoundingClientRect()];
          return row ? [number.top - row.top, row.bottom - number.bottom] : [];
        }),
      );
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3);
      const bump = page.locator('.board-slot .ticket-one-dish > .ticket-bump').first();
      expect(await restOf(bump)).toBeGreaterThanOrEqual(4);
      expect(await brokenWordsOf(page)).toEqual([]);
    },
  );
});

test('when somebody looks at their sessions, then the address has a line of its own', async () => {
  const { page } = await app.openAt('waiter/ready', waiter, upright);
  await press(page, 'Menu');
  await press(page, 'Sessões');
  await page.locator('.session').first().getByText('127.0.0.1', { exact: true }).waitFor();
});

test('when a session is ended, then a second tap does not end the one that takes its place', async () => {
  for (let count = 0; count < 3; count++) await app.stack.call('POST', '/auth/login', { body: waiter });
  const { page } = await app.openAt('waiter/ready', waiter, upright);
  await press(page, 'Menu');
  await press(page, 'Sessões');
  const end = page.locator('.session').getByRole('button');
  await end.nth(2).waitFor();
  const enabled = end.first().and(page.locator(':not([aria-disabled="true"])'));
  const before = await end.count();
  const ended: string[] = [];
  page.on('request', (request) => request.method() === 'DELETE' && ended.push(request.url()));
  await enabled.waitFor();
  // The second comes as soon as the next session stands there.
  await page.locator('.session-list').evaluate(async (list) => {
    const endFirst = (): void => list.querySelector<HTMLElement>('.session button')?.click();
    const count = list.children.length;
    endFirst();
    while (list.children.length === count) await new Promise(requestAnimationFrame);
    endFirst();
  });
  await enabled.waitFor();
  expect(await end.count()).toBe(before - 1);
  expect(ended).toHaveLength(1);
});

describe('on a manager’s pages', () => {
  test('when bills are open, then each row on a phone has table and age above, and both amounts below', async () => {
    for (const table of ['3', 'Varanda-Norte-12']) {
      await app.manager('PUT', `/tables/${table}`);
      await app.place(table, ['Feijoada']);
    }
    const { page } = await openManager(app, 'evening', phone);
    await page.locator('.evening-table tbody tr').nth(1).waitFor();
    const rows = await page.locator('.evening-table tbody tr').evaluateAll((all) =>
      all.map((row) => {
        const [name = 0, age = 0, total = 0, left = 0] = [...row.children].map((cell) => {
          const { top, bottom } = cell.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        });
        return [Math.abs(name - age) <= 1, age < total - 10, total === left];
      }),
    );
    expect(rows.flat()).not.toContain(false);
  });

  test.each(['en-US', 'pt-BR'])(
    'when a tablet shows the menu in %s, then search and buttons stand in one line',
    async (locale) => {
      const { page } = await openManager(app, 'menu', { viewport: { width: 1_024, height: 768 }, locale });
      await page.locator('.menu-row').first().waitFor();
      const middles = await page
        .locator('.manager-head > :is(input, a)')
        .evaluateAll((all) =>
          all.map((each) => Math.round(each.getBoundingClientRect().top + each.getBoundingClientRect().height / 2)),
        );
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(1);
    },
  );

  test('when a phone at 200 % shows what can be stopped, then no line covers another, and no word of a button is broken', async () => {
    const { page } = await openManager(app, 'ordering', at195);
    const title = page.getByRole('heading', { name: 'Suspender algo para todos' });
    await title.waitFor();
    const [size, line] = await title.evaluate((each) => {
      const { fontSize, lineHeight } = getComputedStyle(each);
      return [Number.parseFloat(fontSize), Number.parseFloat(lineHeight)];
    });
    expect(line).toBeGreaterThanOrEqual((size ?? 0) * 1.15);
    const stop = page.getByRole('button', { name: 'Suspender transferências' });
    const lines = await stop.evaluate((each) => {
      const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode();
      const range = document.createRange();
      const words = (text?.nodeValue ?? '').matchAll(/\S+/g);
      return [...words].map(({ 0: word, index }) => {
        range.setStart(text as Node, index);
        range.setEnd(text as Node, index + word.length);
        return range.getClientRects().length;
      });
    });
    expect(lines).toEqual([1, 1]);
  });
});

test('when a table with a long name waits for the kitchen, then its age stands at the right, as all others', async () => {
  await app.manager('PUT', '/tables/Varanda-Norte-12');
  await app.place('Varanda-Norte-12', ['Feijoada']);
  await app.place('3', ['Feijoada']);
  const { page } = await app.openAt('waiter/ready', waiter, phone);
  const ages = page.locator('.waiter-others-age');
  await ages.nth(1).waitFor();
  const rights = await ages.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().right)));
  expect(new Set(rights).size).toBe(1);
});

test('when an amount of a bill was paid, then a waiter reads at once that its dishes cannot be paid one by one', async () => {
  const { bill_id: bill } = await app.place('3', ['Feijoada', 'Pudim de leite']);
  const payment = { method: 'card', part: { amount: '10.00' }, expected_amount: '10.00' };
  await app.manager('POST', `/bills/${bill}/payments`, { body: payment });
  const { page } = await app.openAt(`waiter/bill/${bill}/pay`, waiter, phone);
  await press(page, 'Dishes');
  await says(page, /dishes cannot be paid one by one any more/);
  expect(await page.getByRole('checkbox').count()).toBe(0);
});
