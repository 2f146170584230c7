import { expect, test } from '@jest/globals';
import { settingsInReadme, settingsOf } from '@comanda/testing/settings-table';
import { ordersSettings } from '../src/config.ts';

const readme = new URL('../README.md', import.meta.url);

test('the README lists every setting of the service with its default', () => {
  expect(settingsInReadme(readme)).toEqual(settingsOf(ordersSettings, readme));
});
