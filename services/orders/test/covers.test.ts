import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-covers');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

let lastSeating = 0;
/** Places an order at a new seating. Returns it with its bill's id. */
async function placed() {
  const body = { items: [{ item_id: dish, quantity: 1 }], table: '7', seating: ++lastSeating };
  const order = created(await harness.waiter('POST', '/orders', { body }));
  return { order: order.id as number, bill: order.bill_id as number, seating: lastSeating };
}
const set = (bill: number, covers: unknown, call = harness.waiter) =>
  call('PUT', `/bills/${bill}/covers`, { body: { covers } });
const get = async (bill: number): Promise<Json> => (await harness.waiter('GET', `/bills/${bill}`)).body;
async function billWith(covers: number | null) {
  const { bill } = await placed();
  if (covers !== null) await set(bill, covers);
  return bill;
}

describe("a bill's number of guests", () => {
  test('is set, changed and removed by staff', async () => {
    const { bill } = await placed();
    const before = await get(bill);
    const responses = [await set(bill, 4), await set(bill, 4), await set(bill, null), await set(bill, 200)];

    expect(before.covers).toBeNull();
    expect(responses.map(({ status, body }) => [status, body.covers, body.version])).toEqual([
      [200, 4, 2],
      [200, 4, 2],
      [200, null, 3],
      [200, 200, 4],
    ]);
    expect(await get(bill)).toEqual(responses[3]?.body);
  });

  test('is published and listed in the history as a change of the table', async () => {
    const { bill } = await placed();
    await set(bill, 4);

    const [event]: Json[] = await harness.events.waitFor('bill.changed', bill);

    expect(event.data).toMatchObject({ bill: { covers: 4, version: 2 }, change: { kind: 'table' } });
    const { body: history } = await harness.waiter('GET', `/bills/${bill}/history`);
    expect(history).toMatchObject([{ what: 'ordered' }, { what: 'table', version: 2 }]);
  });

  test.each<[number | null, number | null, number | null]>([
    [null, null, null],
    [null, 3, 3],
    [2, null, 2],
    [2, 3, 5],
  ])('%s, merged into a bill with %s, becomes %s', async (own, other, both) => {
    const [from, into] = [await billWith(own), await billWith(other)];

    const merge = () => harness.waiter('POST', `/bills/${from}/merge`, { body: { into } });

    expect((await merge()).body.covers).toBe(both);
    expect((await merge()).body.covers).toBe(both);
  });

  test('follows the last order of a bill to another one', async () => {
    const [first, second] = [await placed(), await placed()];
    await set(first.bill, 2);
    await set(second.bill, 3);

    const body = { table: '8', seating: second.seating };
    await harness.waiter('PUT', `/orders/${first.order}/table`, { body });

    expect(await get(first.bill)).toMatchObject({ status: 'merged', merged_into: second.bill });
    expect(await get(second.bill)).toMatchObject({ covers: 5 });
  });

  test('is rejected by a closed bill, for an old version, for customers and out of range', async () => {
    const { bill } = await placed();
    const guest = harness.as({ sub: 5, role: 'customer', table: '7', seating: lastSeating });
    const early = [await set(bill, 2, guest), await set(bill, 0), await set(bill, 201), await set(999_999, 2)];
    const headers = { 'If-Match': `"${bill}-9-9"` };
    early.push(await harness.waiter('PUT', `/bills/${bill}/covers`, { body: { covers: 2 }, headers }));
    const { remaining } = await get(bill);
    const payment = { method: 'cash', part: { rest: true }, expected_amount: remaining };
    created(await harness.waiter('POST', `/bills/${bill}/payments`, { body: payment }));
    await harness.waiter('POST', `/bills/${bill}/close`, { body: {} });

    expect([...early, await set(bill, 2)].map(codeOf)).toEqual([
      '403 forbidden',
      '400 validation_failed',
      '400 validation_failed',
      '404 not_found',
      '412 version_mismatch',
      '409 bill_not_open',
    ]);
  });
});
