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
type Request = { body?: Record<string, unknown>; call?: Call };
const placeOrder = (key: string, { body = {}, call = ana() }: Request = {}) =>
  call('POST', '/orders', {
    body: { items: [{ item_id: dish, quantity: 2 }], ...body },
    headers: { 'idempotency-key': key },
  });
const storedOrders = (key: string) => harness.db.collection('pedidos').countDocuments({ idempotency_key: `5/${key}` });

describe('an order with an idempotency key', () => {
  test('when the request is repeated, then it gets the first answer, marked as replayed, and there is one order', async () => {
    const key = randomUUID();
    const first = await placeOrder(key);

    const second = await placeOrder(key);

    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await storedOrders(key)).toBe(1);
  });

  test('when the order has changed since, then the repeated request still gets the first answer', async () => {
    const key = randomUUID();
    const first = await placeOrder(key, { body: { table: '3' } });
    const { id, items } = created(first);
    await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '4', seating: 6 } });
    await harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'cancelled' } });
    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'kitchen-1' } });

    const second = await placeOrder(key, { body: { table: '3' } });

    expect(second.text).toBe(first.text);
  });

  test('when the body is another one, then the answer is 422', async () => {
    const key = randomUUID();
    created(await placeOrder(key));

    const { status, body } = await placeOrder(key, { body: { table: '9' } });

    expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('when the members of the body come in another order, then it is the same request', async () => {
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

  test('when another user sends the same key, then it is another request', async () => {
    const key = randomUUID();
    const first = created(await placeOrder(key));

    const second = created(await placeOrder(key, { call: harness.as({ sub: 6, role: 'customer' }) }));

    expect(second.id).not.toBe(first.id);
  });

  test('when the first request was refused, then the same key can place the order later', async () => {
    const key = randomUUID();
    const soldOut = await harness.createDish({ available: false });
    const body = { items: [{ item_id: soldOut, quantity: 1 }] };
    const refused = await placeOrder(key, { body });
    await harness.manager('PUT', `/menu/${soldOut}/availability`, { body: { available: true } });

    const placed = await placeOrder(key, { body });

    expect([refused.status, placed.status]).toEqual([409, 201]);
    expect(placed.headers.get('idempotent-replayed')).toBeNull();
  });

  test('when fifty requests with one key reach two instances at once, then one order is placed and all get it', async () => {
    const key = randomUUID();
    const second = await harness.startInstance();
    const token = harness.issuer.token({ sub: 5, role: 'customer' });
    const calls = [caller(harness.url, { token }), caller(second.url, { token })];

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => placeOrder(key, { call: patient(calls[index % 2] as Call) })),
    );

    const ids = new Set(answers.map((answer) => created(answer).id));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await storedOrders(key)).toBe(1);
    expect(await harness.events.waitFor('order.created', [...ids][0])).toHaveLength(1);
  });

  test.each([1, 2, 3, 4, 5])(
    'when one batch contains the same request many times, then it is one order (round %d)',
    async () => {
      const key = randomUUID();
      // This order is the first batch; the others wait meanwhile and are the next batch.
      const firstBatch = placeOrder(randomUUID());

      const answers = await Promise.all(Array.from({ length: 20 }, () => placeOrder(key, { call: patient(ana()) })));

      created(await firstBatch);
      expect(new Set(answers.map((answer) => created(answer).id)).size).toBe(1);
      expect(await storedOrders(key)).toBe(1);
    },
  );

  test.each(['', 'x'.repeat(129), 'with space', 'olá'])('when the key is %j, then the answer is 400', async (key) => {
    // Headers are sent as Latin-1.
    const sent = Buffer.from(key).toString('latin1');

    const { status, body } = await placeOrder(sent);

    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });
});
