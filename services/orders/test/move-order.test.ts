import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Call } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-move');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

const placeOrder = async (call: Call, body: object = {}) =>
  created(await call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }], ...body } }));
const move = (id: number, body: object, call = harness.waiter) => call('PUT', `/orders/${id}/table`, { body });
const guest = (sub: number, seating: number) => harness.as({ sub, role: 'customer', table: '12', seating });

describe('moving an order to another table', () => {
  test('changes its table and seating', async () => {
    const { id } = await placeOrder(guest(41, 88));

    const { body } = await move(id, { table: '5', seating: 99 });

    expect(body).toMatchObject({ table: '5', seating: 99, version: 2 });
  });

  test('keeps the delivery time', async () => {
    const { id, delivered_at: before } = await placeOrder(harness.waiter);
    const put = async (status: string) => (await harness.waiter('PUT', `/orders/${id}`, { body: { status } })).body;
    await put('preparing');
    await put('ready');
    const delivered = await put('delivered');
    const back = await put('ready');
    const again = await put('delivered');

    const { body: moved } = await move(id, { table: '6' });

    expect([before, delivered.delivered_at, back.delivered_at]).toEqual([null, delivered.updated_at, null]);
    expect(moved.delivered_at).toBe(again.updated_at);
    expect(moved.delivered_at < moved.updated_at).toBe(true);
  });

  test('hides it from the old seating', async () => {
    const { id } = await placeOrder(guest(41, 88));
    await move(id, { table: '5', seating: 99 });

    const [owner, newSeating, oldSeating] = await Promise.all(
      [guest(41, 88), guest(43, 99), guest(42, 88)].map((call) => call('GET', `/orders/${id}`)),
    );

    expect([owner?.status, newSeating?.status, oldSeating?.status]).toEqual([200, 200, 404]);
  });

  test("keeps it in the customer's own list", async () => {
    const { id } = await placeOrder(guest(41, 88));
    await move(id, { table: '5', seating: 99 });

    const { body } = await guest(41, 88)('GET', '/orders');

    expect(body.map((order: { id: number }) => order.id)).toContain(id);
  });

  test('publishes an event', async () => {
    const actor = { id: 900_002, role: 'waiter' };
    const { id } = await placeOrder(guest(41, 88));
    const { body } = await move(id, { table: '5', seating: 99 });
    const { allowed_transitions: _, ...order } = body;

    const [event] = await harness.events.waitFor('order.table_changed', id);
    const { body: history } = await harness.waiter('GET', `/orders/${id}/history`);

    expect(event?.data).toEqual({ order, from: '12', to: '5', from_seating: 88, actor });
    expect(history[1]).toMatchObject({
      what: 'table',
      from: '12',
      to: '5',
      version: 2,
      actor: { ...actor, name: 'Wanda' },
    });
  });

  test('has no effect if the order is already at that table', async () => {
    const { id } = await placeOrder(harness.waiter, { table: '3', seating: 4 });

    const { status, body } = await move(id, { table: '3', seating: 4 });

    expect([status, body.version]).toEqual([200, 1]);
  });

  test('moves the whole bill if it has no other order', async () => {
    const alone = await placeOrder(harness.waiter, { table: '3' });
    const [first, second] = [await placeOrder(harness.waiter, { table: '3' }), await placeOrder(harness.waiter)];
    await harness.waiter('POST', `/bills/${second.bill_id}/merge`, { body: { into: first.bill_id } });

    for (const { id } of [alone, second]) expect((await move(id, { table: '5' })).status).toBe(200);

    const tables = [alone, first].map(
      async ({ bill_id: bill }) => (await harness.waiter('GET', `/bills/${bill}`)).body.table,
    );
    expect(await Promise.all(tables)).toEqual(['5', '3']);
  });

  test('removes the order from its seating if the request has no seating', async () => {
    const { id } = await placeOrder(harness.waiter, { table: '3', seating: 4 });

    const { body } = await move(id, { table: '3' });

    expect(body).toMatchObject({ table: '3', seating: null, version: 2 });
  });

  test('returns a 404 for an unknown order', async () => {
    expect((await move(999_999, { table: '4' })).status).toBe(404);
  });
});

describe('moving a bill to another table', () => {
  test('moves its undelivered orders', async () => {
    const delivered = await placeOrder(guest(44, 101));
    for (const status of ['preparing', 'ready', 'delivered'])
      await harness.waiter('PUT', `/orders/${delivered.id}`, { body: { status } });
    const open = await placeOrder(guest(44, 101));

    const { body: bill } = await harness.waiter('PUT', `/bills/${open.bill_id}/table`, { body: { table: '14' } });

    const tables = await Promise.all(
      [delivered, open].map(async ({ id }) => (await harness.waiter('GET', `/orders/${id}`)).body.table),
    );
    expect([bill.table, ...tables]).toEqual(['14', '12', '14']);
  });
});
