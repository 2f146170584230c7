import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created, type Call } from '@comanda/testing/call';
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
type Sent = { stations?: string[] };
/** Places an order with an allergy, for a dish from the kitchen and a drink from the bar. */
async function placeAtTwoStations(): Promise<number> {
  const items = [
    { item_id: dish, quantity: 1 },
    { item_id: await harness.createDish({ station: 'bar' }), quantity: 1 },
  ];
  return created(await ana()('POST', '/orders', { body: { items, allergies: 'peanuts' } })).id;
}

describe('marking orders as seen', () => {
  test('stores when they were seen', async () => {
    const id = await placeOrder();

    expect((await markSeen([id])).status).toBe(204);

    const { body } = await ana()('GET', `/orders/${id}`);
    expect(body).toMatchObject({ version: 2, updated_at: body.created_at, seen_on: 'kitchen-1' });
    expect(Date.parse(body.seen_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at));
  });

  test('stores the time only once, even if five devices report the same orders', async () => {
    const ids = [await placeOrder(), await placeOrder()];

    const responses = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((device) => markSeen([...ids, ...ids], { device })),
    );

    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    for (const id of ids) {
      const { body } = await ana()('GET', `/orders/${id}`);
      const events = await harness.events.waitFor('order.seen', id);
      expect(events.map(({ data }) => data)).toMatchObject([
        { order: { id, version: 2, seen_at: body.seen_at, seen_on: body.seen_on }, device: body.seen_on },
      ]);
    }
  });

  test("doesn't change their history", async () => {
    const id = await placeOrder();

    await markSeen([id]);

    expect((await harness.waiter('GET', `/orders/${id}/history`)).body).toHaveLength(1);
  });

  test("works for the other orders if one of them doesn't exist", async () => {
    const id = await placeOrder();

    const { status } = await markSeen([999_999, id]);

    expect(status).toBe(204);
    expect((await ana()('GET', `/orders/${id}`)).body.seen_at).not.toBeNull();
  });

  test('returns a 403 for a customer', async () => {
    const id = await placeOrder();

    expect((await markSeen([id], { call: ana() })).status).toBe(403);
  });
});

describe('an order for two stations', () => {
  test("has both stations' reports, even if they reach two instances at the same time", async () => {
    const id = await placeAtTwoStations();
    const { url } = await harness.startInstance();
    const other = caller(url, { token: harness.issuer.token({ sub: 900_002, role: 'waiter' }) });
    const report = (call: Call, station: string) =>
      Promise.all([
        call('POST', '/orders/seen', { body: { order_ids: [id], device: `${station}-1`, stations: [station] } }),
        call('PUT', `/orders/${id}/allergies-read`, { body: { stations: [station] } }),
      ]);

    await Promise.all([report(harness.waiter, 'kitchen'), report(other, 'bar')]);

    const { body } = await ana()('GET', `/orders/${id}`);
    const marked = { seen_at: expect.any(String), allergies_read_at: expect.any(String) };
    expect(body).toMatchObject({
      ...marked,
      version: 5,
      stations: [
        { station: 'kitchen', ...marked, seen_on: 'kitchen-1' },
        { station: 'bar', ...marked, seen_on: 'bar-1' },
      ],
    });
    for (const type of ['order.seen', 'order.allergies_read'] as const) {
      const events = await harness.events.waitFor(type, id, 2);
      const reported = events.flatMap(({ data }) => (data as Sent).stations ?? []);
      expect(reported.toSorted((a, b) => a.localeCompare(b))).toEqual(['bar', 'kitchen']);
    }
  });

  test("is unseen while only one station has reported it, but seen once the other station's dish is cancelled", async () => {
    const id = await placeAtTwoStations();
    const unseen = { station: 'bar', seen_at: null, seen_on: null, allergies_read_at: null };
    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'k', stations: ['kitchen'] } });

    const { body: before } = await ana()('GET', `/orders/${id}`);
    const path = `/orders/${id}/items/${before.items[1].id}`;
    const { body: after } = await harness.waiter('PUT', path, { body: { status: 'cancelled' } });

    expect(before).toMatchObject({ seen_at: null, seen_on: null, stations: [{ seen_on: 'k' }, unseen] });
    expect(after).toMatchObject({ seen_at: before.stations[0].seen_at, seen_on: 'k' });
  });

  test('is seen at all stations after a report from the previous release', async () => {
    const id = await placeAtTwoStations();
    const [seen_at, allergies_read_at] = [new Date('2026-11-20T21:00:00Z'), new Date('2026-11-20T21:01:00Z')];
    await harness.db
      .collection<{ _id: number }>('pedidos')
      .updateOne({ _id: id }, { $set: { seen_at, seen_on: 'old-1', allergies_read_at, version: 2 } });

    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'k', stations: ['bar'] } });
    await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' } });

    const { body } = await ana()('GET', `/orders/${id}`);
    const marks = {
      seen_at: seen_at.toISOString(),
      seen_on: 'old-1',
      allergies_read_at: allergies_read_at.toISOString(),
    };
    expect(body).toMatchObject({ ...marks, version: 3, stations: [marks, marks] });
  });
});
