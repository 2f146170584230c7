import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { movingItems } from './support/moving-items.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let calls: Awaited<ReturnType<typeof movingItems>>;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-move-items-rejected');
  calls = await movingItems(harness);
});
afterAll(() => harness.close());

type Calls = typeof calls;
const placed: Calls['placed'] = () => calls.placed();
const move: Calls['move'] = (...call) => calls.move(...call);
const get: Calls['get'] = (...call) => calls.get(...call);
const cancel: Calls['cancel'] = (...call) => calls.cancel(...call);
const pay: Calls['pay'] = (...call) => calls.pay(...call);

describe('a move is rejected', () => {
  test('for an old version, and for items that cannot move', async () => {
    const { id, beers, food, guest } = await placed();
    const other = await placed();
    await cancel(id, food);
    const items = [{ id: other.beers }, { id: food }, { id: beers, quantity: 4 }];
    const wrong = await move(id, { items });

    const responses = [
      wrong,
      await move(id, { items: [{ id: beers, quantity: 4 }] }, { 'If-Match': `"${id}-1"` }),
      await move(999_999, { items: [{ id: beers }] }),
      await move(id, { items: [{ id: beers }, { id: beers, quantity: 1 }] }),
      await move(id, { items: [] }),
      await move(id, { items: Array.from({ length: 51 }, (_, index) => ({ id: index + 1 })) }),
      await guest('POST', `/orders/${id}/move-items`, { body: { items: [{ id: beers }], table: '9' } }),
    ];

    expect(responses.map(codeOf)).toEqual([
      '422 unprocessable_content',
      '412 version_mismatch',
      '404 not_found',
      '400 validation_failed',
      '400 validation_failed',
      '400 validation_failed',
      '403 forbidden',
    ]);
    const pointers = wrong.body.errors.map(({ pointer }: Json) => pointer);
    expect(pointers).toEqual(['/items/0/id', '/items/1/id', '/items/2/quantity']);
  });

  test('to a seating that was closed', async () => {
    const { id, beers } = await placed();
    const closed = await placed();
    await harness.waiter('POST', '/internal/ended-seatings', { body: { seating: closed.seating, table: '7' } });

    const send = (quantity: number) => move(id, { items: [{ id: beers, quantity }], seating: closed.seating });

    expect([await send(4), await send(1)].map(codeOf)).toEqual(['422 unprocessable_content', '409 seating_closed']);
  });

  test('if the line is paid, the bill would be overpaid, or the bill is closed', async () => {
    const { id, bill, beers, food } = await placed();
    const byLine = await pay(bill, { lines: [{ line_id: beers, quantity: 1 }] }, '10.00');
    const paid = await move(id, { items: [{ id: beers, quantity: 1 }] });
    const unpaid = await move(id, { items: [{ id: food }] });
    const other = await placed();
    await pay(other.bill, { amount: '35.00' }, '35.00');
    const overpaid = await move(other.id, { items: [{ id: other.food }] });
    await pay(other.bill, { rest: true }, '25.00');
    await harness.waiter('POST', `/bills/${other.bill}/close`, { body: {} });
    const closed = await move(other.id, { items: [{ id: other.beers, quantity: 1 }] });

    expect([paid, unpaid, overpaid, closed].map(codeOf)).toEqual([
      '409 bill_item_settled',
      '201',
      '409 bill_overpaid',
      '409 bill_not_open',
    ]);
    expect(paid.body).toMatchObject({ line_id: beers, payment_ids: [byLine.id] });
  });

  test('or the payment is, if both happen at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, bill, beers } = await placed();
      const part = { lines: [{ line_id: beers, quantity: 3 }] };
      const body = { method: 'cash', part, expected_amount: '30.00' };

      const [payment, moved] = await Promise.all([
        harness.waiter('POST', `/bills/${bill}/payments`, { body }),
        move(id, { items: [{ id: beers, quantity: 2 }] }),
      ]);

      expect([payment, moved].filter(({ status }) => status === 201)).toHaveLength(1);
      expect((await get(`/bills/${bill}`)).items_total).toBe(moved.status === 201 ? '40.00' : '60.00');
    }
  });
});
