import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-allergies-read');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

const ana = () => harness.as({ sub: 5, role: 'customer' });
const placeOrder = async (allergies?: string): Promise<number> => {
  const items = [{ item_id: dish, quantity: 1 }];
  return created(await ana()('POST', '/orders', { body: { items, ...(allergies !== undefined && { allergies }) } })).id;
};
const markRead = (id: number) => harness.waiter('PUT', `/orders/${id}/allergies-read`);

describe("marking an order's allergies as read", () => {
  test('stores the time of the first report', async () => {
    const id = await placeOrder('peanuts');

    const responses = [await markRead(id), await markRead(id)];

    const { body } = await ana()('GET', `/orders/${id}`);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(body).toMatchObject({ version: 2, updated_at: body.created_at, allergies_read_at: expect.any(String) });
    const events = await harness.events.waitFor('order.allergies_read', id);
    expect(events.map(({ data }) => data)).toMatchObject([
      { order: { id, version: 2, allergies_read_at: body.allergies_read_at }, actor: { role: 'waiter' } },
    ]);
    expect((await harness.waiter('GET', `/orders/${id}/history`)).body).toHaveLength(1);
  });

  test('keeps the displayed ETag valid for the next status change', async () => {
    const id = await placeOrder('peanuts');
    const before = await harness.waiter('GET', `/orders/${id}`);
    await markRead(id);

    const headers = { 'if-match': before.headers.get('etag') ?? '' };
    const bumped = await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' }, headers });

    expect(bumped).toMatchObject({ status: 200, body: { status: 'preparing', allergies_read_at: expect.any(String) } });
  });

  test('has no effect for an order without allergies', async () => {
    const id = await placeOrder();

    expect(await markRead(id)).toMatchObject({ status: 200, body: { version: 1, allergies_read_at: null } });
  });

  test('returns a 404 for an unknown order', async () => {
    expect(await markRead(999_999)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
