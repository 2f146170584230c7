import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const page = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8');
const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../public/manifest.webmanifest'), 'utf8'));

test('a menu on the Home Screen opens in the browser, where the table is known that was scanned there', () => {
  expect(manifest).toMatchObject({ display: 'browser', start_url: '/', scope: '/' });
  // An app of its own has a storage of its own on iPhones.
  expect(page).not.toMatch(/(apple-)?mobile-web-app-capable/);
});
