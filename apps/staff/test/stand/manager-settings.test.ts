import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, inBothLanguages } from '@comanda/testing/page-checks';
import { restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { longWord, looks, withoutAxe } from '../support/looks.ts';
import { press, says } from '../support/page.ts';
import { managing } from './manager-states.ts';

// The page with the restaurant's settings.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const stored = { ...restaurant, version: 7 };
const wifi = { ssid: 'Comanda', password: 'boa-comida-2026' };
const settings = (answers: State['answers'] = {}): State =>
  managing({ answers: { getRestaurant: stored, getWifi: { wifi, version: 7 }, ...answers } });
async function show(state: State, look: object = looks.desk): Promise<Page> {
  const page = await stand.show(state, '#/manager/restaurant', look);
  await page.locator('.settings-form').waitFor();
  return page;
}

describe('the Restaurant page', () => {
  test('sends only what has changed, with the version', async () => {
    const page = await show(settings({ putRestaurant: { ...stored, version: 8 } }));
    await page.getByLabel('Restaurant name').fill('Cantina da Lia');
    await press(page, 'Green');
    await says(page, 'White text on it has a contrast of 7.13:1. It’s easy to read.');
    await press(page, '12%');
    await page.getByLabel('Bebidas: amber after (minutes)').fill('3');
    await page.getByLabel('Bebidas: late after (minutes)').fill('6');
    await page.getByLabel('Wi-Fi password').fill('outra-senha-1');
    await press(page, 'Save');
    await says(page, 'Saved.');
    expect((await stand.calls('putRestaurant')).map(({ input }) => input)).toEqual([
      {
        name: 'Cantina da Lia',
        accent: '#166534',
        tip_suggestions: ['5.00', '10.00', '12.00'],
        category_limits: [{ category: 'Bebidas', amber_minutes: 3, late_minutes: 6 }],
        wifi: { ssid: 'Comanda', password: 'outra-senha-1' },
        version: 7,
      },
    ]);
  });

  test('says what is wrong before it sends anything', async () => {
    const page = await show(settings());
    await page.getByLabel('Service charge (%)').fill('1000');
    await page.getByLabel('Another colour').fill('#ffd166');
    await says(page, /contrast of 1\.44:1\. At least 4\.5:1 is needed/);
    await page.getByLabel('Bebidas: amber after (minutes)').fill('9');
    await page.getByLabel('Bebidas: late after (minutes)').fill('6');
    await press(page, 'Save');
    await says(page, 'Enter a percentage from 0 to 100, such as 10');
    await says(page, 'Bebidas: a dish must turn amber before it’s late.');
    expect(await stand.calls('putRestaurant')).toEqual([]);
  });

  test('keeps what was typed after a failure and on another page', async () => {
    const page = await show(settings({ putRestaurant: fails('service_unavailable') }));
    await page.getByLabel('Restaurant name').fill('Cantina da Lia');
    await press(page, 'Save');
    await says(page.getByRole('alert'), 'Part of the system isn’t responding.');
    await page.evaluate(() => (location.hash = '#/manager/ordering'));
    await page.getByRole('heading', { name: 'Pause orders' }).waitFor();
    await page.evaluate(() => (location.hash = '#/manager/restaurant'));
    await page.locator('.settings-form').waitFor();
    expect(await page.getByLabel('Restaurant name').inputValue()).toBe('Cantina da Lia');
  });

  test('shows both values if another manager has changed the same setting', async () => {
    const theirs = { ...stored, version: 8, service_charge: { rate: '12.00', optional: false }, name: 'Casa' };
    const page = await show(
      settings({ putRestaurant: { turns: [fails('version_mismatch'), { ...theirs, version: 9 }] } }),
    );
    await page.getByLabel('Service charge (%)').fill('15');
    await stand.answer({ getRestaurant: theirs });
    await press(page, 'Save');
    await says(page.getByRole('alert'), 'Another manager has changed the same settings.');
    await says(page, 'Another manager has changed this to: 12%');
    expect(await page.getByLabel('Service charge (%)').inputValue()).toBe('15');
    expect(await page.getByLabel('Restaurant name').inputValue()).toBe('Casa');
    await press(page, 'Save');
    await says(page, 'Saved.');
    const [, second] = await stand.calls('putRestaurant');
    // The switch, which this manager has not touched, follows the other one.
    expect(second?.input).toEqual({ service_charge: { rate: '15.00', optional: false }, version: 8 });
  });

  test('shows the other value at once, and takes it if asked', async () => {
    const theirs = { ...stored, version: 8, tip_suggestions: ['20.00'] };
    const page = await show(settings());
    await press(page, '15%');
    await stand.answer({ getRestaurant: theirs });
    await stand.emit('ordering.settings_changed', { restaurant: theirs });
    await says(page, 'Another manager has changed this to: 20%');
    await press(page, 'Use theirs: Suggested tips');
    await says(page, 'Everything is saved.');
    expect(await page.getByRole('button', { name: '20%', pressed: true }).count()).toBe(1);
  });

  test('saves at once if the other manager has changed another setting', async () => {
    const theirs = { ...stored, version: 8, name: 'Casa' };
    const page = await show(
      settings({ putRestaurant: { turns: [fails('version_mismatch'), { ...theirs, version: 9 }] } }),
    );
    await page.getByLabel('Waiters’ discount limit (%)').fill('5');
    await stand.answer({ getRestaurant: theirs });
    await press(page, 'Save');
    await says(page, 'Saved.');
    expect(await page.getByLabel('Restaurant name').inputValue()).toBe('Casa');
  });

  test('fits every screen with the longest values', async () => {
    const longest = {
      ...stored,
      name: longWord.slice(0, 60),
      accent: '#166534',
      category_limits: [{ category: longWord.slice(0, 64), amber_minutes: 120, late_minutes: 240 }],
    };
    const page = await show(
      settings({
        getRestaurant: longest,
        getWifi: { wifi: { ssid: 'W'.repeat(32), password: 'w'.repeat(63) }, version: 7 },
      }),
      looks['at-195'],
    );
    const { check, found } = checkScreens(page, {
      looks: inBothLanguages(looks),
      shoot: stand.shoot,
      name: 'settings',
      measure: withoutAxe.measure,
    });
    await check('stored');
    await page.locator('.settings-form input').first().fill('');
    const theirs = { ...longest, version: 8, name: longWord.slice(14, 74) };
    await stand.answer({ getRestaurant: theirs });
    await stand.emit('ordering.settings_changed', { restaurant: theirs });
    await page.locator('.settings-theirs').waitFor();
    await page.locator('.settings-foot .button-primary').click();
    await page.locator('.field-error').first().waitFor();
    await check('conflict');
    expect(found).toEqual([]);
  });
});
