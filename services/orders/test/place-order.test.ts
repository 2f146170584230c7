import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import type { CloudEvent } from '@comanda/contracts/events';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let feijoada: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-place');
  feijoada = await harness.createDish({ name: 'Feijoada', price: '32.5', station: 'kitchen' });
});
afterAll(() => harness.close());

const order = (body: Record<string, unknown> = {}) => ({ items: [{ item_id: feijoada, quantity: 1 }], ...body });
const ana = () => harness.as({ sub: 5, role: 'customer', name: 'Ana' });

describe('placing an order', () => {
  test('when a customer orders, then the order has prices of the menu and is answered as the contract has it', async () => {
    const beer = await harness.createDish({ name: 'Chopp', price: '9.9', station: 'bar' });
    const answer = await ana()('POST', '/orders', {
      body: {
        items: [
          { item_id: feijoada, quantity: 2, remarks: 'sem pimenta' },
          { name: 'CHOPP', quantity: 1 },
        ],
        table: '12',
        allergies: 'peanuts',
      },
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.get('location')).toBe(`/orders/${id}`);
    expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(answer.body).toMatchObject({
      table: '12',
      seating: null,
      status: 'received',
      version: 1,
      allergies: 'peanuts',
      seen_at: null,
      total: '74.90',
      currency: 'BRL',
      placed_by: { id: 5, name: 'Ana' },
      allowed_transitions: ['cancelled'],
    });
    expect(answer.body.items).toMatchObject([
      { item_id: feijoada, name: 'Feijoada', quantity: 2, remarks: 'sem pimenta', unit_price: '32.50' },
      { item_id: beer, name: 'Chopp', quantity: 1, remarks: '', unit_price: '9.90', station: 'bar' },
    ]);
    expect(await ana()('GET', `/orders/${id}`)).toMatchObject({ status: 200, body: answer.body });
  });

  test('when it is stored, then its event follows, with the whole order and the trace of the request', async () => {
    const traceparent = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';
    const { body } = await ana()('POST', '/orders', { body: order(), headers: { traceparent } });
    const [event] = (await harness.events.waitFor('order.created', body.id)) as [CloudEvent<'order.created'>];
    const { allowed_transitions: _, ...whole } = body;
    expect(event).toMatchObject({ specversion: '1.0', source: '/orders', traceparent, data: { order: whole } });
    expect(event.data.order).not.toHaveProperty('allowed_transitions');
  });

  test('when a dish is dearer later, then the order keeps its name and its price', async () => {
    const dish = await harness.createDish({ name: 'Moqueca', price: '50.00' });
    const placed = created(await ana()('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } }));
    await harness.manager('PUT', `/menu/${dish}`, { body: { price: '60.00', name: 'Moqueca baiana' } });
    const { body } = await ana()('GET', `/orders/${placed.id}`);
    expect(body.items).toMatchObject([{ name: 'Moqueca', unit_price: '50.00' }]);
    expect(body.total).toBe('50.00');
  });

  test('when a dish is not on the menu, then 422 names it, and nothing is stored', async () => {
    const before = await harness.db.collection('pedidos').countDocuments();
    const items = [
      { item_id: feijoada, quantity: 1 },
      { item_id: 987_654, quantity: 1 },
      { name: 'Pizza', quantity: 1 },
    ];
    const answer = await ana()('POST', '/orders', { body: { items } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'menu_item_unknown' } });
    expect(answer.body.items).toEqual([
      { index: 1, item_id: 987_654 },
      { index: 2, name: 'Pizza' },
    ]);
    expect(await harness.db.collection('pedidos').countDocuments()).toBe(before);
  });

  test('when a dish is sold out or has too few portions, then 409 names it and the order gets none of its items', async () => {
    const few = await harness.createDish({ portions_left: 5 });
    const off = await harness.createDish({ available: false });
    const items = [
      { item_id: few, quantity: 3 },
      { item_id: few, quantity: 3 },
      { item_id: off, quantity: 1 },
    ];
    const answer = await ana()('POST', '/orders', { body: { items } });
    expect(answer).toMatchObject({ status: 409, body: { code: 'menu_item_unavailable' } });
    expect(answer.body.items).toMatchObject([
      { item_id: few, portions_left: 5 },
      { item_id: off, portions_left: 0 },
    ]);
    expect((await harness.manager('GET', `/menu/${few}`)).body.portions_left).toBe(5);
  });

  test('when many order at once, then ids, item ids and tickets are dense, and the refused ones take none', async () => {
    const counters = await harness.db.collection('restaurant').findOne({ _id: 'orders' as never });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        ana()('POST', '/orders', {
          body: order(index % 4 === 0 ? { items: [{ item_id: 987_654, quantity: 1 }] } : {}),
        }),
      ),
    );
    const placed = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    expect(placed).toHaveLength(30);
    const numbers = (of: (body: { id: number; ticket: number; items: { id: number }[] }) => number) =>
      placed.map(of).toSorted((a, b) => a - b);
    const following = (last: number) => Array.from({ length: 30 }, (_, index) => last + 1 + index);
    expect(numbers(({ id }) => id)).toEqual(following(counters?.['last_order_id']));
    expect(numbers(({ items }) => items[0]?.id ?? 0)).toEqual(following(counters?.['last_item_id']));
    expect(numbers(({ ticket }) => ticket)).toEqual(following(counters?.['last_ticket']));
  });

  test('when a new day has begun in the house, then tickets count from 1 again', async () => {
    await harness.db.collection('restaurant').updateOne({ _id: 'orders' as never }, { $set: { day: '2020-01-01' } });
    expect(created(await ana()('POST', '/orders', { body: order() })).ticket).toBe(1);
    expect(created(await ana()('POST', '/orders', { body: order() })).ticket).toBe(2);
  });

  test('when what is stored of one dish is broken, then only the orders of that dish fail', async () => {
    const broken = await harness.createDish();
    await harness.db.collection('itensMenu').updateOne({ itemID: broken }, { $unset: { preco: 1 } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ana()('POST', '/orders', { body: { items: [{ item_id: index % 2 === 0 ? broken : feijoada, quantity: 1 }] } }),
      ),
    );
    for (const [index, { status }] of answers.entries()) expect(status).toBe(index % 2 === 0 ? 500 : 201);
    await harness.db.collection('itensMenu').deleteOne({ itemID: broken });
  });

  test('when a client sends a price, then the order is refused', async () => {
    const items = [{ item_id: feijoada, quantity: 1, unit_price: '0.01' }];
    const answer = await ana()('POST', '/orders', { body: { items } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(answer.body.errors).toMatchObject([{ pointer: '/items/0/unit_price' }]);
  });
});

describe('tables and seatings', () => {
  const guest = (sub: number, seating: number, table = '7') =>
    harness.as({ sub, role: 'customer', name: 'Gil', table, seating });

  test("when a guest orders, then table and seating are the token's, and the seating sees the order, no other", async () => {
    const placed = created(await guest(501, 88)('POST', '/orders', { body: order() }));
    expect(placed).toMatchObject({ table: '7', seating: 88 });
    const mate = await guest(502, 88)('GET', `/orders/${placed.id}`);
    expect(mate).toMatchObject({ status: 200, body: { allowed_transitions: [] } });
    expect((await guest(503, 89)('GET', `/orders/${placed.id}`)).status).toBe(404);
    expect((await ana()('GET', `/orders/${placed.id}`)).status).toBe(404);
  });

  test('when a guest names another table, then 403; their own is fine', async () => {
    const { status, body } = await guest(504, 90)('POST', '/orders', { body: order({ table: '8' }) });
    expect([status, body.code]).toEqual([403, 'table_mismatch']);
    created(await guest(504, 90)('POST', '/orders', { body: order({ table: '7' }) }));
  });

  test('when staff name a seating, then its guests see the order; a customer may not name one', async () => {
    const placed = created(await harness.waiter('POST', '/orders', { body: order({ table: '7', seating: 91 }) }));
    expect((await guest(505, 91)('GET', `/orders/${placed.id}`)).status).toBe(200);
    const refused = await ana()('POST', '/orders', { body: order({ table: '7', seating: 91 }) });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  });

  test('when a seating has 100 open items, then 429 until one is served; racing orders do not pass it', async () => {
    const items = Array.from({ length: 30 }, () => ({ item_id: feijoada, quantity: 1 }));
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => guest(510 + index, 92)('POST', '/orders', { body: { items } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    const first = answers.find(({ status }) => status === 201)?.body;
    for (let more = 0; more < 10; more++) created(await guest(510, 92)('POST', '/orders', { body: order() }));
    expect(await guest(510, 92)('POST', '/orders', { body: order() })).toMatchObject({
      status: 429,
      body: { code: 'seating_full' },
    });
    await harness.waiter('PUT', `/orders/${first.id}/items/${first.items[0].id}`, { body: { status: 'cancelled' } });
    created(await guest(510, 92)('POST', '/orders', { body: order() }));
  });
});

describe('more orders than can wait', () => {
  test('when the queue is full, then 503 with Retry-After at once, and those that found a place are placed', async () => {
    const small = await startOrdersHarness('orders-queue', { ORDER_QUEUE_LIMIT: '5' });
    try {
      const dish = await small.createDish();
      const place = () => small.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } });
      const answers = await Promise.all(Array.from({ length: 100 }, place));
      const refused = answers.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      for (const { body, headers } of refused) {
        expect(body.code).toBe('service_unavailable');
        expect(body.outcome).toBeUndefined();
        expect(headers.get('retry-after')).toBe('1');
      }
      const placed = answers.filter(({ status }) => status === 201);
      expect(placed.length + refused.length).toBe(100);
      expect(await small.db.collection('pedidos').countDocuments()).toBe(placed.length);
      expect((await place()).status).toBe(201);
    } finally {
      await small.close();
    }
  });
});
