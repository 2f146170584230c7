import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { codeOf, created, type Call } from '@comanda/testing/call';
import { createTestClock } from '@comanda/testing/test-clock';
import { accountPayments } from './support/account-payments.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
const clock = createTestClock();
let harness: OrdersHarness;
let calls: ReturnType<typeof accountPayments>;
let feijoada: number;
let beer: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-exceptions', { clock });
  calls = accountPayments(harness);
  feijoada = await harness.createDish({ name: 'Feijoada', price: '31.00' });
  beer = await harness.createDish({ name: 'Beer', price: '10.00' });
  const body = { service_charge: { rate: '10.00', optional: true }, waiter_discount_limit: '10.00' };
  await harness.manager('PUT', '/restaurant', { body });
});
afterAll(() => harness.close());

const wanda = { id: 900_002, name: 'Wanda' };
const marta = { id: 900_001, name: 'Marta' };
const list = async (query = ''): Promise<Json[]> => (await harness.manager('GET', `/exceptions${query}`)).body;
const ofBill = async (id: number): Promise<Json[]> => (await list('?limit=200')).filter((each) => each.bill_id === id);
/** Places a guest's order for 2 Feijoada and 1 beer: 72.00. */
async function placed(seating = calls.newSeating()) {
  const guest = harness.as({ sub: seating, role: 'customer', name: 'Ana', table: '12', seating });
  const order = await calls.order(guest, { [feijoada]: 2, [beer]: 1 });
  const [food, drink] = order.items.map((item: Json) => item.id) as [number, number];
  return { guest, order, food, drink, bill: order.bill_id as number, seating };
}
const setOrder = (id: number, body: object, call = harness.waiter) => call('PUT', `/orders/${id}`, { body });
const cancelItem = (order: number, item: number, reason?: string) =>
  harness.waiter('PUT', `/orders/${order}/items/${item}`, { body: { status: 'cancelled', ...(reason && { reason }) } });
const post = async (path: string, body: object, call: Call = harness.waiter): Promise<Json> => {
  const response = await call('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } });
  expect([200, 201]).toContain(response.status);
  return response.body;
};

describe('the list of exceptions', () => {
  test('contains each item that staff cancelled', async () => {
    const { order, food, drink, bill } = await placed();
    await setOrder(order.id, { status: 'preparing' });
    await cancelItem(order.id, food, 'Sold out');
    const before = await list('?limit=1');
    await cancelItem(order.id, food, 'Sold out');
    await setOrder(order.id, { status: 'cancelled' }, harness.manager);

    const [last, first] = await ofBill(bill);

    expect(first).toEqual({
      id: before[0]?.id,
      day: 1,
      at: new Date(clock()).toISOString(),
      kind: 'item_cancelled',
      bill_id: bill,
      line_id: food,
      name: 'Feijoada',
      amount: '62.00',
      by: wanda,
      reason: 'Sold out',
    });
    expect(last).toMatchObject({ id: first.id + 1, line_id: drink, amount: '10.00', by: marta, reason: null });
  });

  test('omits orders that customers cancelled themselves', async () => {
    const { order, guest, bill } = await placed();

    expect((await setOrder(order.id, { status: 'cancelled' }, guest)).status).toBe(200);
    expect(await ofBill(bill)).toEqual([]);
  });

  test('contains orders that were moved to another bill', async () => {
    const [from, other, into] = [await placed(), await placed(), await placed()];
    await cancelItem(other.order.id, other.drink);
    const body = { table: '14', seating: into.seating };
    await harness.waiter('PUT', `/orders/${from.order.id}/table`, { body });
    await post(`/bills/${other.bill}/merge`, { into: into.bill });
    await post(`/bills/${other.bill}/merge`, { into: into.bill });
    await harness.waiter('PUT', `/bills/${into.bill}/table`, { body: { table: '15' } });

    const moved = { kind: 'order_moved', line_id: null, name: null, by: wanda, reason: null };
    expect(await ofBill(from.bill)).toEqual([expect.objectContaining({ ...moved, amount: '72.00' })]);
    expect(await ofBill(other.bill)).toEqual([
      expect.objectContaining({ ...moved, amount: '62.00' }),
      expect.objectContaining({ kind: 'item_cancelled' }),
    ]);
    expect(await ofBill(into.bill)).toEqual([]);
  });

  test('contains a discount only once, even if the request was sent twice', async () => {
    const { bill, food } = await placed();
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { percent: '10.00', reason: 'Waited too long', line_id: food };
    const give = () => harness.waiter('POST', `/bills/${bill}/discounts`, { body, headers });
    expect([(await give()).status, (await give()).status]).toEqual([201, 201]);
    await post(`/bills/${bill}/discounts`, { amount: '50.00', reason: 'Birthday' }, harness.manager);

    expect(await ofBill(bill)).toMatchObject([
      { kind: 'discount', line_id: null, name: null, amount: '50.00', by: marta, reason: 'Birthday' },
      { kind: 'discount', line_id: food, name: 'Feijoada', amount: '6.20', by: wanda, reason: 'Waited too long' },
    ]);
  });

  test('contains a service charge that a guest declined', async () => {
    const { bill, guest } = await placed();
    const set = (included: boolean, call: Call) => call('PUT', `/bills/${bill}/service-charge`, { body: { included } });
    for (const included of [false, false, true]) await set(included, guest);
    await set(false, harness.waiter);

    const declined = { kind: 'service_charge_declined', amount: '7.20', line_id: null, reason: null };
    expect(await ofBill(bill)).toMatchObject([
      { ...declined, by: wanda },
      { ...declined, by: null },
    ]);
  });

  test('contains refunds and reopened bills', async () => {
    const { bill, seating } = await placed();
    const ana = calls.diner(seating, { seating });
    const half = { shares: 1, of: 2 };
    const price = { part: half, expected_amount: '39.60', tip: '5.00' };
    const byAccount = created(await calls.reserve(bill, ana, price));
    const [jti, refundJti] = [randomUUID(), randomUUID()];
    await calls.claim(byAccount, ana.asService, { jti });
    await calls.settle(byAccount, calls.receipt({ jti, payment: byAccount }));
    const cash = await post(`/bills/${bill}/payments`, { method: 'cash', ...price });
    await post(`/bills/${bill}/close`, {});
    await post(`/bills/${bill}/reopen`, { reason: 'A dish was missing' }, harness.manager);
    await post(`/bills/${bill}/payments/${cash.id}/refund`, { reason: 'Charged twice' });
    await calls.claim(byAccount, calls.staff('manager', 8), { purpose: 'refund', jti: refundJti });
    const receipt = calls.receipt({ jti: refundJti, payment: byAccount, kind: 'bill_refund' });
    await calls.settle(byAccount, receipt);
    await calls.settle(byAccount, receipt);
    const { payments } = (await ana.call('GET', `/bills/${bill}`)).body;

    expect(await ofBill(bill)).toMatchObject([
      { kind: 'refunded', amount: '39.60', by: { id: 8, name: 'manager' }, reason: null },
      { kind: 'refunded', amount: '39.60', by: wanda, reason: 'Charged twice', line_id: null, name: null },
      { kind: 'reopened', amount: '79.20', by: marta, reason: 'A dish was missing' },
    ]);
    expect(payments).toMatchObject([
      { method: 'account', refund: { method: 'account', by: { id: 8, role: 'manager' } } },
      { method: 'cash', refund: { method: 'cash', by: { id: wanda.id, role: 'waiter' } } },
    ]);
  });

  test('contains dishes that a manager removed after a refund in cash', async () => {
    const { bill, order, guest, food } = await placed();
    const { remaining } = (await harness.waiter('GET', `/bills/${bill}`)).body;
    const pay = (method: string): Promise<Json> =>
      post(`/bills/${bill}/payments`, { method, part: { rest: true }, expected_amount: remaining, tip: '1.00' });
    const refund = (id: number, body: object, call = harness.waiter) =>
      call('POST', `/bills/${bill}/payments/${id}/refund`, { body });
    const rui = harness.as({ sub: 78, role: 'waiter', name: 'Rui' });

    const cash = await pay('cash');
    clock.advance({ minutes: 5 });
    const byOther = await refund(cash.id, { reason: 'x' }, rui);
    const byRecorder = await refund(cash.id, { reason: 'x' });
    const card = await pay('card');
    const unknown = await refund(card.id, { reason: 'y', method: 'card' }, harness.manager);
    clock.advance({ ms: 5 * 60_000 + 1 });
    const late = await refund(card.id, { reason: 'y' });
    const inCash = await refund(card.id, { reason: 'y', method: 'cash' }, harness.manager);
    const seenByGuest = (await guest('GET', `/bills/${bill}/payments/${card.id}`)).body;
    for (const status of ['preparing', 'ready', 'delivered', 'ready']) await setOrder(order.id, { status });
    const takenOff = await setOrder(order.id, { status: 'cancelled', reason: 'x' });
    const oneTakenOff = await cancelItem(order.id, food, 'x');
    const offered = (await harness.waiter('GET', `/orders/${order.id}`)).body.allowed_transitions;
    const byManager = await setOrder(order.id, { status: 'cancelled', reason: 'Cold' }, harness.manager);
    const closed = await harness.waiter('POST', `/bills/${bill}/close`, { body: {} });

    const refused = [byOther, unknown, late, takenOff, oneTakenOff].map(codeOf);
    expect(refused).toEqual([
      '403 forbidden',
      '400 validation_failed',
      '403 forbidden',
      '403 forbidden',
      '403 forbidden',
    ]);
    expect(unknown.body.errors).toMatchObject([{ pointer: '/method' }]);
    expect(offered).toEqual(['delivered', 'preparing']);
    expect(byRecorder.body).toMatchObject({
      status: 'refunded',
      refund: { method: 'cash', reason: 'x', by: { id: 900_002 } },
    });
    const by = { id: 900_001, role: 'manager' };
    expect(cash.refund).toBeNull();
    expect(inCash.body.refund).toEqual({ at: expect.any(String), method: 'cash', reason: 'y', by });
    expect(seenByGuest.refund).toEqual({ at: inCash.body.refund.at, method: 'cash', by });
    expect([byManager.status, closed.body]).toMatchObject([200, { status: 'closed', total: '0.00' }]);
    expect(await ofBill(bill)).toMatchObject([
      { kind: 'item_cancelled', amount: '10.00', by: marta, reason: 'Cold' },
      { kind: 'item_cancelled', amount: '62.00', by: marta, reason: 'Cold' },
      { kind: 'refunded', amount: '79.20', by: marta, reason: 'y' },
      { kind: 'refunded', amount: '79.20', by: wanda, reason: 'x' },
    ]);
  });

  test("can't be avoided by a waiter who cancels dishes that the previous release delivered", async () => {
    const { order, food } = await placed();
    for (const status of ['preparing', 'ready', 'delivered']) await setOrder(order.id, { status });
    const orders = harness.db.collection<{ _id: number }>('pedidos');
    // The previous release does not write this field.
    await orders.updateOne({ _id: order.id }, { $unset: { 'itens.$[].first_delivered_at': '' } } as never);

    const refused = await cancelItem(order.id, food);
    await setOrder(order.id, { status: 'ready' });

    expect([refused, await cancelItem(order.id, food)].map(codeOf)).toEqual(['403 forbidden', '403 forbidden']);
  });

  test("is always complete, because a cancellation fails if it can't be recorded", async () => {
    const { order, food, bill } = await placed();
    const numbers = harness.db.collection<{ _id: string; last_movement_id: number }>('restaurant');
    const { last_movement_id: last = 0 } = (await numbers.findOne({ _id: 'orders' })) ?? {};
    const taken = { _id: last + 1, at: new Date(0), kind: 'reopened', bill_id: 1, line_id: null, name: null };
    const rows = harness.db.collection<{ _id: number }>('exceptions');
    await rows.insertOne({
      ...taken,
      day: null,
      amount: mongoose.mongo.Decimal128.fromString('1.00'),
      by: null,
      reason: null,
    } as never);

    const refused = await cancelItem(order.id, food);
    const { body: kept } = await harness.waiter('GET', `/orders/${order.id}`);
    await rows.deleteOne({ _id: last + 1 });
    const accepted = await cancelItem(order.id, food);

    expect([codeOf(refused), kept.status, accepted.status]).toEqual(['503 service_unavailable', 'received', 200]);
    expect(await ofBill(bill)).toMatchObject([{ id: last + 1, line_id: food }]);
  });

  test('is returned in full pages, newest first', async () => {
    const person = { sub: 77, role: 'waiter', name: 'Rui' } as const;
    clock.advance({ minutes: 1 });
    const since = clock();
    for (let round = 0; round < 3; round++) {
      const { order } = await placed();
      await setOrder(order.id, { status: 'cancelled' }, harness.as(person));
      if (round < 2) await post(`/bills/${order.bill_id}/discounts`, { percent: '1.00', reason: 'Nice' });
      clock.advance({ minutes: 1 });
    }
    const at = new Date(since).toISOString();

    const rows: Json[] = [];
    for (let path: string | undefined = `/exceptions?by=77&since=${at}&limit=4`; path;) {
      const page = await harness.manager('GET', path);
      rows.push(...page.body);
      path = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1];
    }

    expect(rows.map(({ id }) => id)).toEqual([...new Set(rows.map(({ id }) => id))].toSorted((a, b) => b - a));
    expect(rows.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => 'item_cancelled'));
    expect(await list(`?kind=discount&since=${at}`)).toHaveLength(2);
    const later = new Date(clock()).toISOString();
    expect(await list(`?since=${later}`)).toEqual([]);
  });

  test("can't be fetched by waiters", async () => {
    expect((await harness.waiter('GET', '/exceptions')).status).toBe(403);
    for (const query of ['kind=eaten', 'by=x', 'since=yesterday', 'since=2026-02-30T10:00:00Z', 'day=1'])
      expect(codeOf(await harness.manager('GET', `/exceptions?${query}`))).toBe('400 validation_failed');
  });
});
