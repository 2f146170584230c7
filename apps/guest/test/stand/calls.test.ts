import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable } from '@comanda/testing/stand/state';
import { guestPage } from '../support/guest.ts';
import { newCall, seated } from './states.ts';

// Calls for a waiter, on the phone of a guest who has ordered.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const orders = [newOrder({ items: ['Feijoada'] })];
const bill = newBill(orders);
async function show(path: string, { answers, ...more }: Parameters<typeof seated>[0] = {}) {
  const page = await stand.show(seated({ orders, bills: [bill], answers: { me: never, ...answers }, ...more }), path);
  return { page, ...guestPage(page) };
}
const staff = { id: 9, role: 'waiter' } as const;

describe('a call', () => {
  test('can be cancelled while the guest waits for the bill', async () => {
    const call = newCall({ created_at: minutesAgo(0) });
    const { page, button } = await show('#/', {
      answers: { call, updateCall: { ...call, status: 'cancelled', version: 3 } },
    });
    const status = page.getByRole('status', { name: 'Call', exact: true });
    const askForBill = page.getByRole('button', { name: 'Ask for the bill', exact: true });
    const bell = page.getByRole('button', { name: 'Call', exact: true });
    await bell.click();
    await askForBill.click();
    await button('Card').click();
    await bell.click();
    await status.getByText(/^Called at \d/).waitFor();
    expect(await askForBill.count()).toBe(0);
    await stand.emit('call.changed', { call: { ...call, status: 'taken', version: 2 }, actor: staff });
    await status.getByText('Someone is on the way').waitFor();
    await button('Cancel: Ask for the bill').click();
    await askForBill.waitFor();
    expect(await stand.calls('updateCall')).toMatchObject([{ input: { id: call.id, status: 'cancelled' } }]);
  });
  test('is shown on every page until it is done, and can be cancelled there', async () => {
    const call = newCall({ kind: 'waiter', method: null, created_at: minutesAgo(0) });
    const { page, button } = await show('#/', { answers: { call, updateCall: fails('service_unavailable') } });
    const yours = page.getByRole('status', { name: 'Your calls' });
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await button('Call a waiter').click();
    await yours.getByText(/^Waiter called at \d\d:\d\d$/).waitFor();
    for (const at of ['#/orders', '#/bill', '#/pay', '#/review']) {
      await page.evaluate((hash) => (location.hash = hash), at);
      await yours.getByText(/^Waiter called at \d/).waitFor();
      await page.getByRole('button', { name: 'Call', exact: true }).waitFor();
    }
    await button('Cancel this call').click();
    await yours.getByText('Not cancelled. Try again.').waitFor();
    await stand.emit('call.changed', { call: { ...call, status: 'taken', version: 2 }, actor: staff });
    await yours.getByText('Someone is on the way').waitFor();
    await stand.emit('call.changed', { call: { ...call, status: 'done', version: 3 }, actor: staff });
    await yours.getByText('Someone is on the way').waitFor({ state: 'detached' });
  });
  test('is not made if the guest wants to pay on the phone', async () => {
    const { page, button } = await show('#/');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await button('Ask for the bill').click();
    await button('On this phone').click();
    await page.getByRole('heading', { name: 'Pay', exact: true }).waitFor();
    expect(await stand.calls('call')).toEqual([]);
  });
  test('is made only once if it gets no response', async () => {
    const { page, button, sees } = await show('#/', { answers: { call: unreachable } });
    await stand.answer({ listCalls: unreachable });
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await button('Call a waiter').click();
    await sees('We got no reply. If nobody comes, please wave.');
    expect(await stand.calls('call')).toHaveLength(1);
  });
});
