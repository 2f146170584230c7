import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Call } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let feijoada: number;
let beer: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-pay-bill');
  feijoada = await harness.createDish({ price: '32.50' });
  beer = await harness.createDish({ price: '9.90' });
  const body = { service_charge: { rate: '10.00', optional: true } };
  await harness.manager('PUT', '/restaurant', { body });
});
afterAll(() => harness.close());

let lastSeating = 1000;
const order = async (call: Call, quantities: Record<number, number>): Promise<Json> => {
  const items = Object.entries(quantities).map(([id, quantity]) => ({ item_id: Number(id), quantity }));
  return created(await call('POST', '/orders', { body: { items } }));
};
/** Creates a bill for 2 Feijoada and 3 beers: 94.70, plus 10% service charge. */
async function newBill() {
  const seating = ++lastSeating;
  const guest = harness.as({ sub: seating, role: 'customer', name: 'Ana', table: '12', seating });
  const placed = await order(guest, { [feijoada]: 2, [beer]: 3 });
  const id: number = placed.bill_id;
  const [food, drinks] = placed.items.map((item: Json) => item.id) as [number, number];
  return { id, guest, placed, food, drinks };
}
const get = async (id: number): Promise<Json> => (await harness.waiter('GET', `/bills/${id}`)).body;
const send = (what: string, body: object = {}, call = harness.waiter) => {
  const [method = '', path = ''] = what.split(' ');
  return call(method, `/bills/${path}`, { body });
};
const pay = (id: number, body: object) => send(`POST ${id}/payments`, { method: 'cash', ...body });
const codeOf = ({ status, body }: { status: number; body: Json }): string => `${status} ${body?.code ?? ''}`;

describe('paying a bill', () => {
  test('in full allows staff to close it afterwards', async () => {
    const { id, guest, placed } = await newBill();
    const early = await send(`POST ${id}/close`);
    const paid = await pay(id, { part: { rest: true }, expected_amount: '104.17', tip: '5.83', received: '120.00' });
    const closed = await send(`POST ${id}/close`);
    const again = await send(`POST ${id}/close`);
    const next = await newBill();
    await pay(next.id, { part: { rest: true }, expected_amount: '104.17', method: 'card' });

    const { number } = (await send(`POST ${next.id}/close`)).body;

    expect([codeOf(early), early.body.remaining]).toEqual(['409 bill_unsettled', '104.17']);
    expect(paid.body).toMatchObject({
      amount: '104.17',
      tip: '5.83',
      total: '110.00',
      received: '120.00',
      change: '10.00',
    });
    expect(paid.headers.get('location')).toBe(`/bills/${id}/payments/${paid.body.id}`);
    expect(closed.body).toMatchObject({ status: 'closed', remaining: '0.00', paid: '104.17', tips: '5.83' });
    expect(again.body).toEqual(closed.body);
    expect(number).toBe(closed.body.number + 1);
    expect((await order(guest, { [beer]: 1 })).bill_id).not.toBe(id);
    expect(codeOf(await harness.waiter('PUT', `/orders/${placed.id}`, { body: { status: 'cancelled' } }))).toBe(
      '409 bill_not_open',
    );
  });

  test('by dishes includes the service charge for each dish', async () => {
    const { id, food, drinks, placed } = await newBill();
    const food1 = await pay(id, { part: { lines: [{ line_id: food, quantity: 1 }] }, expected_amount: '35.75' });
    const third = await pay(id, { part: { lines: [{ line_id: drinks, parts: 1, of: 3 }] }, expected_amount: '10.89' });
    const otherwise = await pay(id, { part: { lines: [{ line_id: drinks, quantity: 1 }] }, expected_amount: '10.89' });
    const cancel = await harness.waiter('PUT', `/orders/${placed.id}/items/${food}`, { body: { status: 'cancelled' } });

    const bill = await get(id);

    expect([food1.status, third.status]).toEqual([201, 201]);
    expect([codeOf(otherwise), otherwise.body.line_id]).toEqual(['409 bill_split_conflict', drinks]);
    expect([codeOf(cancel), cancel.body.payment_ids]).toEqual(['409 bill_item_settled', [food1.body.id]]);
    expect(bill.lines.map((line: Json) => line.settled)).toEqual([
      { count: 1, of: 2 },
      { count: 1, of: 3 },
    ]);
    expect((await pay(id, { part: { rest: true }, expected_amount: bill.remaining })).status).toBe(201);
  });

  test('is rejected with the new price if the price has changed', async () => {
    const { id, guest } = await newBill();
    await order(guest, { [beer]: 1 });

    const response = await pay(id, { part: { rest: true }, expected_amount: '104.17' });

    expect(codeOf(response)).toBe('409 bill_changed');
    expect(response.body).toMatchObject({ amount: '115.06', remaining: '115.06', version: 2 });
    expect((await get(id)).payments).toEqual([]);
  });

  test.each([
    ['more than the remaining amount', { part: { amount: '104.18' } }, '422 amount_exceeds_remaining'],
    ['too little cash', { received: '100.00' }, '422 amount_too_small'],
    ['two ways to divide', { part: { rest: true, amount: '1.00' } }, '400 validation_failed'],
    ['zero shares', { part: { shares: 1 } }, '400 validation_failed'],
    ["another bill's line", { part: { lines: [{ line_id: 1_000_000 }] } }, '409 bill_split_conflict'],
    ['the same line twice', { part: { lines: [{ line_id: 1 }, { line_id: 1 }] } }, '400 validation_failed'],
    [
      'both units and shares of a line',
      { part: { lines: [{ line_id: 1, quantity: 1, parts: 1, of: 2 }] } },
      '400 validation_failed',
    ],
    ['change for a card', { method: 'card', received: '200.00' }, '400 validation_failed'],
    ['an account', { method: 'account' }, '403 forbidden'],
  ])('is rejected with %s', async (_what, wrong, code) => {
    const { id } = await newBill();

    const response = await pay(id, { part: { rest: true }, expected_amount: '104.17', ...wrong });

    expect(codeOf(response)).toBe(code);
    expect((await get(id)).version).toBe(1);
  });

  test('twice with the same idempotency key records a single payment', async () => {
    const { id } = await newBill();
    const headers = { 'idempotency-key': `pay-${id}` };
    const body = { method: 'cash', part: { amount: '50.00' }, expected_amount: '50.00' };
    const path = `/bills/${id}/payments`;
    const [first, second] = await Promise.all([1, 2].map(() => harness.waiter('POST', path, { body, headers })));
    const third = await harness.waiter('POST', path, { body, headers });
    const other = await harness.waiter('POST', path, { body: { ...body, tip: '1.00' }, headers });

    expect([second?.body, third.body]).toEqual([first?.body, first?.body]);
    expect(third.headers.get('idempotent-replayed')).toBe('true');
    expect(codeOf(other)).toBe('422 idempotency_key_reused');
    expect((await get(id)).paid).toBe('50.00');
  });

  test('can be undone by a refund', async () => {
    const { id } = await newBill();
    const all = { part: { rest: true }, expected_amount: '104.17', tip: '5.00' };
    const { body: payment } = await pay(id, all);
    const refund = (call: Call, paymentId = payment.id) =>
      send(`POST ${id}/payments/${paymentId}/refund`, { reason: 'Charged twice' }, call);
    const refunded = await refund(harness.waiter);
    const twice = await refund(harness.waiter);
    const open = await get(id);
    const { body: second } = await pay(id, all);
    const { body: kept } = await send(`POST ${id}/close`);
    const byWaiter = await refund(harness.waiter, second.id);
    await refund(harness.manager, second.id);
    const closed = await get(id);
    await send(`POST ${id}/reopen`, { reason: 'Pays again' }, harness.manager);

    const reopened = await get(id);

    expect([refunded.body.status, codeOf(twice)]).toEqual(['refunded', '409 payment_not_payable']);
    expect(open).toMatchObject({ paid: '0.00', remaining: '104.17', tips: '0.00', refunded: '0.00' });
    expect(kept).toMatchObject({ paid: '104.17', tips: '5.00', refunded: '0.00' });
    expect(codeOf(byWaiter)).toBe('403 forbidden');
    expect(closed).toMatchObject({
      status: 'closed',
      total: '104.17',
      paid: '104.17',
      remaining: '0.00',
      tips: '0.00',
      refunded: '104.17',
    });
    expect(reopened).toMatchObject({ status: 'open', number: closed.number, paid: '0.00', remaining: '104.17' });
  });
});
