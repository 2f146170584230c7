import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { dishNamed, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { tapInView } from '@comanda/testing/tap-in-view';
import { newCall, seated } from './states.ts';

// How many taps the commonest jobs of a guest take on a small phone, without scrolling.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const order = newOrder({ items: [{ dish: dishNamed('Feijoada'), status: 'ready' }] });
const ordered = { orders: [order], bills: [newBill([order])] };

test('two dishes reach the kitchen in four taps', async () => {
  const page = await stand.show(seated({ answers: { placeOrder: order } }));
  const add = page.getByRole('button', { name: /^Add / });
  const taps = await tapInView(
    add.nth(0),
    add.nth(1),
    page.getByRole('button', { name: /^Basket, 2 items/ }),
    page.getByRole('button', { name: 'Send to kitchen' }),
  );
  await page.getByRole('article', { name: /^Order / }).waitFor();
  expect(taps).toBe(4);
});

test('the progress of an order is one tap away, and its best news none', async () => {
  const page = await stand.show(seated(ordered));
  const link = page.getByRole('link', { name: /^Orders · .*1 ready$/ });
  expect(await tapInView(link)).toBe(1);
  await page.getByRole('listitem').filter({ hasText: 'ready' }).waitFor();
});

test.each(['', 'orders', 'bill', 'review', 'pay'])(
  'a waiter is called in two taps from the page “%s”',
  async (path) => {
    const answers = { call: newCall({ kind: 'waiter', method: null }) };
    const page = await stand.show(seated({ ...ordered, answers }), `#/${path}`);
    const taps = await tapInView(
      page.getByRole('button', { name: 'Call', exact: true }),
      page.getByRole('button', { name: 'Call a waiter', exact: true }),
    );
    await page.getByText(/^Waiter called at/).waitFor();
    expect(taps).toBe(2);
  },
);

test('a dish that was added by mistake leaves the order in one tap', async () => {
  const page = await stand.show(seated());
  await page.getByRole('button', { name: /^Add / }).first().click();
  const less = page.getByRole('button', { name: /^Remove one / });
  expect(await tapInView(less)).toBe(1);
  await page.getByRole('button', { name: /^Basket/ }).waitFor({ state: 'detached' });
  // The button is there only for a moment.
  await less.waitFor({ state: 'detached' });
});
