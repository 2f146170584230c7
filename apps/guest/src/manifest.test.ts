import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const page = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8');
const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../public/manifest.webmanifest'), 'utf8'));

test('a menu on the Home Screen opens in the browser, which knows the scanned table', () => {
  expect(manifest).toMatchObject({ display: 'browser', start_url: '/', scope: '/' });
  // On iPhones, an app on the Home Screen would have separate storage, and would not know the scanned table.
  expect(page).not.toMatch(/(apple-)?mobile-web-app-capable/);
});
