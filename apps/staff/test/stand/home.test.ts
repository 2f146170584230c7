import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { looks } from '../support/looks.ts';
import { managing } from './manager-states.ts';
import { manager, onDuty, onShift } from './states.ts';

// The screen that opens if the address names none.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const managersScreen = 'comanda.kitchen.managers-screen';

describe('an address without a screen', () => {
  test.each(['phone', 'desk'] as const)("opens the managers' first page for a manager (%s)", async (look) => {
    const page = await stand.show(managing(), '', looks[look]);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
  });

  test('opens the screen that the manager last selected on this device', async () => {
    const page = await stand.show(managing(), '#/manager/menu', looks.desk);
    await page.locator('.manager-main').waitFor();
    await page.evaluate(() => (location.hash = '#/waiter/tables'));
    await page.locator('.waiter').first().waitFor();
    expect(await page.evaluate((name) => localStorage.getItem(name), managersScreen)).toBe('waiter');
    await stand.show(managing({ device: { [managersScreen]: 'waiter' } }), '', looks.desk);
    await page.locator('.waiter').first().waitFor();
  });

  test('opens the board for a waiter, even if a manager last used the device', async () => {
    const page = await stand.show(onDuty({ device: { [managersScreen]: 'manager' } }), '', looks.desk);
    await page.locator('button.shift-start').waitFor();
  });

  test('opens the board during a shift', async () => {
    const page = await stand.show(onShift({ who: manager }), '', looks.desk);
    await page.locator('.board').waitFor();
  });
});
