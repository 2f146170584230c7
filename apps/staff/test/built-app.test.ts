import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { sharedBrowser } from '@comanda/testing/browser';
import { builtApps } from '@comanda/testing/built-apps';
import { statementsOf } from '@comanda/testing/oldest-browser';
import { firstLoadBytes } from '@comanda/testing/first-load';
import { unknownPropertiesOf } from '@comanda/testing/page-checks';

let folder: string;
let assets: string;
beforeAll(async () => {
  ({ KITCHEN_APP_FOLDER: folder } = await builtApps());
  assets = join(folder, 'assets');
});

test('the browser supports every property in the style sheets', async () => {
  const page = await (await sharedBrowser()).newPage();
  const sheets = readdirSync(assets).filter((file) => file.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(1);
  for (const sheet of sheets)
    expect(await unknownPropertiesOf(page, readFileSync(join(assets, sheet), 'utf8'))).toEqual([]);
  await page.close();
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

test.each([
  { screen: 'the sign-in', parts: ['sign-in'], maxBytes: 40_450 },
  { screen: 'the board', parts: ['board-screen', 'feed-socket'], maxBytes: 57_050 },
])('$screen needs at most $maxBytes bytes of gzipped script', ({ parts, maxBytes }) => {
  expect(firstLoadBytes(folder, parts)).toBeLessThanOrEqual(maxBytes);
});
