import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { roomsOfEvent } from '@comanda/contracts/audience';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { created, type Call } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let feijoada: number;
let beer: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-bills');
  feijoada = await harness.createDish({ price: '32.50' });
  beer = await harness.createDish({ price: '9.90' });
  const body = { service_charge: { rate: '10.00', optional: true }, waiter_discount_limit: '10.00' };
  await harness.manager('PUT', '/restaurant', { body });
});
afterAll(() => harness.close());

let lastSeating = 1000;
const guestOf = (seating: number, sub = seating): Call =>
  harness.as({ sub, role: 'customer', name: 'Ana', table: '12', seating });
const order = async (call: Call, quantities: Record<number, number>): Promise<Json> => {
  const items = Object.entries(quantities).map(([id, quantity]) => ({ item_id: Number(id), quantity }));
  return created(await call('POST', '/orders', { body: { items } }));
};
/** Creates a bill for 2 Feijoada and 3 beers: 94.70, plus 10% service charge. */
async function newBill() {
  const seating = ++lastSeating;
  const guest = guestOf(seating);
  const placed = await order(guest, { [feijoada]: 2, [beer]: 3 });
  const id: number = placed.bill_id;
  const [food, drinks] = placed.items.map((item: Json) => item.id) as [number, number];
  return { id, seating, guest, placed, food, drinks };
}
const get = async (id: number, call = harness.waiter): Promise<Json> => (await call('GET', `/bills/${id}`)).body;
const send = (what: string, body: object = {}, call = harness.waiter) => {
  const [method = '', path = ''] = what.split(' ');
  return call(method, `/bills/${path}`, { body });
};
const pay = (id: number, body: object) => send(`POST ${id}/payments`, { method: 'cash', ...body });
const codeOf = ({ status, body }: { status: number; body: Json }): string => `${status} ${body?.code ?? ''}`;

describe('a bill', () => {
  test('contains the orders of all guests at the table', async () => {
    const { id, seating, guest, placed } = await newBill();
    const more = await order(guestOf(seating, seating + 5000), { [beer]: 1 });

    const bill = await get(id, guest);

    expect(more.bill_id).toBe(id);
    expect(bill).toMatchObject({
      status: 'open',
      seating,
      table: '12',
      number: null,
      items_total: '104.60',
      service_charge: { rate: '10.00', included: true, amount: '10.46' },
      total: '115.06',
      remaining: '115.06',
      split: { mode: 'none', shares_of: null, shares_taken: 0 },
    });
    expect(bill.lines.map(({ id: line, quantity, amount }: Json) => [line, quantity, amount])).toEqual([
      ...placed.items.map((item: Json) => [item.id, item.quantity, item.quantity === 2 ? '65.00' : '29.70']),
      [more.items[0].id, 1, '9.90'],
    ]);
    expect(bill.lines[0].ordered_by).toEqual({ id: seating, name: 'Ana' });
  });

  test('contains only one order if that order has no seating', async () => {
    const ana = harness.as({ sub: 71, role: 'customer', name: 'Ana' });
    const [first, second] = [await order(ana, { [beer]: 1 }), await order(harness.waiter, { [beer]: 1 })];

    const stranger = await harness.as({ sub: 72, role: 'customer' })('GET', `/bills/${first.bill_id}`);
    const ofAna = await ana('GET', '/bills');

    expect(first.bill_id).not.toBe(second.bill_id);
    expect(codeOf(stranger)).toBe('404 not_found');
    expect(ofAna.body.map((bill: Json) => bill.id)).toEqual([first.bill_id]);
    expect((await get(second.bill_id)).lines[0].ordered_by.name).toBeNull();
  });

  test('changes only once when an item is cancelled', async () => {
    const { id, guest, placed, drinks, food } = await newBill();
    const before = await get(id);
    await harness.waiter('PUT', `/orders/${placed.id}/items/${drinks}`, { body: { status: 'cancelled' } });

    const after = await get(id, guest);

    expect(after.lines.map((line: Json) => line.id)).toEqual([food]);
    expect([before.total, after.total, after.version]).toEqual(['104.17', '71.50', before.version + 1]);
  });

  test('is published to staff, to its seating and to the users who ordered', async () => {
    const { id, seating, placed } = await newBill();
    await pay(id, { part: { rest: true }, expected_amount: '104.17', reference: 'drawer 2' });
    await until(() => harness.events.of('bill.changed', id).length === 1, { what: 'the event of the payment' });

    const [paid] = harness.events.of('bill.changed', id);
    const [ordered] = harness.events.of('order.created', placed.id);

    expect(ordered?.data).toMatchObject({ order: { bill_id: id } });
    expect(paid?.data).toMatchObject({
      bill: { version: 2, paid: '104.17', remaining: '0.00', payments: [{ reference: null }] },
      change: { kind: 'payment_recorded' },
      actor: { role: 'waiter' },
    });
    expect(paid?.audience).toBe(`staff seating:${seating} user:${seating}`);
  });

  test("isn't sent again to a client that already has the current version", async () => {
    const { id, placed } = await newBill();
    const { headers } = await harness.waiter('GET', `/bills/${id}`);
    const ifNoneMatch = { 'if-none-match': headers.get('etag') ?? '' };
    const same = await harness.waiter('GET', `/bills/${id}`, { headers: ifNoneMatch });
    await harness.waiter('PUT', `/orders/${placed.id}`, { body: { status: 'preparing' } });

    const changed = await harness.waiter('GET', `/bills/${id}`, { headers: ifNoneMatch });

    expect([same.status, changed.status]).toEqual([304, 200]);
  });
});

describe('changing a bill', () => {
  test('requires a manager for a discount above the limit for waiters', async () => {
    const { id, food } = await newBill();
    const within = await send(`POST ${id}/discounts`, { percent: '10', reason: 'Waited', label: 'Sorry' });
    const beyond = await send(`POST ${id}/discounts`, { amount: '0.02', reason: 'Waited', line_id: food });
    const comp = { percent: '100', reason: 'Burnt', line_id: food };
    const byManager = await send(`POST ${id}/discounts`, comp, harness.manager);
    const tooMuch = await send(`POST ${id}/discounts`, { amount: '30.00', reason: 'More' }, harness.manager);

    const taken = await harness.waiter('DELETE', `/bills/${id}/discounts/1`);

    expect(within.body).toMatchObject({ discount_total: '9.47', total: '93.75' });
    expect(codeOf(beyond)).toBe('403 forbidden');
    expect(byManager.body.lines[0].discount).toBe('65.00');
    expect([codeOf(tooMuch), tooMuch.body.at_most]).toEqual(['422 discount_too_large', '26.73']);
    expect(taken.body).toMatchObject({ discount_total: '65.00', total: '32.67' });
  });

  test("reduces a waiter's discount to the limit when items are cancelled", async () => {
    const { id, guest, food } = await newBill();
    const wine = await order(guest, { [feijoada]: 10 }); // 325.00
    await send(`POST ${id}/discounts`, { amount: '15.00', reason: 'Friend', line_id: food });
    await send(`POST ${id}/discounts`, { amount: '25.00', reason: 'Friend' });
    await send(`POST ${id}/discounts`, { amount: '10.00', reason: 'Cold' }, harness.manager);

    const cancelled = await harness.waiter('PUT', `/orders/${wine.id}`, { body: { status: 'cancelled' } });

    const bill = await get(id);
    expect(codeOf(cancelled)).toBe('200 ');
    expect(bill.discounts.map(({ amount }: Json) => amount)).toEqual(['9.47', '0.00', '10.00']); // 10% of 94.70
    expect(bill).toMatchObject({ discount_total: '19.47', total: '82.75' });
  });

  test("reduces a waiter's discount to the limit when a discounted dish moves to a smaller bill", async () => {
    const [big, small] = [await newBill(), ++lastSeating];
    const placed = await order(big.guest, { [beer]: 1 });
    const discount = { amount: '9.90', reason: 'Friend', line_id: placed.items[0].id };
    await send(`POST ${big.id}/discounts`, discount);

    const { body } = await harness.waiter('PUT', `/orders/${placed.id}/table`, {
      body: { table: '14', seating: small },
    });

    expect(await get(body.bill_id)).toMatchObject({ items_total: '9.90', discount_total: '0.99' });
  });

  test("doesn't restore a removed discount when the request for it is retried", async () => {
    const { id } = await newBill();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { amount: '5.00', reason: 'Waited' };
    const give = () => harness.waiter('POST', `/bills/${id}/discounts`, { headers, body });
    const given = await give();
    await harness.waiter('DELETE', `/bills/${id}/discounts/1`);

    const again = await give();

    expect([given.body.discount_total, codeOf(again)]).toEqual(['5.00', '201 ']);
    expect(again.body).toMatchObject({ discounts: [], discount_total: '0.00' });
    expect(codeOf(await harness.waiter('DELETE', `/bills/${id}/discounts/1`))).toBe('404 not_found');
  });

  test("rejects a discount that would make the guests' payments exceed the total", async () => {
    const { id } = await newBill();
    await pay(id, { part: { amount: '100.00' }, expected_amount: '100.00' });

    const response = await send(`POST ${id}/discounts`, { amount: '9.00', reason: 'Waited' });

    expect([codeOf(response), response.body.by]).toEqual(['409 bill_overpaid', '5.73']);
  });

  test('rejects even a one-cent discount once guests have paid in full', async () => {
    const cent = await harness.createDish({ price: '0.02' });
    const { id, guest, food, drinks } = await newBill();
    await pay(id, { part: { lines: [{ line_id: food }] }, expected_amount: '71.50' });
    await pay(id, { part: { lines: [{ line_id: drinks }] }, expected_amount: '32.67' });
    const discounted = await send(`POST ${id}/discounts`, { amount: '0.01', reason: 'Waited' });
    const sauce = await order(guest, { [cent]: 1 });
    await pay(id, { part: { amount: '0.02' }, expected_amount: '0.02' });

    const cancelled = await harness.waiter('PUT', `/orders/${sauce.id}`, { body: { status: 'cancelled' } });

    expect([discounted, cancelled].map((each) => [codeOf(each), each.body.by])).toEqual([
      ['409 bill_overpaid', '0.01'],
      ['409 bill_overpaid', '0.02'],
    ]);
  });

  test('lets guests decline the service charge until the first payment is made', async () => {
    const { id, guest } = await newBill();
    const declined = await send(`PUT ${id}/service-charge`, { included: false }, guest);
    await pay(id, { part: { amount: '10.00' }, expected_amount: '10.00' });

    const late = await send(`PUT ${id}/service-charge`, { included: true }, guest);

    expect(declined.body).toMatchObject({ total: '94.70', service_charge: { included: false, amount: '0.00' } });
    expect(codeOf(late)).toBe('409 bill_has_payments');
  });

  test('returns a 429 to guests after 20 changes of the service charge', async () => {
    const { id, guest } = await newBill();
    const set = (included: boolean, call = guest) => send(`PUT ${id}/service-charge`, { included }, call);
    const same = await set(true);
    for (let times = 0; times < 17; times++) await set(times % 2 === 1);
    await Promise.all(Array.from({ length: 20 }, (_, index) => set(index % 2 === 0)));
    for (let times = 0; times < 4; times++) await set(times % 2 === 0);
    const { body: before } = await harness.waiter('GET', `/bills/${id}/history`);
    const { included } = (await get(id)).service_charge;

    const responses = [await set(!included), await set(included), await set(!included, harness.waiter)];

    expect(same.body.version).toBe(1);
    expect(before.filter(({ what }: Json) => what === 'service_charge')).toHaveLength(20);
    expect(responses.map(codeOf)).toEqual(['429 rate_limited', '200 ', '200 ']);
  });

  test("is rejected if it merges the bill into itself or discounts a line that doesn't exist", async () => {
    const { id } = await newBill();

    const merged = await send(`POST ${id}/merge`, { into: id });
    const discounted = await send(`POST ${id}/discounts`, { percent: '5', reason: 'Cold', line_id: 1_000_000 });

    expect([merged, discounted].map(codeOf)).toEqual(['400 validation_failed', '422 unprocessable_content']);
    expect([merged, discounted].map(({ body }) => body.errors[0].pointer)).toEqual(['/into', '/line_id']);
    expect((await get(id)).version).toBe(1);
  });

  test('combines all lines and discounts when bills are merged', async () => {
    const [first, second] = [await newBill(), await newBill()];
    const cold = { amount: '5.00', reason: 'Cold', line_id: first.food };
    await send(`POST ${first.id}/discounts`, cold, harness.manager);
    await pay(second.id, { part: { amount: '20.00' }, expected_amount: '20.00' });
    const wrongWay = await send(`POST ${second.id}/merge`, { into: first.id });
    const merged = await send(`POST ${first.id}/merge`, { into: second.id });
    const again = await send(`POST ${first.id}/merge`, { into: second.id });

    const { body: moved } = await harness.waiter('GET', `/orders/${first.placed.id}`);

    expect(codeOf(wrongWay)).toBe('409 bill_has_payments');
    expect(merged.body).toMatchObject({ id: second.id, items_total: '189.40', discount_total: '5.00', paid: '20.00' });
    expect(again.body).toEqual(merged.body);
    expect(await get(first.id)).toMatchObject({ status: 'merged', merged_into: second.id, lines: [] });
    expect(moved).toMatchObject({ seating: second.seating, bill_id: second.id, table: '12' });
    expect((await get(second.id, second.guest)).lines).toHaveLength(4);
  });

  test('notifies the customer who placed an order when its bill is merged', async () => {
    const [ana, bob] = [501, 502].map((sub) => harness.as({ sub, role: 'customer', name: 'Ana' })) as [Call, Call];
    const [first, second] = [await order(ana, { [beer]: 1 }), await order(ana, { [beer]: 2 })];

    await send(`POST ${first.bill_id}/merge`, { into: second.bill_id });

    const [event] = (await harness.events.waitFor('bill.changed', first.bill_id)) as CloudEvent<'bill.changed'>[];
    expect(roomsOfEvent('bill.changed', event?.data)).toEqual(['staff', 'user:501']);
    expect(await get(first.bill_id, ana)).toMatchObject({ status: 'merged', merged_into: second.bill_id });
    expect((await get(first.bill_id, bob)).code).toBe('not_found');
  });

  test("moves an order's lines when the order moves to another seating", async () => {
    const [first, second] = [await newBill(), await newBill()];
    const body = { table: '14', seating: second.seating };
    await harness.waiter('PUT', `/orders/${first.placed.id}/table`, { body });

    const [from, to] = [await get(first.id), await get(second.id)];

    expect(from).toMatchObject({ status: 'merged', merged_into: second.id, lines: [] });
    expect([to.lines.length, to.total]).toEqual([4, '208.34']);
    expect((await order(first.guest, { [beer]: 1 })).bill_id).not.toBe(first.id);
  });

  test('adds each change to a history for staff', async () => {
    const { id, guest } = await newBill();
    await send(`POST ${id}/discounts`, { percent: '10', reason: 'Waited' });
    await pay(id, { part: { rest: true }, expected_amount: '93.75' });

    const { body } = await harness.waiter('GET', `/bills/${id}/history`);

    expect(
      body.map(({ what, actor, amount, reason, version }: Json) => [what, actor.name, amount, reason, version]),
    ).toEqual([
      ['ordered', 'Ana', undefined, undefined, 1],
      ['discount_given', 'Wanda', '9.47', 'Waited', 2],
      ['payment_recorded', 'Wanda', '93.75', undefined, 3],
    ]);
    expect(codeOf(await guest('GET', `/bills/${id}/history`))).toBe('403 forbidden');
  });
});
