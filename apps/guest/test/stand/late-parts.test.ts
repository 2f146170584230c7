import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import type { Page } from 'playwright-core';
import { newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import type { State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import { dishCard, guestPage } from '../support/guest.ts';
import { seated, unsentOrder } from './states.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());
async function show(state: State) {
  const page = await stand.show(state);
  return { page, ...guestPage(page) };
}

describe('the menu without the part of the app that is loaded after it', () => {
  beforeEach(async () => {
    expectErrors(stand.page, /net::ERR_FAILED/);
    await stand.page.route('**/order-pages-*.js', (route) => route.abort());
  });
  afterEach(() => stand.page.unrouteAll());

  test('says so when the guest wants to filter, and if there are no dishes', async () => {
    const { page, button, sees } = await show(seated({ answers: { listMenu: [] } }));
    await sees('This couldn’t be loaded. Check the connection.');
    await button('Allergies').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).waitFor();
  });
  test.each([
    ['“Try again”', (page: Page) => page.getByRole('button', { name: 'Try again' }).click()],
    ['the network’s return', (page: Page) => page.evaluate(() => void dispatchEvent(new Event('online')))],
  ])('shows the dishes, and says so if an order is still to be sent, which %s then sends', async (_what, goOn) => {
    const state = seated({ device: unsentOrder('late'), answers: { placeOrder: newOrder({ items: ['Feijoada'] }) } });
    const { page, sees } = await show(state);
    await dishCard(page, 'Feijoada').waitFor();
    await sees('This couldn’t be loaded. Check the connection.');
    expect(await stand.calls('placeOrder')).toHaveLength(0);
    await page.unrouteAll();
    await Promise.all([page.waitForEvent('load'), goOn(page)]);
    await until(async () => (await stand.calls('placeOrder')).length === 1, { what: 'the order' });
  });
});
