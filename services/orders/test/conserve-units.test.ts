import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { movingItems } from './support/moving-items.ts';

// units-and-money.test.ts tries 10,000 sequences in memory. This test shows that the service stores what it decides.

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let calls: Awaited<ReturnType<typeof movingItems>>;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-conserve-units');
  calls = await movingItems(harness);
});
afterAll(() => harness.close());

type Step = { kind: 'cancel' | 'move' | 'pay' | 'remake' | 'advance'; at: number; quantity: number; to: number };
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('cancel', 'cancel', 'move', 'move', 'move', 'pay', 'remake', 'advance'),
  at: fc.nat({ max: 40 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  to: fc.nat({ max: 2 }),
});
type Run = { seatings: number[]; orderIds: Set<number> };

const ordersOf = ({ orderIds }: Run): Promise<Json[]> =>
  Promise.all([...orderIds].map((id) => calls.get(`/orders/${id}`)));
const unitsOf = (orders: Json[]): number =>
  orders
    .flatMap(({ items }) => items)
    .reduce((units: number, item: Json) => units + (item.remake ? 0 : item.quantity), 0);

/** Runs a step. Whether the service accepts it doesn't matter: in both cases, nothing may get lost. */
async function execute(run: Run, { kind, at, quantity, to }: Step): Promise<void> {
  const items = (await ordersOf(run)).flatMap((order) => order.items.map((item: Json) => ({ order, item })));
  const { order, item } = items[at % items.length];
  const { id } = order;
  if (kind === 'cancel') await calls.cancel(id, item.id, quantity < 3 ? { quantity_left: quantity } : {});
  if (kind === 'advance')
    await harness.waiter('PUT', `/orders/${id}/items/${item.id}`, { body: { status: 'preparing' } });
  if (kind === 'pay') {
    const lines = [{ line_id: item.id, quantity: 1 }];
    const body = { method: 'cash', part: { lines }, expected_amount: item.unit_price };
    await harness.waiter('POST', `/bills/${order.bill_id ?? 1}/payments`, { body });
  }
  const created =
    kind === 'move'
      ? await calls.move(id, { items: [{ id: item.id, quantity }], seating: run.seatings[to] })
      : kind === 'remake' &&
        (await harness.waiter('POST', `/orders/${id}/items/${item.id}/remake`, { body: { reason: 'Burnt' } }));
  if (created && created.status === 201) run.orderIds.add(created.body.id);
}

async function check(run: Run, { units, portions }: { units: number; portions: number }): Promise<void> {
  const orders = await ordersOf(run);
  expect(unitsOf(orders)).toBe(units);
  const charged = orders.flatMap(({ bill_id: bill, items }) =>
    items.flatMap((item: Json) =>
      item.status === 'cancelled' || bill === null ? [] : [[bill, item.id, item.quantity]],
    ),
  );
  const billIds = [...new Set(orders.flatMap(({ bill_id: bill }) => bill ?? []))];
  const bills: Json[] = await Promise.all(billIds.map((bill) => calls.get(`/bills/${bill}`)));
  const lines = bills.flatMap(({ id, lines: all }) => all.map((line: Json) => [id, line.id, line.quantity]));
  expect(new Set(lines.map(String))).toEqual(new Set(charged.map(String)));
  expect(lines).toHaveLength(charged.length);
  expect(bills.filter(({ remaining }) => remaining.startsWith('-'))).toEqual([]);
  const stored: Json[] = await harness.db
    .collection<{ _id: number }>('pedidos')
    .find({ _id: { $in: [...run.orderIds] } })
    .toArray();
  const held = stored
    .flatMap(({ itens }) => itens)
    .filter((item: Json) => item.holds_portions && item.itemID === calls.beer)
    .reduce((sum: number, item: Json) => sum + item.quantidade, 0);
  expect((await calls.get(`/menu/${calls.beer}`)).portions_left + held).toBe(portions);
}

test('stored orders and bills lose no unit, line or portion in random sequences', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      const { portions_left: portions } = await calls.get(`/menu/${calls.beer}`);
      const placed = [await calls.placed(), await calls.placed(), await calls.placed()];
      const run = { seatings: placed.map(({ seating }) => seating), orderIds: new Set(placed.map(({ id }) => id)) };
      for (const each of steps) await execute(run, each);
      await check(run, { units: 12, portions });
    }),
    { numRuns: budget(6, 40), endOnFailure: true },
  );
});
