import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { movingItems } from './support/moving-items.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let calls: Awaited<ReturnType<typeof movingItems>>;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-move-items');
  calls = await movingItems(harness);
});
afterAll(() => harness.close());

type Calls = typeof calls;
const placed: Calls['placed'] = () => calls.placed();
const move: Calls['move'] = (...call) => calls.move(...call);
const get: Calls['get'] = (...call) => calls.get(...call);
const cancel: Calls['cancel'] = (...call) => calls.cancel(...call);
const pay: Calls['pay'] = (...call) => calls.pay(...call);
const withoutTransitions = ({ allowed_transitions: _transitions, ...order }: Json): Json => order;
const linesOf = ({ lines }: Json): Json[] => lines.map((line: Json) => [line.id, line.quantity, line.order_id]);

describe('moving a part of an item', () => {
  test('creates an order with it, which is a copy in everything else', async () => {
    const { id, order, beers, seating, bill } = await placed();
    await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'bar-1', stations: ['bar'] } });
    await harness.waiter('PUT', `/orders/${id}/allergies-read`, { body: { stations: ['bar'] } });
    const before = await get(`/orders/${id}`);
    const into = await placed();

    const response = await move(id, { items: [{ id: beers, quantity: 2 }], seating: into.seating });

    const { body: moved } = response;
    const rest = await get(`/orders/${id}`);
    const [beersBefore, food] = before.items;
    const part = { ...beersBefore, id: moved.items[0].id, quantity: 2, split_from: beers };
    const marks = before.stations.find(({ station }: Json) => station === 'bar');
    expect([response.status, response.headers.get('location')]).toEqual([201, `/orders/${moved.id}`]);
    expect(moved).toEqual({
      ...before,
      id: moved.id,
      split_from: id,
      table: '9',
      seating: into.seating,
      bill_id: into.bill,
      version: before.version + 1,
      items: [part],
      stations: [marks],
      seen_at: marks.seen_at,
      seen_on: 'bar-1',
      allergies_read_at: marks.allergies_read_at,
      total: '20.00',
      updated_at: moved.updated_at,
    });
    expect(rest).toEqual({
      ...before,
      version: before.version + 1,
      items: [{ ...beersBefore, quantity: 1 }, food],
      total: '40.00',
      updated_at: moved.updated_at,
    });
    expect(await get(`/orders/${moved.id}`)).toEqual(moved);
    expect([moved.ticket, rest.seating, rest.bill_id]).toEqual([order.ticket, seating, bill]);
    expect((await placed()).order.ticket).toBe(into.order.ticket + 1);
  });

  test('moves its lines of the bill', async () => {
    const { id, bill, beers, food } = await placed();
    const into = await placed();
    const versions = [(await get(`/bills/${bill}`)).version, (await get(`/bills/${into.bill}`)).version];
    const discount = { percent: '10.00', reason: 'Warm', line_id: beers };
    await harness.manager('POST', `/bills/${bill}/discounts`, { body: discount });
    await harness.manager('POST', `/bills/${bill}/discounts`, { body: { ...discount, line_id: food } });

    const items = [{ id: beers, quantity: 2 }, { id: food }];
    const { body: moved } = await move(id, { items, seating: into.seating });

    const [from, to] = [await get(`/bills/${bill}`), await get(`/bills/${into.bill}`)];
    expect(linesOf(from)).toEqual([[beers, 1, id]]);
    expect(linesOf(to)).toEqual([
      [food, 1, moved.id],
      [into.beers, 3, into.id],
      [into.food, 1, into.id],
      [moved.items[0].id, 2, moved.id],
    ]);
    expect([from.discounts, to.discounts]).toMatchObject([
      [{ id: 1, line_id: beers, amount: '1.00' }],
      [{ id: 1, line_id: food, amount: '3.00' }],
    ]);
    expect([from.version, to.version]).toEqual([versions[0] + 3, versions[1] + 1]);
    expect([from.status, from.items_total, to.items_total]).toEqual(['open', '10.00', '110.00']);
    for (const each of [bill, into.bill])
      expect((await get(`/bills/${each}/history`)).at(-1)).toMatchObject({ what: 'order_moved' });
    const [exception] = await get('/exceptions?limit=1', harness.manager);
    expect(exception).toMatchObject({ kind: 'order_moved', amount: '50.00', bill_id: bill, line_id: null, name: null });
  });

  test('is published for both orders and both bills', async () => {
    const { id, bill, beers, seating } = await placed();
    const { body: moved } = await move(id, { items: [{ id: beers, quantity: 1 }] });

    const [ofRest]: Json[] = await harness.events.waitFor('order.table_changed', id);
    const [ofMoved]: Json[] = await harness.events.waitFor('order.table_changed', moved.id);
    const bills: Json[] = [
      ...(await harness.events.waitFor('bill.changed', bill)),
      ...(await harness.events.waitFor('bill.changed', moved.bill_id)),
    ];

    const of = { from_seating: seating, actor: { id: 900_002, role: 'waiter' } };
    const rest = withoutTransitions(await get(`/orders/${id}`));
    expect(ofRest.data).toEqual({ order: rest, from: '7', to: '7', ...of });
    expect(ofMoved.data).toEqual({ order: withoutTransitions(moved), from: '7', to: '9', ...of });
    expect(ofMoved.audience).toBe(`staff user:${5000 + seating} seating:${seating}`);
    expect(bills.map(({ data }) => [data.change.kind, data.bill.id])).toEqual([
      ['order_moved', bill],
      ['order_moved', moved.bill_id],
    ]);
    expect(harness.events.of('order.created', moved.id)).toEqual([]);
    const placedBefore = { what: 'status', to: 'received', version: 1 };
    const by = { id: 900_002, role: 'waiter', name: 'Wanda' };
    for (const [order, to] of [
      [id, '7'],
      [moved.id, '9'],
    ])
      expect(await get(`/orders/${order}/history`)).toMatchObject([
        placedBefore,
        { what: 'table', from: '7', to, version: 2, actor: by },
      ]);
  });

  test('lets both parts be cancelled, and returns each portion once', async () => {
    const { id, beers } = await placed();
    const portions = async () => (await get(`/menu/${calls.beer}`)).portions_left;
    const before = await portions();
    const { body: moved } = await move(id, { items: [{ id: beers, quantity: 2 }] });
    await cancel(moved.id, moved.items[0].id, { quantity_left: 1 });
    const afterOne = await portions();
    await cancel(id, beers);
    await harness.waiter('PUT', `/orders/${moved.id}`, { body: { status: 'cancelled' } });

    expect([afterOne, await portions()]).toEqual([before + 1, before + 3]);
  });

  test('leaves out what moved when the order is sent again', async () => {
    const { id, guest, request, order, beers, food } = await placed();
    await cancel(id, beers, { quantity_left: 2 });
    await move(id, { items: [{ id: beers, quantity: 1 }] });

    const { body } = await guest('POST', '/orders', request);

    expect(body.items.map((item: Json) => [item.id, item.quantity])).toEqual([
      [beers, 2],
      [food, 1],
    ]);
    expect(body).toMatchObject({ id, version: 1, created_at: order.created_at });
  });
});

describe('the statuses after a move', () => {
  test('follow the items of each order', async () => {
    const { id, beers, food } = await placed();
    for (const status of ['preparing', 'ready', 'delivered'])
      await harness.waiter('PUT', `/orders/${id}/items/${beers}`, { body: { status } });
    const before = await get(`/orders/${id}`);

    const { body: moved } = await move(id, { items: [{ id: beers }] });

    const rest = await get(`/orders/${id}`);
    expect([before.status, moved.status, rest.status]).toEqual(['preparing', 'delivered', 'received']);
    expect(moved.delivered_at).toBe(before.items[0].first_delivered_at);
    expect([rest.delivered_at, rest.items[0].id]).toEqual([null, food]);
  });
});

describe('moving everything', () => {
  test('moves the order itself', async () => {
    const { id, bill, beers, food } = await placed();
    const into = await placed();
    await cancel(id, beers, { quantity_left: 2 });

    const response = await move(id, { items: [{ id: beers, quantity: 2 }, { id: food }], seating: into.seating });

    expect([response.status, response.headers.get('location')]).toEqual([200, null]);
    expect(response.body).toMatchObject({
      id,
      split_from: null,
      table: '9',
      seating: into.seating,
      bill_id: into.bill,
    });
    expect(response.body.items).toHaveLength(3);
    expect(await get(`/bills/${bill}`)).toMatchObject({ status: 'merged', merged_into: into.bill, lines: [] });
  });

  test('to where the order is changes nothing', async () => {
    const { id, order, seating, beers } = await placed();

    const response = await move(id, { items: [{ id: beers, quantity: 1 }], table: '7', seating });

    expect([response.status, withoutTransitions(response.body)]).toEqual([200, withoutTransitions(order)]);
  });
});

describe('a move to another table of the same seating', () => {
  test('keeps the dishes on their bill', async () => {
    const { id, bill, beers, food, seating } = await placed();
    await pay(bill, { lines: [{ line_id: food }] }, '30.00');

    const { body: moved } = await move(id, { items: [{ id: beers, quantity: 1 }, { id: food }], seating });

    expect(moved.bill_id).toBe(bill);
    expect(linesOf(await get(`/bills/${bill}`))).toEqual([
      [beers, 2, id],
      [food, 1, moved.id],
      [moved.items[0].id, 1, moved.id],
    ]);
    expect((await get(`/bills/${bill}/history`)).at(-1)).toMatchObject({ what: 'order_moved' });
    const [exception] = await get('/exceptions?limit=1', harness.manager);
    expect(exception?.bill_id).not.toBe(bill);
  });

  test('moves whole dishes of a closed bill, which stays as it is', async () => {
    const { id, bill, beers, food, seating } = await placed();
    await pay(bill, { rest: true }, '60.00');
    await harness.waiter('POST', `/bills/${bill}/close`, { body: {} });
    const { version, lines } = await get(`/bills/${bill}`);

    const { body: moved } = await move(id, { items: [{ id: food }], seating });

    expect(moved).toMatchObject({ table: '9', bill_id: bill, split_from: id });
    const after = await get(`/bills/${bill}`);
    expect([after.version, linesOf(after)]).toEqual([
      version,
      linesOf({ lines }).map(([line, quantity, order]) => [line, quantity, line === food ? moved.id : order]),
    ]);
    expect(codeOf(await move(id, { items: [{ id: beers, quantity: 1 }], seating }))).toBe('409 bill_not_open');
  });
});

describe('a repeated move', () => {
  test('returns the order as it is now', async () => {
    const { id, beers, food } = await placed();
    const headers = { 'Idempotency-Key': randomUUID(), 'If-Match': '*' };
    const send = () => move(id, { items: [{ id: beers, quantity: 1 }, { id: food }] }, headers);
    const [first, second] = await Promise.all([send(), send()]);
    await harness.waiter('PUT', `/orders/${first.body.id}`, { body: { status: 'preparing' } });
    const third = await send();

    expect([first.status, second.status, third.status]).toEqual([201, 201, 201]);
    expect([second.body.id, third.body.id]).toEqual([first.body.id, first.body.id]);
    expect([third.body.status, third.headers.get('idempotent-replayed')]).toEqual(['preparing', 'true']);
    expect((await get(`/orders/${id}`)).items[0].quantity).toBe(2);
    expect(codeOf(await move(id, { items: [{ id: beers }] }, headers))).toBe('422 idempotency_key_reused');
  });

  test('of the whole order leaves it where it is now', async () => {
    const { id, order, beers, food } = await placed();
    const headers = { 'Idempotency-Key': randomUUID(), 'If-Match': `"${id}-${order.version}"` };
    const send = () => move(id, { items: [{ id: beers }, { id: food }] }, headers);
    await send();
    await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '11' } });

    const again = await send();

    expect([again.status, again.body.table, again.headers.get('idempotent-replayed')]).toEqual([200, '11', 'true']);
  });

  test('to where the order already was leaves it where it is now', async () => {
    const { id, order, seating, beers } = await placed();
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = () => move(id, { items: [{ id: beers, quantity: 1 }], table: '7', seating }, headers);
    const first = await send();
    await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '11' } });

    const again = await send();

    expect([first.body, first.headers.get('idempotent-replayed')]).toEqual([
      { ...order, allowed_transitions: first.body.allowed_transitions },
      null,
    ]);
    expect([again.status, again.body.table, again.headers.get('idempotent-replayed')]).toEqual([200, '11', 'true']);
    expect(again.body).toEqual(await get(`/orders/${id}`));
    expect((await get(`/orders/${id}/history`)).map(({ what }: Json) => what)).toEqual(['status', 'table']);
    const other = await move(id, { items: [{ id: beers, quantity: 2 }], table: '7', seating }, headers);
    expect(codeOf(other)).toBe('422 idempotency_key_reused');
  });
});

test('items keep fields that a newer release has stored', async () => {
  const { id, beers } = await placed();
  const orders = harness.db.collection<{ _id: number; itens: Json[] }>('pedidos');
  await orders.updateOne({ _id: id }, { $set: { 'itens.0.from_newer': 1, of_newer: 2 } });

  const { body: moved } = await move(id, { items: [{ id: beers, quantity: 1 }] });

  const stored: Json[] = await orders.find({ _id: { $in: [id, moved.id] } }, { sort: { _id: 1 } }).toArray();
  expect(
    stored.map((order) => [order.of_newer, order.itens[0].from_newer, order.idempotency_key === undefined]),
  ).toEqual([
    [2, 1, false],
    [2, 1, true],
  ]);
});
