import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { dishNamed, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { tapInView } from '@comanda/testing/tap-in-view';
import { choosing } from './option-menu.ts';
import { newCall, newPix, newPixCharge, seated } from './states.ts';

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

test('a pizza in two halves reaches the kitchen in seven taps', async () => {
  const page = await stand.show(choosing({ answers: { placeOrder: order } }));
  await page.getByText('from R$ 36.00').waitFor();
  const rows = ['Large, 8 slices', 'Smoked sausage', 'Ham, egg'];
  // The dish and its options are reached by scrolling.
  const scrolled = [
    page.getByRole('button', { name: 'Add Pizza' }),
    ...rows.map((name) => page.locator('.option-main').filter({ hasText: name })),
  ];
  for (const target of scrolled) await target.click();
  const taps = await tapInView(
    page.getByRole('button', { name: 'Add Pizza, R$ 61.00' }),
    page.getByRole('button', { name: /^Basket, 1 item/ }),
    page.getByRole('button', { name: 'Send to kitchen' }),
  );
  await page.getByRole('article', { name: /^Order / }).waitFor();
  expect(scrolled.length + taps).toBe(7);
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

/** A table where this guest and another one have ordered, at a restaurant that takes Pix. */
const shared = [order, newOrder({ id: 1043, items: ['Pudim de leite'], placed_by: { id: 8, name: 'Table 12' } })];
const pixTable = { orders: shared, bills: [newBill(shared)] };

test('the Pix code for a guest’s own dishes is three taps away from the menu, and copied with a fourth', async () => {
  const page = await stand.show(
    seated({ ...pixTable, answers: { getPix: { mode: 'bank' }, payBill: newPix(), createPixCharge: newPixCharge() } }),
    '#/',
  );
  const taps = await tapInView(
    page.getByRole('link', { name: /^Bill · / }),
    page.getByRole('button', { name: /^Pay · / }),
    page.getByRole('button', { name: 'Pay with Pix' }),
    page.getByRole('button', { name: 'Copy Pix code' }),
  );
  expect(taps).toBe(4);
  expect((await stand.calls('payBill'))[0]?.input).toMatchObject({ part: { lines: [{ quantity: 1 }] } });
});

test.each(['Card', 'Cash'])('a waiter with the amount is called in two taps from the bill on (%s)', async (method) => {
  const answers = { call: newCall({ amount: '68.20' }) };
  const page = await stand.show(seated({ ...pixTable, answers }), '#/bill');
  const taps = await tapInView(
    page.getByRole('button', { name: /^Pay · / }),
    page.getByRole('button', { name: method, exact: true }),
  );
  await page.getByText('Waiter called. Not paid yet.').waitFor();
  expect(taps).toBe(2);
});

test('a dish that was added by mistake leaves the order in one tap', async () => {
  const page = await stand.show(seated());
  await page.getByRole('button', { name: /^Add / }).first().click();
  const less = page.getByRole('button', { name: /^Remove one / });
  expect(await tapInView(less)).toBe(1);
  await page.getByRole('button', { name: /^Basket/ }).waitFor({ state: 'detached' });
  // The button is there only for a moment.
  await less.waitFor({ state: 'detached' });
});
