import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { created, type Called } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let feijoada: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-place');
  feijoada = await harness.createDish({ name: 'Feijoada', price: '32.5', station: 'kitchen' });
});
afterAll(() => harness.close());

const ana = () => harness.as({ sub: 5, role: 'customer', name: 'Ana' });
const placeOrder = (body: Record<string, unknown> = {}, call = ana()) =>
  call('POST', '/orders', { body: { items: [{ item_id: feijoada, quantity: 1 }], ...body } });
const storedOrders = () => harness.db.collection('pedidos').countDocuments();
const unknownDish = 987_654;

describe('placing an order', () => {
  test("returns the order with the menu's prices", async () => {
    const beer = await harness.createDish({ name: 'Chopp', price: '9.9', station: 'bar' });

    const response = await placeOrder({
      items: [
        { item_id: feijoada, quantity: 2, remarks: 'sem pimenta' },
        { name: 'CHOPP', quantity: 1 },
      ],
      table: '12',
      allergies: 'peanuts',
    });

    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`/orders/${response.body.id}`);
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(response.body).toMatchObject({
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
    expect(response.body.items).toMatchObject([
      { item_id: feijoada, name: 'Feijoada', quantity: 2, remarks: 'sem pimenta', unit_price: '32.50' },
      { item_id: beer, name: 'Chopp', quantity: 1, remarks: '', unit_price: '9.90', station: 'bar' },
    ]);
  });

  test('lets the customer fetch it', async () => {
    const placed = created(await placeOrder());

    expect(await ana()('GET', `/orders/${placed.id}`)).toMatchObject({ status: 200, body: placed });
  });

  test("publishes the whole order with the request's trace", async () => {
    const traceparent = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';
    const body = { items: [{ item_id: feijoada, quantity: 1 }] };

    const placed = created(await ana()('POST', '/orders', { body, headers: { traceparent } }));

    const [event] = (await harness.events.waitFor('order.created', placed.id)) as [CloudEvent<'order.created'>];
    const { allowed_transitions: _, ...order } = placed;
    expect(event).toMatchObject({ specversion: '1.0', source: '/orders', traceparent });
    expect(event.data).toEqual({ order });
  });

  test("keeps the dish's name and price even if they change later", async () => {
    const dish = await harness.createDish({ name: 'Moqueca', price: '50.00' });
    const placed = created(await placeOrder({ items: [{ item_id: dish, quantity: 1 }] }));

    await harness.manager('PUT', `/menu/${dish}`, { body: { price: '60.00', name: 'Moqueca baiana' } });

    const { body } = await ana()('GET', `/orders/${placed.id}`);
    expect(body.items).toMatchObject([{ name: 'Moqueca', unit_price: '50.00' }]);
    expect(body.total).toBe('50.00');
  });
});

describe('a rejected order', () => {
  test('returns a list of the unknown dishes', async () => {
    const before = await storedOrders();

    const response = await placeOrder({
      items: [
        { item_id: feijoada, quantity: 1 },
        { item_id: unknownDish, quantity: 1 },
        { name: 'Pizza', quantity: 1 },
      ],
    });

    expect(response).toMatchObject({ status: 422, body: { code: 'menu_item_unknown' } });
    expect(response.body.items).toEqual([
      { index: 1, item_id: unknownDish },
      { index: 2, name: 'Pizza' },
    ]);
    expect(await storedOrders()).toBe(before);
  });

  test('returns a list of the sold-out dishes and takes none of their portions', async () => {
    const few = await harness.createDish({ portions_left: 5 });
    const soldOut = await harness.createDish({ available: false });

    const response = await placeOrder({
      items: [
        { item_id: few, quantity: 3 },
        { item_id: few, quantity: 3 },
        { item_id: soldOut, quantity: 1 },
      ],
    });

    expect(response).toMatchObject({ status: 409, body: { code: 'menu_item_unavailable' } });
    expect(response.body.items).toMatchObject([
      { item_id: few, portions_left: 5 },
      { item_id: soldOut, portions_left: 0 },
    ]);
    expect((await harness.manager('GET', `/menu/${few}`)).body.portions_left).toBe(5);
  });

  test('gets a 403 if a customer sends a price', async () => {
    const response = await placeOrder({ items: [{ item_id: feijoada, quantity: 1, unit_price: '0.01' }] });

    expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

describe('simultaneous orders', () => {
  const getCounters = () => harness.db.collection('restaurant').findOne({ _id: 'orders' as never });
  const refusedItems = [{ item_id: unknownDish, quantity: 1 }];

  test('leave no gaps in ids and ticket numbers if some are rejected', async () => {
    const before = await getCounters();

    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        placeOrder(index % 4 === 0 ? { items: refusedItems } : {}, patient(ana())),
      ),
    );

    const placed = responses.filter(({ status }) => status === 201).map(({ body }) => body);
    const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
    const thirtyAfter = (last: number) => Array.from({ length: 30 }, (_, index) => last + 1 + index);
    expect(sorted(placed.map(({ id }) => id))).toEqual(thirtyAfter(before?.['last_order_id']));
    expect(sorted(placed.map(({ items }) => items[0].id))).toEqual(thirtyAfter(before?.['last_item_id']));
    expect(sorted(placed.map(({ ticket }) => ticket))).toEqual(thirtyAfter(before?.['last_ticket']));
  });

  test('use up no ids if all are rejected', async () => {
    const before = await getCounters();

    await Promise.all(Array.from({ length: 20 }, () => placeOrder({ items: refusedItems })));

    expect(await getCounters()).toEqual(before);
  });

  test('fail only if they contain a dish whose data in the database is broken', async () => {
    const broken = await harness.createDish();
    const byOtherMeans = { bypassDocumentValidation: true };
    await harness.db.collection('itensMenu').updateOne({ itemID: broken }, { $unset: { preco: 1 } }, byOtherMeans);
    const dishes = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? broken : feijoada));

    const responses = await Promise.all(
      dishes.map((dish) => placeOrder({ items: [{ item_id: dish, quantity: 1 }] }, patient(ana()))),
    );

    expect(responses.map(({ status }) => status)).toEqual(dishes.map((dish) => (dish === broken ? 500 : 201)));
    await harness.db.collection('itensMenu').deleteOne({ itemID: broken });
  });
});

describe("an order's table and seating", () => {
  const guest = (sub: number, seating: number) =>
    harness.as({ sub, role: 'customer', name: 'Gil', table: '7', seating });

  test("come from the guest's token", async () => {
    const placed = created(await placeOrder({}, guest(501, 88)));

    expect(placed).toMatchObject({ table: '7', seating: 88 });
  });

  test("hide a guest's order from other seatings", async () => {
    const { id } = created(await placeOrder({}, guest(501, 88)));

    const sameSeating = await guest(502, 88)('GET', `/orders/${id}`);
    const otherSeating = await guest(503, 89)('GET', `/orders/${id}`);
    const otherCustomer = await ana()('GET', `/orders/${id}`);

    expect(sameSeating).toMatchObject({ status: 200, body: { allowed_transitions: [] } });
    expect([otherSeating.status, otherCustomer.status]).toEqual([404, 404]);
  });

  test("cause a 403 if they differ from those in the guest's token", async () => {
    const { status, body } = await placeOrder({ table: '8' }, guest(504, 90));

    expect([status, body.code]).toEqual([403, 'table_mismatch']);
  });

  test("can be sent if they match the guest's token", async () => {
    expect((await placeOrder({ table: '7' }, guest(504, 90))).status).toBe(201);
  });

  test("can be sent by staff for a seating's guests", async () => {
    const { id } = created(await placeOrder({ table: '7', seating: 91 }, harness.waiter));

    expect((await guest(505, 91)('GET', `/orders/${id}`)).status).toBe(200);
  });

  test("cause a 403 if they are sent by a customer who isn't at a table", async () => {
    const { status, body } = await placeOrder({ table: '7', seating: 91 });

    expect([status, body.code]).toEqual([403, 'forbidden']);
  });

  describe('when a seating has open items', () => {
    const items = (count: number) => Array.from({ length: count }, () => ({ item_id: feijoada, quantity: 1 }));

    test('limit them to 100, even if orders for 150 items arrive at the same time', async () => {
      const responses = await Promise.all(
        Array.from({ length: 5 }, (_, index) => placeOrder({ items: items(30) }, guest(510 + index, 92))),
      );

      expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(responses.filter(({ body }) => body.code === 'seating_full')).toHaveLength(2);
    });

    test('cause further orders to be rejected at 100 items, until one is cancelled', async () => {
      const placed = created(await placeOrder({ items: items(50) }, guest(520, 93)));
      created(await placeOrder({ items: items(50) }, guest(521, 93)));

      const refused = await placeOrder({}, guest(522, 93));
      await harness.waiter('PUT', `/orders/${placed.id}/items/${placed.items[0].id}`, {
        body: { status: 'cancelled' },
      });
      const accepted = await placeOrder({}, guest(522, 93));

      expect([refused.status, refused.body.code, accepted.status]).toEqual([429, 'seating_full', 201]);
    });
  });
});

describe('a queue with five slots for orders', () => {
  test('rejects the rest of 100 simultaneous orders with a Retry-After header', async () => {
    const small = await startOrdersHarness('orders-queue', { settings: { ORDER_QUEUE_LIMIT: '5' } });
    try {
      const dish = await small.createDish();
      const placeInSmall = () => small.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } });

      const responses: Called[] = [];
      const isRefused = ({ status }: Called): boolean => status === 503;
      // On a busy machine, the requests may overlap so little that each one finds a free slot.
      const placeMany = async (): Promise<boolean> => {
        responses.push(...(await Promise.all(Array.from({ length: 100 }, placeInSmall))));
        return responses.some(isRefused);
      };
      await until(placeMany, { what: 'more orders at once than there are slots' });

      const refused = responses.filter(isRefused);
      for (const { body, headers } of refused) {
        expect(body.code).toBe('service_unavailable');
        expect(body.outcome).toBeUndefined();
        expect(headers.get('retry-after')).toBe('1');
      }
      const placed = responses.filter(({ status }) => status === 201);
      expect(placed.length + refused.length).toBe(responses.length);
      expect(await small.db.collection('pedidos').countDocuments()).toBe(placed.length);
      expect((await placeInSmall()).status).toBe(201);
    } finally {
      await small.close();
    }
  });
});
