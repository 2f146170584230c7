import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created, type Call } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-cancel-units');
  const body = { service_charge: { rate: '10.00', optional: true }, waiter_discount_limit: '10.00' };
  await harness.manager('PUT', '/restaurant', { body });
});
afterAll(() => harness.close());

let lastSeating = 0;
/** Places a guest's order for beers at 10.00, of which 20 are left, and a stew. */
async function placed(beers = 3) {
  const beer = await harness.createDish({ price: '10.00', portions_left: 20 });
  const stew = await harness.createDish({ price: '30.00' });
  const seating = ++lastSeating;
  const guest = harness.as({ sub: 5, role: 'customer', name: 'Ana', table: '7', seating });
  const items = [
    { item_id: beer, quantity: beers, remarks: 'cold' },
    { item_id: stew, quantity: 1 },
  ];
  const request = { body: { items, allergies: 'nuts' }, headers: { 'Idempotency-Key': randomUUID() } };
  const order = created(await guest('POST', '/orders', request));
  return { guest, request, order, beer, line: order.items[0].id as number, bill: order.bill_id as number };
}
type Fields = { reason?: string; status?: string };
/** `by`: who makes the call; a waiter by default. `fields`: more fields to send. */
const leave = (order: Json, quantity_left: number, { by = harness.waiter, ...fields }: { by?: Call } & Fields = {}) => {
  const body = { status: 'cancelled', quantity_left, ...fields };
  return by('PUT', `/orders/${order.id}/items/${order.items[0].id}`, { body });
};
const get = async (path: string, call = harness.waiter): Promise<Json> => (await call('GET', path)).body;
const unitsOf = ({ items }: Json) => items.map((item: Json) => [item.quantity, item.status, item.split_from]);

describe('cancelling a part of an item', () => {
  test('leaves the item with the other units', async () => {
    const { order, line, beer } = await placed();

    const { body } = await leave(order, 1, { reason: 'Changed their mind' });

    const [before, stew] = order.items;
    const off = { ...before, id: expect.any(Number), quantity: 2, status: 'cancelled', split_from: line };
    expect(body.items).toEqual([{ ...before, quantity: 1 }, stew, off]);
    expect(body.items[2].id).toBeGreaterThan(stew.id);
    expect([body.total, body.version, body.status]).toEqual(['40.00', 2, 'received']);
    expect(await get(`/orders/${order.id}`)).toEqual(body);
    expect((await get(`/menu/${beer}`)).portions_left).toBe(19);
  });

  test('changes the line of the bill and keeps its discounts', async () => {
    const { order, bill, line } = await placed();
    const discount = { percent: '10.00', reason: 'Warm', line_id: line };
    await harness.waiter('POST', `/bills/${bill}/discounts`, { body: discount });

    await leave(order, 1, { reason: 'Changed their mind' });

    const after = await get(`/bills/${bill}`);
    expect(after.lines.map((each: Json) => [each.id, each.quantity, each.discount])).toEqual([
      [line, 1, '1.00'],
      [line + 1, 1, '0.00'],
    ]);
    expect(after.total).toBe('42.90');
    const [entry] = (await get(`/bills/${bill}/history`)).slice(-1);
    expect(entry).toMatchObject({ what: 'item_cancelled', line_id: line, reason: 'Changed their mind' });
    const [exception] = await get('/exceptions?limit=1', harness.manager);
    expect(exception).toMatchObject({ kind: 'item_cancelled', amount: '20.00', bill_id: bill, line_id: line });
  });

  test('is published as the cancellation of the new item', async () => {
    const { order, bill, line } = await placed();
    const { body } = await leave(order, 1);

    const [event] = await harness.events.waitFor('order.item_status_changed', order.id);
    const [ofBill]: Json[] = await harness.events.waitFor('bill.changed', bill);

    const { allowed_transitions: _, ...inEvent } = body;
    const change = { item_id: body.items[2].id, from: 'received', to: 'cancelled' };
    expect(event?.data).toEqual({ order: inEvent, ...change, actor: { id: 900_002, role: 'waiter' } });
    expect(ofBill?.data.change).toEqual({ kind: 'item_cancelled', line_id: line });
    const [, entry] = await get(`/orders/${order.id}/history`);
    expect(entry).toMatchObject({ what: 'status', from: 'received', to: 'cancelled', item_id: change.item_id });
  });

  test('removes the units only once, even if two waiters do it at the same time', async () => {
    const { order, beer } = await placed(9);
    const responses = await Promise.all([5, 2, 7, 2, 4].map((left) => leave(order, left)));
    const again = await leave(order, 2);
    await leave(order, 8);

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(again.body.items[0].quantity).toBe(2);
    expect(await get(`/orders/${order.id}`)).toEqual(again.body);
    expect(again.body.items.reduce((sum: number, item: Json) => sum + item.quantity, 0)).toBe(10);
    expect((await get(`/menu/${beer}`)).portions_left).toBe(18);
  });

  test('changes nothing if the item is cancelled', async () => {
    const { order } = await placed();
    const cancelled = await harness.waiter('PUT', `/orders/${order.id}`, { body: { status: 'cancelled' } });

    const response = await leave(order, 1);

    expect([response.status, response.body]).toEqual([200, cancelled.body]);
  });

  test('returns no portions once the kitchen has started', async () => {
    const { order, beer } = await placed();
    await harness.waiter('PUT', `/orders/${order.id}`, { body: { status: 'preparing' } });
    await leave(order, 1);

    expect((await get(`/menu/${beer}`)).portions_left).toBe(17);
  });

  test('is rejected if a unit of the line is paid', async () => {
    const { order, bill, line } = await placed();
    const part = { lines: [{ line_id: line, quantity: 1 }] };
    const body = { method: 'cash', part, expected_amount: '11.00' };
    const payment = created(await harness.waiter('POST', `/bills/${bill}/payments`, { body }));

    const refused = await leave(order, 2);

    expect(codeOf(refused)).toBe('409 bill_item_settled');
    expect(refused.body).toMatchObject({ line_id: line, payment_ids: [payment.id] });
  });

  test('is rejected if the bill would be overpaid, or is closed', async () => {
    const { order, bill } = await placed();
    const pay = async (part: object, expected_amount: string): Promise<Json> =>
      created(
        await harness.waiter('POST', `/bills/${bill}/payments`, { body: { method: 'cash', part, expected_amount } }),
      );
    await pay({ amount: '60.00' }, '60.00');
    const overpaid = await leave(order, 2);
    await pay({ rest: true }, '6.00');
    await harness.waiter('POST', `/bills/${bill}/close`, { body: {} });

    expect([overpaid, await leave(order, 2), await leave(order, 3)].map(codeOf)).toEqual([
      '409 bill_overpaid',
      '409 bill_not_open',
      '200',
    ]);
    expect(overpaid.body.by).toBe('5.00');
    expect(await get(`/orders/${order.id}`)).toMatchObject({ version: 1 });
  });

  test('needs a manager once the item was delivered', async () => {
    const { order } = await placed();
    for (const status of ['preparing', 'ready', 'delivered'])
      await harness.waiter('PUT', `/orders/${order.id}`, { body: { status } });

    const responses = [await leave(order, 1), await leave(order, 1, { by: harness.manager })];

    expect(responses.map(codeOf)).toEqual(['403 forbidden', '200']);
    expect(unitsOf(responses[1]?.body)).toEqual([
      [1, 'delivered', null],
      [1, 'delivered', null],
      [2, 'cancelled', order.items[0].id],
    ]);
  });

  test('is only for staff, for cancelled units and for a number from 1 to 98', async () => {
    const { order, guest } = await placed();
    const other = await leave(order, 1, { status: 'preparing' });
    const responses = [await leave(order, 1, { by: guest }), await leave(order, 0), await leave(order, 99), other];

    expect(responses.map(codeOf)).toEqual([
      '403 forbidden',
      '400 validation_failed',
      '400 validation_failed',
      '422 unprocessable_content',
    ]);
    expect(other.body.errors).toMatchObject([{ pointer: '/quantity_left' }]);
    expect(await get(`/orders/${order.id}`)).toMatchObject({ version: 1 });
  });

  test('leaves the response to a repeated order as it was', async () => {
    const { order, guest, request } = await placed();
    await leave(order, 1);

    const again = await guest('POST', '/orders', request);

    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([order, 'true']);
  });
});
