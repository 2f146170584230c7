import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { startBrowser } from '@comanda/testing/browser';
import { builtApps } from '@comanda/testing/built-apps';
import { statementsOf } from '@comanda/testing/oldest-browser';
import { unknownPropertiesOf } from '@comanda/testing/page-checks';

let folder: string;
let assets: string;
beforeAll(async () => {
  ({ KITCHEN_APP_FOLDER: folder } = await builtApps());
  assets = join(folder, 'assets');
});

test('the browser supports every property in the style sheets', async () => {
  const browser = await startBrowser();
  const page = await browser.newPage();
  const sheets = readdirSync(assets).filter((file) => file.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(1);
  for (const sheet of sheets)
    expect(await unknownPropertiesOf(page, readFileSync(join(assets, sheet), 'utf8'))).toEqual([]);
  await browser.close();
});

test('every rule is in a layer, except those of the page for browsers without layers', () => {
  const sheets = readdirSync(assets).filter((file) => file.endsWith('.css'));
  const rules = sheets.flatMap((file) => [...statementsOf(readFileSync(join(assets, file), 'utf8'))]);
  const strays = rules.filter(
    ({ head, body }) => !head.startsWith('@layer') && !`${head}${body}`.includes('not-started'),
  );
  expect(rules.map(({ head }) => head)).toContain('@layer app');
  expect(strays.map(({ head }) => head)).toEqual([]);
});

test('the first load has at most 64.5 KB of gzipped script', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(assets, file), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) load(imported ?? '');
  };
  for (const [, file] of html.matchAll(/assets\/([^"]+\.js)"/g)) load(file ?? '');
  // Socket.IO is in a separate chunk, but every board loads it immediately, so it counts here.
  for (const file of readdirSync(assets)) if (/^feed-socket.*\.js$/.test(file)) load(file);
  const bytes = [...loaded].map((file) => gzipSync(readFileSync(join(assets, file))).length);
  expect(loaded.size).toBeGreaterThan(0);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(64_500);
});
