import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-seen');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

const ana = () => harness.as({ sub: 5, role: 'customer' });
const placeOrder = async (): Promise<number> =>
  created(await ana()('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } })).id;
const markSeen = (order_ids: number[], { device = 'kitchen-1', call = harness.waiter } = {}) =>
  call('POST', '/orders/seen', { body: { order_ids, device } });

describe('marking orders as seen', () => {
  test('when the order is shown, then it has the time, and its last change stays', async () => {
    const id = await placeOrder();

    expect((await markSeen([id])).status).toBe(204);

    const { body } = await ana()('GET', `/orders/${id}`);
    expect(body).toMatchObject({ version: 2, updated_at: body.created_at, seen_on: 'kitchen-1' });
    expect(Date.parse(body.seen_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at));
  });

  test('when five devices show the same orders at once, then each order is marked once, with one event', async () => {
    const ids = [await placeOrder(), await placeOrder()];

    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((device) => markSeen([...ids, ...ids], { device })),
    );

    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    for (const id of ids) {
      const { body } = await ana()('GET', `/orders/${id}`);
      const events = await harness.events.waitFor('order.seen', id);
      expect(events.map(({ data }) => data)).toMatchObject([
        { order: { id, version: 2, seen_at: body.seen_at, seen_on: body.seen_on }, device: body.seen_on },
      ]);
    }
  });

  test('when the order is seen, then its history does not change', async () => {
    const id = await placeOrder();

    await markSeen([id]);

    expect((await harness.waiter('GET', `/orders/${id}/history`)).body).toHaveLength(1);
  });

  test('when one of the orders does not exist, then the others are marked', async () => {
    const id = await placeOrder();

    const { status } = await markSeen([999_999, id]);

    expect(status).toBe(204);
    expect((await ana()('GET', `/orders/${id}`)).body.seen_at).not.toBeNull();
  });

  test('when a customer marks an order, then the answer is 403', async () => {
    const id = await placeOrder();

    expect((await markSeen([id], { call: ana() })).status).toBe(403);
  });
});
