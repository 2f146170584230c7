import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import type { Page } from 'playwright-core';
import { checkScreens, unknownPropertiesOf } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { signIn } from './support/board-page.ts';
import { startKitchenApp, waiter, type KitchenApp } from './support/kitchen-app.ts';

let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('kitchen-page');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

/** What does not fit: the page sideways, cards over their slots, targets below 48 px, letters below 16 px. */
const misfitsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement;
    const name = (element: Element): string =>
      `${element.className} ${element.getAttribute('aria-label') ?? element.textContent}`.slice(0, 80);
    const isShown = (element: Element): boolean =>
      element.getBoundingClientRect().width > 1 && getComputedStyle(element).visibility !== 'hidden';
    const all = [...document.querySelectorAll('#app *')].filter((element) => isShown(element));
    const targets = all.filter((element) => element.matches('button, input, a'));
    const bars = document.querySelector('.app-menu-list') ? '' : '.board-top, '; // an open menu hangs out of its bar
    const cards = all.filter((element) => element.matches(`${bars}.ticket, .board-bottom, .ticket-head, .tool`));
    return [
      ...(root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []),
      ...targets
        .filter((element) => {
          // The whole row of a dish is its button's.
          const { width, height } = (element.closest('.ticket-item') ?? element).getBoundingClientRect();
          return width < 47.5 || height < 47.5;
        })
        .map((element) => `small: ${name(element)}`),
      ...cards
        .filter(
          (element) => element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1,
        )
        .map((element) => `cut: ${name(element)}`),
      ...all
        .filter((element) => element.childElementCount === 0 && element.textContent !== '')
        .filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < 16)
        .map((element) => `small letters: ${name(element)}`),
    ];
  });

/** Table, lines, allergies. */
const rows: [string, string[], string?][] = [
  ['7', ['1 Moqueca de peixe', '1 Picanha na brasa, ponto da carne: mal passado', '2 Pão de queijo']],
  ['3', ['2 Feijoada, sem pimenta', '1 Risoto de cogumelos']],
  [
    '12',
    [
      '2 Picanha na brasa, ponto da carne: ao ponto',
      '1 Moqueca de peixe, sem coentro',
      '2 Feijoada',
      '3 Pão de queijo',
      '1 Pudim de leite',
      '3 Chope claro 300 ml',
    ],
    'amendoim e derivados de leite',
  ],
  ['5', ['1 Bolinho de bacalhau', '2 Risoto de cogumelos, um sem parmesão']],
  [
    '9',
    [
      `3 Picanha na brasa, Supercalifragilistic${'x'.repeat(60)} and more words that wrap at the end of the line`,
      '1 Pudim de leite',
    ],
  ],
  ['2', ['2 Moqueca de peixe, sem dendê', '1 Feijoada']],
  ['10', ['6 Pão de queijo', '1 Moqueca de peixe, sem camarão no caldo'], 'camarão'],
  ['6', ['2 Caipirinha de limão', '1 Chope claro 300 ml']],
  ['1', ['3 Feijoada']],
];
/** Orders in all their states. */
async function fillBoard(): Promise<void> {
  const dishes = (await app.manager('GET', '/menu')).body as { name: string }[];
  const names = new Map(dishes.map((dish) => [dish.name.split(' ')[0], dish.name]));
  const lineOf = (text: string) => {
    const [, quantity, first = '', rest = '', remarks = ''] = /^(\d+) ([^\s,]+)([^,]*)(?:, (.*))?$/.exec(text) ?? [];
    return { name: names.get(first) ?? first + rest, quantity: Number(quantity), ...(remarks && { remarks }) };
  };
  const made = [];
  for (const [table, lines, allergies] of rows) made.push(await app.place(table, lines.map(lineOf), allergies));
  await app.setOrder(made[0].id, 'preparing');
  await app.setItem(made[0], 2, 'ready');
  await app.setOrder(made[3].id, 'preparing');
  await app.setOrder(made[3].id, 'ready');
}

const english = {
  // A tablet whose letters are twice as large.
  zoomed: { viewport: { width: 640, height: 400 } },
  tablet: { viewport: { width: 1280, height: 800 } },
  portrait: { viewport: { width: 800, height: 1280 } },
};
const portuguese = {
  phone: { viewport: { width: 360, height: 740 } },
  wall: { viewport: { width: 1920, height: 1080 } },
};
/** The board moves its cards after a change of its size, when it has measured them. */
async function misfitsOfBoard(page: Page): Promise<string[]> {
  let misfits: string[] = [];
  const fits = async (): Promise<boolean> => (misfits = await misfitsOf(page)).length === 0;
  await until(fits, { what: 'the cards', timeoutMs: 5_000 }).catch(() => undefined);
  return misfits;
}
/** Buttons and cards without an edge, and a remark that cannot be read, where the system chooses the colours. */
async function bareWhenForced(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const bare = await page.evaluate(() => {
    const edges = [...document.querySelectorAll('.tool, .ticket, .ticket-bump, .ticket-allergies')].filter(
      (element) => {
        const { borderTopWidth, outlineStyle } = getComputedStyle(element);
        return borderTopWidth === '0px' && outlineStyle === 'none';
      },
    );
    const remarks = [...document.querySelectorAll('.ticket mark')].filter((mark) => {
      const { color, backgroundColor } = getComputedStyle(mark);
      return color === backgroundColor;
    });
    return [...edges, ...remarks].map((element) => element.className || element.tagName);
  });
  await page.emulateMedia({ forcedColors: 'none' });
  return bare;
}
test.each([
  ['en-US', english],
  ['pt-BR', portuguese],
] as const)(
  'when every screen of the board is visited (%s), then axe finds nothing, all of it fits, and forced colours leave an edge',
  async (locale, looks) => {
    await fillBoard();
    const { page } = await app.open({ ...Object.values(looks)[0], locale });
    const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'board', measure: misfitsOfBoard });
    await page.locator('.shift-check').nth(4).waitFor();
    await check('start');
    await page.locator('button.shift-start').click();
    await page.locator('.ticket').nth(2).waitFor();
    await check('board');
    expect(await page.locator('.ticket mark').count()).toBeGreaterThan(0);
    expect(await bareWhenForced(page)).toEqual([]);
    await page.locator('.ticket-position').first().click();
    await check('back');
    await page.keyboard.press('Escape');
    for (const [index, drawer] of ['all-day', 'recall', 'sold-out'].entries()) {
      const tool = page.locator('.board-tools .tool').nth(index);
      await tool.click();
      await page.locator('.drawer').waitFor();
      if (drawer === 'sold-out') await page.locator('.switch').nth(3).waitFor();
      await check(drawer);
      await page.keyboard.press('Escape');
    }
    await page.locator('.app-menu > button').click();
    await check('menu');
    await page.locator('.app-menu-list button').first().click();
    await page.locator('.drawer .legend').waitFor();
    await check('legend');
    await page.keyboard.press('Escape');
    await page.locator('.ticket-bump').first().click();
    await page.locator('.tool-undo').waitFor();
    await check('undo');
    await page.locator('.board-tools .tool').nth(1).click();
    await page.locator('.recalls li').waitFor();
    await check('recalled');
    expect(found).toEqual([]);
  },
);

test('when somebody signs in without naming a screen, then a phone shows the waiters’ pages, and what was chosen is kept', async () => {
  async function signInAt(viewport: { width: number; height: number }): Promise<Page> {
    const { page } = await app.newScreen({ viewport });
    await page.goto(`${app.url}/kitchen`);
    await signIn(page, waiter);
    return page;
  }
  const page = await signInAt({ width: 360, height: 740 });
  await page.getByRole('navigation', { name: 'Waiter' }).waitFor();
  await page.evaluate(() => {
    location.hash = '#/board';
  });
  await page.locator('button.shift-start').waitFor();
  await page.goto(`${app.url}/kitchen`);
  await page.locator('button.shift-start').waitFor();
  const wide = await signInAt({ width: 1280, height: 800 });
  await wide.locator('button.shift-start').waitFor();
  await wide.getByRole('link', { name: /^Waiter/ }).click();
  await wide.getByRole('navigation', { name: 'Waiter' }).waitFor();
});

test('when the sign-in is shown on a phone and on a tablet, then its card stands in the middle, and nothing scrolls', async () => {
  const { page } = await app.newScreen({});
  await page.goto(`${app.url}/kitchen`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  for (const [width, height] of [
    [360, 640],
    [1_280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await app.shoot(page, `sign-in-${width}`);
    const { box, root } = await page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.documentElement;
      const { left, right, top, bottom } = document.querySelector('.sign-in')?.getBoundingClientRect() ?? new DOMRect();
      return { box: { left, right, top, bottom }, root: { scrollHeight, clientHeight } };
    });
    expect(root.scrollHeight).toBe(root.clientHeight);
    expect(Math.abs(box.left - (width - box.right))).toBeLessThan(2);
    expect(Math.abs(box.top - (height - box.bottom))).toBeLessThan(2);
  }
});

test('when all orders are finished, then the drawing and its words stand in the middle, one below the other', async () => {
  const { page } = await app.startShift();
  await page.locator('.board-empty h2').waitFor();
  await page
    .getByText(/^Live since/)
    .last()
    .waitFor();
  await app.shoot(page, 'empty');
  const boxes = await page
    .locator('.board-empty > *')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
  expect(boxes.length).toBe(4);
  for (const [index, box] of boxes.entries()) {
    expect(Math.abs(box.left + box.width / 2 - 640)).toBeLessThan(2);
    expect(box.top).toBeGreaterThanOrEqual(boxes[index - 1]?.bottom ?? 200);
  }
});

test('when the board has not read the orders yet, then it does not say that none is open', async () => {
  const { page } = await app.startShift();
  await page.locator('.board-counts').waitFor();
  const list = Promise.withResolvers<void>();
  await page.route(/\/orders\?/, (route) => list.promise.then(() => route.fallback()));
  await page.reload();
  await page.getByText('Loading the orders…').waitFor();
  expect(await page.locator('.board-counts').count()).toBe(0);
  list.resolve();
  await page.locator('.board-counts', { hasText: '0 open' }).waitFor();
});

test('a board whose drawers could not be loaded opens one with a new page, once they can be', async () => {
  const { page } = await app.startShift();
  expectErrors(page, /net::ERR_FAILED/);
  await page.route('**/assets/drawers-*.js', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.reload();
  await failed;
  const recall = page.getByRole('button', { name: 'Recall' });
  await recall.waitFor();
  await page.unroute('**/assets/drawers-*.js');
  const drawer = page.locator('.drawer');
  const opensAfterReload = page.waitForEvent('load').then(() => recall.click());
  await recall.click();

  // Without a new page, if what failed was only the request that runs ahead of the import.
  await Promise.race([opensAfterReload, drawer.waitFor()]);
  await drawer.waitFor();
});

test('when the style sheets are read, then the browser knows every property in them', async () => {
  const { page } = await app.newScreen({});
  const assets = join(app.folder, 'assets');
  const sheets = readdirSync(assets).filter((file) => file.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(1);
  for (const sheet of sheets)
    expect(await unknownPropertiesOf(page, readFileSync(join(assets, sheet), 'utf8'))).toEqual([]);
});

test('when the app is built, then its first load is at most 63.5 KB of gzipped script', () => {
  const assets = join(app.folder, 'assets');
  const html = readFileSync(join(app.folder, 'index.html'), 'utf8');
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(assets, file), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) load(imported ?? '');
  };
  for (const [, file] of html.matchAll(/assets\/([^"]+\.js)"/g)) load(file ?? '');
  // Socket.IO comes on its own, but each board needs it at once.
  for (const file of readdirSync(assets)) if (/^feed-socket.*\.js$/.test(file)) load(file);
  const bytes = [...loaded].map((file) => gzipSync(readFileSync(join(assets, file))).length);
  expect(loaded.size).toBeGreaterThan(0);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(63_500);
});
