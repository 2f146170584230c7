import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { billFilter, type BillQuery } from '../src/bills/bill-filter.ts';
import { money } from '../src/document-fields.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-bills-of-a-year');
});
afterAll(() => harness.close());

const hour = 3600_000;

describe("a search among a year's bills", () => {
  const any: BillQuery = {
    scope: null,
    statuses: ['open', 'closed', 'merged'],
    tables: undefined,
    seating: undefined,
    number: undefined,
    day: undefined,
    since: undefined,
    until: undefined,
    payment: { amountMinor: undefined, method: undefined, recordedBy: undefined },
    below: undefined,
  };
  const limit = 20;
  beforeAll(async () => {
    await payBill();
    const [stored] = await harness.db.collection('bills').find().toArray();
    const rare = { amount: money(123_45), method: 'other', recorded_by: { id: 99, name: 'Rui', role: 'waiter' } };
    const bills = Array.from({ length: 3000 }, (_, at) => ({
      ...stored,
      _id: (10_000 + at) as never,
      number: 10_000 + at,
      created_at: new Date(Date.UTC(2026, 0, 1) + at * hour),
      payments: stored?.['payments'].map((payment: object) => ({
        ...payment,
        id: 10_000 + at,
        request_key: `found-${at}`,
        ...(at % 1000 === 0 && rare),
      })),
    }));
    await harness.db.collection('bills').insertMany(bills);
  });

  test.each<[string, Partial<BillQuery>, { from: number; to: number }]>([
    ['its number', { number: 10_007 }, { from: 0, to: Infinity }],
    ['a method', { payment: { ...any.payment, method: 'other' } }, { from: 0, to: Infinity }],
    ['a person', { payment: { ...any.payment, recordedBy: 99 } }, { from: 0, to: Infinity }],
    ['an amount', { payment: { ...any.payment, amountMinor: 123_45 } }, { from: 0, to: Infinity }],
    [
      'a day',
      { since: new Date(Date.UTC(2026, 1, 1)), until: new Date(Date.UTC(2026, 1, 2)) },
      { from: 10_644, to: 10_868 },
    ],
  ])('reads only a few of them if it has %s', async (_what, query, ids) => {
    const filter = billFilter({ ...any, ...query }, ids);

    const { executionStats } = await harness.db
      .collection('bills')
      .find(filter as object)
      .sort({ _id: -1 })
      .limit(limit)
      .explain('executionStats');

    expect(executionStats.nReturned).toBeGreaterThan(0);
    expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(300);
    expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(300);
  });
});

/** Creates a paid bill, from which the others are copied. */
async function payBill(): Promise<void> {
  const dish = await harness.createDish({ price: '50.00' });
  const body = { items: [{ item_id: dish, quantity: 1 }] };
  const { bill_id: id } = created(await harness.waiter('POST', '/orders', { body }));
  const paying = { method: 'card', part: { rest: true }, expected_amount: '50.00' };
  created(await harness.waiter('POST', `/bills/${id}/payments`, { body: paying }));
}
