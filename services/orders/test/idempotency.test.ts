import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-idempotency');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

const ana = () => harness.as({ sub: 5, role: 'customer' });
type Item = { id: number; quantity: number };
type Request = { body?: Record<string, unknown>; call?: Call };
const placeOrder = (key: string, { body = {}, call = ana() }: Request = {}) =>
  call('POST', '/orders', {
    body: { items: [{ item_id: dish, quantity: 2 }], ...body },
    headers: { 'idempotency-key': key },
  });
const storedOrders = (key: string) => harness.db.collection('pedidos').countDocuments({ idempotency_key: `5/${key}` });

describe('an order with an idempotency key', () => {
  test('is stored only once when it is retried', async () => {
    const key = randomUUID();
    const first = await placeOrder(key);

    const second = await placeOrder(key);

    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await storedOrders(key)).toBe(1);
  });

  test('gets the first response again, even if the order has changed since then', async () => {
    const key = randomUUID();
    const first = await placeOrder(key, { body: { table: '3' } });
    const { id, items } = created(first);
    await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '4', seating: 6 } });
    await harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'cancelled' } });
    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'kitchen-1' } });

    const second = await placeOrder(key, { body: { table: '3' } });

    expect(second.text).toBe(first.text);
  });

  test('is repeated with the units that were removed, without those that moved, in its first order', async () => {
    const key = randomUUID();
    const items = [7, 1].map((quantity) => ({ item_id: dish, quantity }));
    const { id, items: placed } = created(await placeOrder(key, { body: { items } }));
    const repeated = async () =>
      (await placeOrder(key, { body: { items } })).body.items.map((item: Item) => [item.id, item.quantity]);
    const [first, second] = placed.map((item: Item) => item.id);
    await harness.waiter('PUT', `/orders/${id}/items/${first}`, { body: { status: 'cancelled', quantity_left: 4 } });
    const move = (quantity: number) =>
      harness.waiter('POST', `/orders/${id}/move-items`, { body: { items: [{ id: first, quantity }], table: '9' } });

    created(await move(1));
    expect(await repeated()).toEqual([
      [first, 6],
      [second, 1],
    ]);
    created(await move(3));
    expect(await repeated()).toEqual([
      [first, 3],
      [second, 1],
    ]);
  });

  test('gets a 422 if it is retried with another body', async () => {
    const key = randomUUID();
    created(await placeOrder(key));

    const { status, body } = await placeOrder(key, { body: { table: '9' } });

    expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('is recognized in a retry that has the same fields in another order', async () => {
    const key = randomUUID();
    const first = created(await placeOrder(key, { body: { table: '9', allergies: 'nuts' } }));

    const second = created(
      await ana()('POST', '/orders', {
        body: { allergies: 'nuts', table: '9', items: [{ quantity: 2, item_id: dish }] },
        headers: { 'idempotency-key': key },
      }),
    );

    expect(second.id).toBe(first.id);
  });

  test("doesn't affect another user's order with the same key", async () => {
    const key = randomUUID();
    const first = created(await placeOrder(key));

    const second = created(await placeOrder(key, { call: harness.as({ sub: 6, role: 'customer' }) }));

    expect(second.id).not.toBe(first.id);
  });

  test('can be placed even if its key comes from a rejected request', async () => {
    const key = randomUUID();
    const soldOut = await harness.createDish({ available: false });
    const body = { items: [{ item_id: soldOut, quantity: 1 }] };
    const refused = await placeOrder(key, { body });
    await harness.manager('PUT', `/menu/${soldOut}/availability`, { body: { available: true } });

    const placed = await placeOrder(key, { body });

    expect([refused.status, placed.status]).toEqual([409, 201]);
    expect(placed.headers.get('idempotent-replayed')).toBeNull();
  });

  test('is placed only once when fifty requests reach two instances at the same time', async () => {
    const key = randomUUID();
    const second = await harness.startInstance();
    const token = harness.issuer.token({ sub: 5, role: 'customer' });
    const calls = [caller(harness.url, { token }), caller(second.url, { token })];

    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => placeOrder(key, { call: patient(calls[index % 2] as Call) })),
    );

    const ids = new Set(responses.map((response) => created(response).id));
    expect(ids.size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await storedOrders(key)).toBe(1);
    expect(await harness.events.waitFor('order.created', [...ids][0])).toHaveLength(1);
  });

  test.each([1, 2, 3, 4, 5])('is placed only once, even if one batch contains it many times (round %d)', async () => {
    const key = randomUUID();
    // This order is the first batch. The other orders wait for it, and all of them form the second batch.
    const firstBatch = placeOrder(randomUUID());

    const responses = await Promise.all(Array.from({ length: 20 }, () => placeOrder(key, { call: patient(ana()) })));

    created(await firstBatch);
    expect(new Set(responses.map((response) => created(response).id)).size).toBe(1);
    expect(await storedOrders(key)).toBe(1);
  });

  test.each(['', 'x'.repeat(129), 'with space', 'olá'])('gets a 400 for the key %j', async (key) => {
    // Headers are sent as Latin-1.
    const sent = Buffer.from(key).toString('latin1');

    const { status, body } = await placeOrder(sent);

    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });
});
