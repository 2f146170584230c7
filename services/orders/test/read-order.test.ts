import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-read');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

const ana = () => harness.as({ sub: 5, role: 'customer' });
const place = async (call = ana(), body: object = {}) => {
  const answer = await call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }], ...body } });
  return { ...created(answer), etag: answer.headers.get('etag') ?? '' };
};

describe('ETag', () => {
  test('when the tag is still right, then 304 without a body; weak, in a list or * as well', async () => {
    const { id, etag } = await place();
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await ana()('GET', `/orders/${id}`, { headers: { 'if-none-match': tag } });
      expect([tag, answer.status, answer.text, answer.headers.get('etag')]).toEqual([tag, 304, '', etag]);
    }
    expect((await ana()('GET', `/orders/${id}`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('when it was changed, then the tag is another; it minds neither the reader nor who has seen it', async () => {
    const { id, etag } = await place();
    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'kitchen-1' } });
    const seen = await harness.waiter('GET', `/orders/${id}`);
    expect([seen.headers.get('etag'), seen.body.version]).toEqual([etag, 2]);
    const moved = await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' } });
    expect(moved.headers.get('etag')).not.toBe(etag);
    expect((await ana()('GET', `/orders/${id}`)).headers.get('etag')).toBe(moved.headers.get('etag'));
  });

  test('when If-Match has another tag, then 412 and nothing changes; the right one, a list and * pass', async () => {
    for (const [make, status] of [
      [() => '"0-1"', 412],
      [(etag: string) => `W/${etag}`, 412],
      [(etag: string) => etag, 200],
      [(etag: string) => `"0-1", ${etag}`, 200],
      [() => '*', 200],
    ] as const) {
      const { id, etag, items } = await place();
      const headers = { 'if-match': make(etag) };
      const item = await harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, {
        body: { status: 'received' },
        headers,
      });
      const moved = await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' }, headers });
      expect([headers, item.status, moved.status]).toEqual([headers, status, status]);
      expect((await ana()('GET', `/orders/${id}`)).body.version).toBe(status === 200 ? 2 : 1);
    }
  });

  test('when twenty change what they have read, then one does and the others hear 412', async () => {
    const { id, etag } = await place();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' }, headers: { 'if-match': etag } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'version_mismatch')).toHaveLength(19);
  });
});

describe('moving to another table', () => {
  test('when staff move it, then table, seating, event and history say so, and the new seating sees it', async () => {
    const guest = (sub: number, seating: number) => harness.as({ sub, role: 'customer', table: '12', seating });
    const { id } = await place(guest(41, 88));
    const { body } = await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '5', seating: 99 } });
    expect(body).toMatchObject({ table: '5', seating: 99, version: 2 });
    expect((await guest(43, 99)('GET', `/orders/${id}`)).status).toBe(200);
    expect((await guest(42, 88)('GET', `/orders/${id}`)).status).toBe(404);
    expect((await guest(41, 88)('GET', `/orders/${id}`)).status).toBe(200);
    const listed = (await guest(41, 88)('GET', '/orders')).body.map((each: { id: number }) => each.id);
    expect(listed).toContain(id);
    const [event] = await harness.events.waitFor('order.table_changed', id);
    const { allowed_transitions: _, ...whole } = body;
    const actor = { id: 900_002, role: 'waiter' };
    expect(event?.data).toEqual({ order: whole, from: '12', to: '5', actor });
    const { body: history } = await harness.waiter('GET', `/orders/${id}/history`);
    expect(history[1]).toMatchObject({ what: 'table', from: '12', to: '5', version: 2, actor });
  });

  test('when it is there already, then nothing changes; a customer may not move it', async () => {
    const { id } = await place(harness.waiter, { table: '3', seating: 4 });
    const same = await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '3', seating: 4 } });
    expect([same.status, same.body.version]).toEqual([200, 1]);
    const seatless = await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '3' } });
    expect(seatless.body).toMatchObject({ table: '3', seating: null, version: 2 });
    expect((await ana()('PUT', `/orders/${id}/table`, { body: { table: '4' } })).status).toBe(403);
    expect((await harness.waiter('PUT', '/orders/999999/table', { body: { table: '4' } })).status).toBe(404);
  });
});

describe('seen', () => {
  test('when screens say that they painted orders, then the first time counts, once, with its event', async () => {
    const first = await place();
    const second = await place();
    const say = (device: string) =>
      harness.waiter('POST', '/orders/seen', { body: { order_ids: [first.id, second.id, first.id, 999_999], device } });
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(say));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    for (const { id } of [first, second]) {
      const { body } = await ana()('GET', `/orders/${id}`);
      expect(body.version).toBe(2);
      expect(Date.parse(body.seen_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at));
      expect(body.updated_at).toBe(body.created_at);
      const told = await harness.events.waitFor('order.seen', id);
      expect(told).toHaveLength(1);
      expect(told[0]?.data).toMatchObject({ order: { id, version: 2, seen_at: body.seen_at } });
    }
    expect((await harness.waiter('GET', `/orders/${first.id}/history`)).body).toHaveLength(1);
    expect((await ana()('POST', '/orders/seen', { body: { order_ids: [first.id], device: 'a' } })).status).toBe(403);
  });
});

describe('history', () => {
  test('when somebody may not see the order, then there is no history either', async () => {
    const { id } = await place();
    expect((await ana()('GET', `/orders/${id}/history`)).body).toMatchObject([
      { actor: { id: 5, role: 'customer' }, from: null, to: 'received', version: 1 },
    ]);
    expect((await harness.as({ sub: 6, role: 'customer' })('GET', `/orders/${id}/history`)).status).toBe(404);
    expect((await harness.waiter('GET', '/orders/999999/history')).status).toBe(404);
  });
});
