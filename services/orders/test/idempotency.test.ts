import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created } from '@comanda/testing/call';
import type { Call } from '@comanda/testing/call';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-idempotency');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

const place = (call: Call, key: string, body: Record<string, unknown> = {}) =>
  call('POST', '/orders', {
    body: { items: [{ item_id: dish, quantity: 2 }], ...body },
    headers: { 'idempotency-key': key },
  });
const ana = () => harness.as({ sub: 5, role: 'customer' });

describe('an order with an idempotency key', () => {
  test('when the call is repeated, then it is answered as the first time, and there is one order', async () => {
    const key = randomUUID();
    const first = await place(ana(), key);
    const again = await place(ana(), key);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await harness.db.collection('pedidos').countDocuments({ idempotency_key: `5/${key}` })).toBe(1);
  });

  test('when the order has moved on since, then the repeated call is still answered as it was placed', async () => {
    const key = randomUUID();
    const first = await place(ana(), key, { table: '3' });
    const { id, items } = first.body;
    await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '4', seating: 6 } });
    await harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'cancelled' } });
    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'kitchen-1' } });
    expect((await place(ana(), key, { table: '3' })).text).toBe(first.text);
  });

  test('when the key comes with another body, then 422, and the first order stands', async () => {
    const key = randomUUID();
    await place(ana(), key);
    const other = await place(ana(), key, { table: '9' });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('when the body is the same in another order of keys, then it is the same call', async () => {
    const key = randomUUID();
    const first = created(await place(ana(), key, { table: '9', allergies: 'nuts' }));
    const again = await ana()('POST', '/orders', {
      body: { allergies: 'nuts', table: '9', items: [{ quantity: 2, item_id: dish }] },
      headers: { 'idempotency-key': key },
    });
    expect(created(again).id).toBe(first.id);
  });

  test('when another user sends the same key, then it is another call', async () => {
    const key = randomUUID();
    const first = created(await place(ana(), key));
    const second = created(await place(harness.as({ sub: 6, role: 'customer' }), key));
    expect(second.id).not.toBe(first.id);
  });

  test('when a call was refused, then its key is free: the order may be placed once it can be', async () => {
    const key = randomUUID();
    const off = await harness.createDish({ available: false });
    const order = () =>
      ana()('POST', '/orders', {
        body: { items: [{ item_id: off, quantity: 1 }] },
        headers: { 'idempotency-key': key },
      });
    expect((await order()).status).toBe(409);
    await harness.manager('PUT', `/menu/${off}/availability`, { body: { available: true } });
    const placed = await order();
    expect(placed.status).toBe(201);
    expect(placed.headers.get('idempotent-replayed')).toBeNull();
  });

  test('when fifty calls with one key race on two instances, then one order is placed and all get it', async () => {
    const key = randomUUID();
    const second = await harness.startInstance();
    const token = harness.issuer.token({ sub: 5, role: 'customer' });
    const calls = [caller(harness.gatewayUrl, { token }), caller(second.url, { token })];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => place(calls[index % 2] as Call, key)));
    const ids = new Set(answers.map((answer) => created(answer).id));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await harness.db.collection('pedidos').countDocuments({ idempotency_key: `5/${key}` })).toBe(1);
    expect(await harness.events.waitFor('order.created', [...ids][0])).toHaveLength(1);
  });

  test('when the same call stands many times in one batch, then it is one order all the same', async () => {
    for (let round = 0; round < 5; round++) {
      const key = randomUUID();
      // The first keeps the desk busy, so that the others are the next batch.
      const busy = place(ana(), randomUUID());
      const answers = await Promise.all(Array.from({ length: 20 }, () => place(ana(), key)));
      created(await busy);
      expect(new Set(answers.map((answer) => created(answer).id)).size).toBe(1);
      expect(await harness.db.collection('pedidos').countDocuments({ idempotency_key: `5/${key}` })).toBe(1);
    }
  });

  test.each(['', 'x'.repeat(129), 'with space', 'olá'])('when the key is %j, then 400', async (key) => {
    const answer = await place(ana(), encodeURI(key) === key || key === '' ? key : Buffer.from(key).toString('latin1'));
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
  });
});
