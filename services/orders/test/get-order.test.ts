import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-get');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

const ana = () => harness.as({ sub: 5, role: 'customer' });
const placeOrder = async () => {
  const response = await ana()('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } });
  return { ...created(response), etag: response.headers.get('etag') ?? '' };
};

describe('If-None-Match for an order', () => {
  test.each([
    ['the current tag', (etag: string) => etag],
    ['a weak form of the current tag', (etag: string) => `W/${etag}`],
    ['a list with the current tag', (etag: string) => `"other", ${etag}`],
    ['*', () => '*'],
  ])('returns a 304 without a body for %s', async (_what, header) => {
    const { id, etag } = await placeOrder();

    const response = await ana()('GET', `/orders/${id}`, { headers: { 'if-none-match': header(etag) } });

    expect([response.status, response.text, response.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test('returns the order if the tag is outdated', async () => {
    const { id } = await placeOrder();

    const response = await ana()('GET', `/orders/${id}`, { headers: { 'if-none-match': '"other"' } });

    expect(response.status).toBe(200);
  });
});

describe("an order's ETag", () => {
  test("doesn't change when a kitchen screen displays the order", async () => {
    const { id, etag } = await placeOrder();

    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'kitchen-1' } });

    const seen = await harness.waiter('GET', `/orders/${id}`);
    expect([seen.headers.get('etag'), seen.body.version]).toEqual([etag, 2]);
  });

  test('changes with the order', async () => {
    const { id, etag } = await placeOrder();

    const changed = await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' } });

    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  test('is the same for two callers', async () => {
    const { id } = await placeOrder();

    const [byOwner, byStaff] = await Promise.all([
      ana()('GET', `/orders/${id}`),
      harness.waiter('GET', `/orders/${id}`),
    ]);

    expect(byOwner.headers.get('etag')).toBe(byStaff.headers.get('etag'));
  });
});

describe('If-Match for an order', () => {
  test.each([
    ['another tag', () => '"0-1"', 412],
    ['a weak form of the current tag', (etag: string) => `W/${etag}`, 412],
    ['the current tag', (etag: string) => etag, 200],
    ['a list with the current tag', (etag: string) => `"0-1", ${etag}`, 200],
    ['*', () => '*', 200],
  ] as const)('accepts or rejects a change depending on the tag (%s)', async (_what, header, status) => {
    const { id, etag, items } = await placeOrder();
    const headers = { 'if-match': header(etag) };

    const item = await harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, {
      body: { status: 'received' },
      headers,
    });
    const order = await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' }, headers });

    expect([item.status, order.status]).toEqual([status, status]);
    expect((await ana()('GET', `/orders/${id}`)).body.version).toBe(status === 200 ? 2 : 1);
  });

  test('accepts a tag from before the order was displayed on a screen', async () => {
    const { id } = await placeOrder();
    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'kitchen-1' } });
    const seen = await harness.waiter('GET', `/orders/${id}`);
    const put = (version: number, status: string) =>
      harness.waiter('PUT', `/orders/${id}`, { body: { status }, headers: { 'if-match': `"${id}-${version}"` } });

    const future = await put(seen.body.version + 1, 'preparing');
    const accepted = await put(seen.body.version, 'preparing');
    const old = await put(seen.body.version, 'ready');

    expect([future.status, accepted.status, old.status]).toEqual([412, 200, 412]);
  });

  test('lets only one of twenty clients change the same version', async () => {
    const { id, etag } = await placeOrder();

    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        patient(harness.waiter)('PUT', `/orders/${id}`, {
          body: { status: 'preparing' },
          headers: { 'if-match': etag },
        }),
      ),
    );

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'version_mismatch')).toHaveLength(19);
  });
});

describe("an order's history", () => {
  test('starts when the order is placed', async () => {
    const { id } = await placeOrder();

    const { body } = await ana()('GET', `/orders/${id}/history`);

    expect(body).toMatchObject([{ actor: { id: 5, role: 'customer' }, from: null, to: 'received', version: 1 }]);
  });

  test("hides staff's names from customers", async () => {
    const { id } = await placeOrder();
    await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' } });
    const namesFor = async (call: typeof harness.waiter) => {
      const { body } = await call('GET', `/orders/${id}/history`);
      return (body as { actor: { name?: string; role: string } }[]).map(({ actor }) => [actor.role, actor.name]);
    };

    const [own, ownName] = (await namesFor(ana()))[0] ?? [];
    expect([own, typeof ownName]).toEqual(['customer', 'string']);
    expect((await namesFor(ana())).slice(1)).toEqual([
      ['waiter', undefined],
      ['waiter', undefined],
    ]);
    expect((await namesFor(harness.waiter)).slice(1)).toEqual([
      ['waiter', 'Wanda'],
      ['waiter', 'Wanda'],
    ]);
  });

  test('returns a 404 to another customer', async () => {
    const { id } = await placeOrder();

    const { status } = await harness.as({ sub: 6, role: 'customer' })('GET', `/orders/${id}/history`);

    expect(status).toBe(404);
  });

  test('returns a 404 for an unknown order', async () => {
    expect((await harness.waiter('GET', '/orders/999999/history')).status).toBe(404);
  });
});
