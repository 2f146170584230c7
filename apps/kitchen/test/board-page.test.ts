import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startKitchenApp } from './support/kitchen-app.ts';
import type { KitchenApp } from './support/kitchen-app.ts';

let app: KitchenApp;
beforeAll(async () => {
  app = await startKitchenApp('kitchen-page');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
type AxeResult = { violations: { id: string; nodes: { html: string }[] }[] };
/** What axe finds wrong on the page, in short. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } };
    return axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // The name of an item is its quantity, dish and status; a remark, which stands beside them, is its description.
      rules: { 'label-content-name-mismatch': { enabled: false } },
    });
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
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
          const { width, height } = element.getBoundingClientRect();
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

const rows: [string, [string, number, string?][], string?][] = [
  [
    '7',
    [
      ['Moqueca de peixe', 1],
      ['Picanha na brasa', 1, 'ponto da carne: mal passado'],
      ['Pão de queijo', 2],
    ],
  ],
  [
    '3',
    [
      ['Feijoada', 2, 'sem pimenta'],
      ['Risoto de cogumelos', 1],
    ],
  ],
  [
    '12',
    [
      ['Picanha na brasa', 2, 'ponto da carne: ao ponto'],
      ['Moqueca de peixe', 1, 'sem coentro'],
      ['Feijoada', 2],
      ['Pão de queijo', 3],
      ['Pudim de leite', 1],
      ['Chope claro 300 ml', 3],
    ],
    'amendoim e derivados de leite',
  ],
  [
    '5',
    [
      ['Bolinho de bacalhau', 1],
      ['Risoto de cogumelos', 2, 'um sem parmesão'],
    ],
  ],
  [
    '9',
    [
      ['Picanha na brasa', 3, `Supercalifragilistic${'x'.repeat(60)} and more words that wrap at the end of the line`],
      ['Pudim de leite', 1],
    ],
  ],
  [
    '2',
    [
      ['Moqueca de peixe', 2, 'sem dendê'],
      ['Feijoada', 1],
    ],
  ],
  [
    '10',
    [
      ['Pão de queijo', 6],
      ['Moqueca de peixe', 1, 'sem camarão no caldo'],
    ],
    'camarão',
  ],
  [
    '6',
    [
      ['Caipirinha de limão', 2],
      ['Chope claro 300 ml', 1],
    ],
  ],
  ['1', [['Feijoada', 3]]],
];
/** Orders in all their states. */
async function fillBoard(): Promise<void> {
  const dishes = (await app.manager('GET', '/menu')).body as { name: string }[];
  const names = new Map(dishes.map((dish) => [dish.name.split(' ')[0], dish.name]));
  const made = [];
  for (const [table, lines, allergies] of rows)
    made.push(
      await app.place(
        table,
        lines.map(([name, quantity, remarks]) => ({
          name: names.get(name.split(' ')[0]) ?? name,
          quantity,
          ...(remarks !== undefined && { remarks }),
        })),
        allergies,
      ),
    );
  await app.setOrder(made[0].id, 'preparing');
  await app.setItem(made[0], 2, 'ready');
  await app.setOrder(made[3].id, 'preparing');
  await app.setOrder(made[3].id, 'ready');
}

const looks: [name: string, options: BrowserContextOptions][] = [
  ['tablet', {}],
  ['wall-pt', { viewport: { width: 1920, height: 1080 }, locale: 'pt-BR' }],
  ['portrait', { viewport: { width: 800, height: 1280 } }],
  ['phone-pt', { viewport: { width: 390, height: 844 }, locale: 'pt-BR' }],
  // A tablet whose letters are twice as large.
  ['zoomed', { viewport: { width: 640, height: 400 } }],
];
test.each(looks)(
  'when every screen of the board is visited (%s), then axe finds nothing, and all of it fits',
  async (look, options) => {
    await fillBoard();
    const { page, errors } = await app.open(options);
    const faults: Record<string, unknown> = {};
    const visit = async (screen: string): Promise<void> => {
      await app.shoot(page, `${look}-${screen}`);
      const found = [...(await violationsOf(page)), ...(await misfitsOf(page))];
      if (found.length > 0) faults[screen] = found;
    };
    await page.locator('.shift-check').nth(4).waitFor();
    await visit('start');
    await page.locator('button.shift-start').click();
    await page.locator('.ticket').nth(2).waitFor();
    await visit('board');
    await page.locator('.ticket-position').first().click();
    await visit('back');
    await page.keyboard.press('Escape');
    for (const [index, drawer] of ['all-day', 'recall', 'sold-out'].entries()) {
      const tool = page.locator('.board-tools .tool').nth(index);
      await tool.click();
      await page.locator('.drawer').waitFor();
      if (drawer === 'sold-out') await page.locator('.switch').nth(3).waitFor();
      await visit(drawer);
      await page.keyboard.press('Escape');
    }
    await page.locator('.app-menu > button').click();
    await visit('menu');
    await page.keyboard.press('Escape');
    await page.locator('.ticket-bump').first().click();
    await page.locator('.tool-undo').waitFor();
    await visit('undo');
    expect(faults).toEqual({});
    expect(errors).toEqual([]);
  },
  60_000,
);

test('when colours are forced, then buttons and cards keep an edge', async () => {
  await fillBoard();
  const { page } = await app.startShift({ forcedColors: 'active' });
  await page.locator('.ticket').nth(2).waitFor();
  await app.shoot(page, 'forced-colours');
  const bare = await page.evaluate(() =>
    [...document.querySelectorAll('.tool, .ticket, .ticket-bump, .ticket-allergies')]
      .filter((element) => {
        const { borderTopWidth, outlineStyle } = getComputedStyle(element);
        return borderTopWidth === '0px' && outlineStyle === 'none';
      })
      .map((element) => element.className),
  );
  expect(bare).toEqual([]);
});

test('when the app is built, then its first load is at most 60 KB of gzipped script', () => {
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
  for (const file of readdirSync(assets)) if (file.startsWith('feed-socket')) load(file);
  const bytes = [...loaded].map((file) => gzipSync(readFileSync(join(assets, file))).length);
  expect(loaded.size).toBeGreaterThan(0);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(60_000);
});
