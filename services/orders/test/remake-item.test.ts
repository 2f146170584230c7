import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { holdNumbers } from './support/hold-numbers.ts';
import { conflictsAt, waitingAt } from './support/writer-metrics.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-remake');
});
afterAll(() => harness.close());

let lastSeating = 0;
/** Places a guest's order for 3 stews at 30.00, with 10 portions. */
async function placed() {
  const stew = await harness.createDish({ price: '30.00', portions_left: 10, station: 'grill' });
  const seating = ++lastSeating;
  const guest = harness.as({ sub: 5, role: 'customer', name: 'Ana', table: '7', seating });
  const items = [{ item_id: stew, quantity: 3, remarks: 'rare' }];
  const order = created(await guest('POST', '/orders', { body: { items, allergies: 'nuts' } }));
  return { guest, order, stew, seating, item: order.items[0].id as number };
}
/** Remakes an item. `body`: fields to send besides the reason, and the idempotency key. */
const remake = (
  order: number,
  item: number,
  { key = randomUUID(), ...body }: { key?: string; quantity?: number; reason?: string } = {},
) =>
  harness.waiter('POST', `/orders/${order}/items/${item}/remake`, {
    body: { reason: 'Burnt', ...body },
    headers: { 'Idempotency-Key': key },
  });
const get = async (path: string, call = harness.waiter): Promise<Json> => (await call('GET', path)).body;
const setStatus = (order: number, status: string) => harness.waiter('PUT', `/orders/${order}`, { body: { status } });

describe('remaking an item', () => {
  test('places an order with the item for nothing, on no bill', async () => {
    const { guest, order, stew, item } = await placed();
    await setStatus(order.id, 'preparing');
    const billBefore = await get(`/bills/${order.bill_id}`);

    const response = await remake(order.id, item, { quantity: 2 });

    const { body } = response;
    expect([response.status, response.headers.get('location')]).toEqual([201, `/orders/${body.id}`]);
    expect(body).toMatchObject({
      ticket: order.ticket,
      table: '7',
      seating: order.seating,
      bill_id: null,
      split_from: null,
      status: 'received',
      version: 1,
      allergies: 'nuts',
      seen_at: null,
      total: '0.00',
      placed_by: { id: 5, name: 'Ana' },
    });
    expect(body.id).toBeGreaterThan(order.id);
    const again = { id: body.items[0].id, quantity: 2, unit_price: '0.00', remake: { of: item, reason: 'Burnt' } };
    expect(body.items).toEqual([{ ...order.items[0], ...again }]);
    expect(again.id).toBeGreaterThan(item);
    expect(await get(`/orders/${body.id}`, guest)).toMatchObject({ id: body.id, items: body.items });
    expect(await get(`/bills/${order.bill_id}`)).toEqual(billBefore);
    expect((await get(`/menu/${stew}`)).portions_left).toBe(5);
    const [event] = await harness.events.waitFor('order.created', body.id);
    expect(event?.data).toMatchObject({ order: { id: body.id, items: body.items } });
  });

  test('is listed as an exception with the price of the first item', async () => {
    const { order, item } = await placed();
    await remake(order.id, item, { quantity: 2, reason: 'Dropped' });

    const [exception] = await get('/exceptions?limit=1', harness.manager);

    const by = { id: 900_002, name: 'Wanda' };
    const line = { line_id: item, bill_id: order.bill_id, name: order.items[0].name };
    expect(exception).toMatchObject({ kind: 'remade', amount: '60.00', ...line, by, reason: 'Dropped' });
  });

  test('takes the next ticket for other orders only', async () => {
    const { order, item } = await placed();
    await remake(order.id, item);

    expect((await placed()).order.ticket).toBe(order.ticket + 1);
  });

  test('takes portions only if there are enough for all units', async () => {
    const { order, item, stew } = await placed();
    const portions = async () => (await get(`/menu/${stew}`)).portions_left;
    await harness.manager('PUT', `/menu/${stew}/availability`, { body: { portions_left: 2, available: false } });

    const two = await remake(order.id, item, { quantity: 2 });
    const left = await portions();
    const all = await remake(order.id, item);
    for (const { body } of [two, all]) await setStatus(body.id, 'cancelled');

    expect([two.status, all.status, left, await portions()]).toEqual([201, 201, 0, 2]);
  });

  test('works again for a remade item, while ordering is paused', async () => {
    const { order, item } = await placed();
    await harness.manager('PUT', '/ordering', { body: { paused_until: '2099-01-01T00:00:00Z' } });
    const first = await remake(order.id, item, { quantity: 1 });
    const second = await remake(first.body.id, first.body.items[0].id);
    await harness.manager('PUT', '/ordering', { body: {} });

    expect(second.body.items).toMatchObject([{ quantity: 1, remake: { of: first.body.items[0].id } }]);
    expect((await get('/exceptions?limit=1', harness.manager))[0]).toMatchObject({ amount: '30.00', bill_id: null });
  });

  test('works for a served dish that is no longer on the menu', async () => {
    const { order, item, stew } = await placed();
    for (const status of ['preparing', 'ready', 'delivered']) await setStatus(order.id, status);
    await harness.manager('DELETE', `/menu/${stew}`);

    const { status, body } = await remake(order.id, item);

    expect([status, body.status, body.delivered_at, body.items[0].first_delivered_at]).toEqual([
      201,
      'received',
      null,
      null,
    ]);
  });

  test('works for guests who have too many open items to order more', async () => {
    const { guest, order, item } = await placed();
    const dish = await harness.createDish();
    const place = (count: number) =>
      guest('POST', '/orders', {
        body: { items: Array.from({ length: count }, () => ({ item_id: dish, quantity: 1 })) },
      });
    const full = [await place(50), await place(49), await place(1)];

    expect([...full, await remake(order.id, item)].map(({ status }) => status)).toEqual([201, 201, 429, 201]);
  });

  test('is cancelled and moved without a bill', async () => {
    const { order, item } = await placed();
    const { body } = await remake(order.id, item);
    const { remaining } = await get(`/bills/${order.bill_id}`);
    const payment = { method: 'cash', part: { rest: true }, expected_amount: remaining };
    created(await harness.waiter('POST', `/bills/${order.bill_id}/payments`, { body: payment }));
    await harness.waiter('POST', `/bills/${order.bill_id}/close`, { body: {} });

    const moved = await harness.waiter('PUT', `/orders/${body.id}/table`, { body: { table: '9' } });
    const cancelled = await setStatus(body.id, 'cancelled');

    expect([moved.body.table, moved.body.bill_id, cancelled.status]).toEqual(['9', null, 200]);
  });

  test('follows the guests when their bill moves to another table, while it is open', async () => {
    const { order, item } = await placed();
    const [done, open] = [await remake(order.id, item), await remake(order.id, item)];
    for (const status of ['preparing', 'ready', 'delivered']) await setStatus(done.body.id, status);

    await harness.waiter('PUT', `/bills/${order.bill_id}/table`, { body: { table: '9' } });

    const events = await harness.events.waitFor('order.table_changed', open.body.id);
    expect(events.at(-1)).toMatchObject({ data: { from: '7', to: '9', order: { table: '9', version: 2 } } });
    expect([(await get(`/orders/${open.body.id}`)).table, (await get(`/orders/${done.body.id}`)).table]).toEqual([
      '9',
      '7',
    ]);
  });

  test('goes to the table where the guests are now, even if it was served before they moved', async () => {
    const { order, item } = await placed();
    const { body: early } = await remake(order.id, item);
    for (const id of [order.id, early.id])
      for (const status of ['preparing', 'ready', 'delivered']) await setStatus(id, status);
    await harness.waiter('PUT', `/bills/${order.bill_id}/table`, { body: { table: '9' } });
    const again = [await remake(order.id, item), await remake(early.id, early.items[0].id)];
    await harness.waiter('PUT', `/orders/${order.id}/table`, { body: { table: '11', seating: order.seating } });
    const moved = await remake(order.id, item);

    expect([...again, moved].map(({ body }) => body.table)).toEqual(['9', '9', '11']);
  });

  test('goes to the table where the guests are now, even if its bill was closed before they moved', async () => {
    const { order, item, seating, stew } = await placed();
    for (const status of ['preparing', 'ready', 'delivered']) await setStatus(order.id, status);
    const paid = { method: 'card', part: { rest: true }, expected_amount: '90.00' };
    created(await harness.waiter('POST', `/bills/${order.bill_id}/payments`, { body: paid }));
    await harness.waiter('POST', `/bills/${order.bill_id}/close`, { body: {} });
    const body = { items: [{ item_id: stew, quantity: 1 }], table: '7', seating };
    const { bill_id: open } = created(await harness.waiter('POST', '/orders', { body }));
    await harness.waiter('PUT', `/bills/${open}/table`, { body: { table: '9' } });

    expect((await remake(order.id, item)).body).toMatchObject({ table: '9', seating });
  });

  test('follows the guests when their bill is merged into another one', async () => {
    const [from, into] = [await placed(), await placed()];
    const { body: open } = await remake(from.order.id, from.item);
    const merge = () =>
      harness.waiter('POST', `/bills/${from.order.bill_id}/merge`, { body: { into: into.order.bill_id } });

    await merge();
    await merge();

    expect(await get(`/orders/${open.id}`)).toMatchObject({ seating: into.seating, bill_id: null, version: 2 });
  });

  test('rejects no order that is written together with it as too many', async () => {
    const guest = await placed();
    const { order, item, seating, stew } = guest;
    await harness.manager('PUT', `/menu/${stew}/availability`, { body: { portions_left: null } });
    const items = (count: number) => Array.from({ length: count }, () => ({ item_id: stew, quantity: 1 }));
    const place = (sub: number, count: number, at: number) =>
      harness.as({ sub, role: 'waiter' })('POST', '/orders', {
        body: { items: items(count), table: '7', seating: at },
      });
    for (const { id } of [created(await place(7, 47, seating)), created(await place(7, 47, seating))])
      for (const status of ['preparing', 'ready', 'delivered']) await setStatus(id, status);
    // Now 95 items were ever ordered, of which one is open.

    const numbers = await holdNumbers(harness);
    const conflicts = await conflictsAt(harness.url);
    const first = place(1, 1, ++lastSeating);
    await until(async () => (await conflictsAt(harness.url)) > conflicts, { what: 'the first batch to be tried' });
    const waiting = [remake(order.id, item)];
    await until(async () => (await waitingAt(harness.url)) === 1, { what: 'the remake to wait for the next batch' });
    waiting.push(place(2, 5, seating));
    await until(async () => (await waitingAt(harness.url)) === 2, { what: 'the order to wait for the next batch' });
    await numbers.abort();

    expect((await Promise.all([first, ...waiting])).map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test('happens once if the item has moved to another order before the request is sent again', async () => {
    const { order, seating, stew } = await placed();
    const items = [1, 2].map((quantity) => ({ item_id: stew, quantity }));
    const both = created(await harness.waiter('POST', '/orders', { body: { items, table: '7', seating } }));
    const [item, key] = [both.items[0].id, randomUUID()];
    const first = created(await remake(both.id, item, { key }));
    created(
      await harness.waiter('POST', `/orders/${both.id}/move-items`, { body: { items: [{ id: item }], table: '9' } }),
    );

    const again = await remake(both.id, item, { key });

    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.id, 'true']);
    expect([await remake(both.id, item), await remake(order.id, item)].map(codeOf)).toEqual(
      Array(2).fill('404 not_found'),
    );
  });

  test('happens once if the request is sent again', async () => {
    const { order, item } = await placed();
    const key = randomUUID();
    const send = (body: { quantity?: number } = {}) => remake(order.id, item, { key, ...body });
    const [first, second] = await Promise.all([send(), send()]);
    await setStatus(first.body.id, 'preparing');
    const third = await send();

    expect([second.body.id, third.body.id]).toEqual([first.body.id, first.body.id]);
    expect([third.status, third.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(codeOf(await send({ quantity: 1 }))).toBe('422 idempotency_key_reused');
    const orders = await get('/orders?table=7');
    expect(orders.filter((each: Json) => each.items[0].remake?.of === item)).toHaveLength(1);
  });

  test('is rejected for cancelled and unknown items, too many units, guests and closed seatings', async () => {
    const { order, item, guest, seating } = await placed();
    const cancelled = await placed();
    await setStatus(cancelled.order.id, 'cancelled');
    const ofCancelled = await remake(cancelled.order.id, cancelled.item, { quantity: 9 });
    const tooMany = await remake(order.id, item, { quantity: 4 });
    const early = [
      ofCancelled,
      tooMany,
      await remake(order.id, 999_999),
      await remake(999_999, item),
      await guest('POST', `/orders/${order.id}/items/${item}/remake`, { body: { reason: 'Burnt' } }),
      await remake(order.id, item, { reason: ' ' }),
      await remake(order.id, item, { reason: 'x'.repeat(201) }),
    ];
    await harness.waiter('POST', '/internal/ended-seatings', { body: { seating, table: '7' } });

    expect([...early, await remake(order.id, item)].map(codeOf)).toEqual([
      '409 illegal_transition',
      '422 unprocessable_content',
      '404 not_found',
      '404 not_found',
      '403 forbidden',
      '400 validation_failed',
      '400 validation_failed',
      '409 seating_closed',
    ]);
    expect(ofCancelled.body.allowed_transitions).toEqual([]);
    expect(tooMany.body.errors).toMatchObject([{ pointer: '/quantity' }]);
  });
});
