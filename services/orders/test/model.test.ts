import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';
import { moveItem, moveOrder, moveTable, placeOrder, statusOf } from './support/model.ts';
import type { Model, Status } from './support/model.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-model');
});
afterAll(() => harness.close());

type Step =
  | { do: 'place'; lines: { dish: number; quantity: number }[]; table: string }
  | { do: 'bump item'; order: number; item: number; to: Status }
  | { do: 'bump order'; order: number; to: Status }
  | { do: '86'; dish: number; available: boolean; portions: number | null | undefined }
  | { do: 'move'; order: number; table: string };

const dish = fc.nat({ max: 2 });
const pick = fc.nat({ max: 1000 });
const status = fc.constantFrom<Status>('received', 'preparing', 'ready', 'delivered', 'cancelled');
const table = fc.constantFrom('1', '2', '3');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('place' as const),
    lines: fc.array(fc.record({ dish, quantity: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 4 }),
    table,
  }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('bump item' as const), order: pick, item: pick, to: status }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bump order' as const), order: pick, to: status }) },
  fc.record({
    do: fc.constant('86' as const),
    dish,
    available: fc.boolean(),
    portions: fc.constantFrom(undefined, null, 0, 2, 10),
  }),
  fc.record({ do: fc.constant('move' as const), order: pick, table }),
);

/** The service beside the model: what stands at an index of the one has an id in the other. */
type Twin = { model: Model; dishes: number[]; orders: { id: number; items: number[] }[] };

async function newTwin(): Promise<Twin> {
  const portions = [null, 6, 3];
  const dishes = await Promise.all(portions.map((each) => harness.createDish({ portions_left: each })));
  return {
    model: { dishes: portions.map((each) => ({ available: true, portions: each })), orders: [] },
    dishes,
    orders: [],
  };
}

/** The statuses that the service and the model answer. */
async function take(twin: Twin, one: Step): Promise<[number, number]> {
  const { model, dishes, orders } = twin;
  if (one.do === 'place') {
    const items = one.lines.map((line) => ({ item_id: dishes[line.dish], quantity: line.quantity }));
    const { status: heard, body } = await harness.waiter('POST', '/orders', { body: { items, table: one.table } });
    if (heard === 201) orders.push({ id: body.id, items: body.items.map(({ id }: { id: number }) => id) });
    return [heard, placeOrder(model, one.lines, one.table)];
  }
  if (one.do === '86') {
    const limited = one.portions === undefined ? {} : { portions_left: one.portions };
    const body = { available: one.available, ...limited };
    const { status: heard } = await harness.waiter('PUT', `/menu/${dishes[one.dish]}/availability`, { body });
    Object.assign(model.dishes[one.dish] ?? {}, {
      available: one.available,
      ...(one.portions !== undefined && { portions: one.portions }),
    });
    return [heard, 200];
  }
  if (orders.length === 0) return [0, 0];
  const index = one.order % orders.length;
  const { id, items } = orders[index] as Twin['orders'][number];
  if (one.do === 'move') {
    moveTable(model, index, one.table);
    return [(await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: one.table } })).status, 200];
  }
  const body = { status: one.to };
  if (one.do === 'bump order')
    return [(await harness.waiter('PUT', `/orders/${id}`, { body })).status, moveOrder(model, index, one.to)];
  const item = one.item % items.length;
  const { status: heard } = await harness.waiter('PUT', `/orders/${id}/items/${items[item]}`, { body });
  return [heard, moveItem(model, { order: index, item }, one.to)];
}

async function compare({ model, dishes, orders }: Twin): Promise<void> {
  const menu = await Promise.all(dishes.map(async (id) => (await harness.waiter('GET', `/menu/${id}`)).body));
  expect(menu.map(({ available, portions_left: portions }) => ({ available, portions }))).toEqual(model.dishes);
  const stored = await Promise.all(orders.map(async ({ id }) => (await harness.waiter('GET', `/orders/${id}`)).body));
  const seen = stored.map((order) => ({
    status: order.status,
    table: order.table,
    version: order.version,
    items: order.items.map((item: { status: Status }) => item.status),
    total: order.total,
  }));
  const expected = model.orders.map((order) => ({
    status: statusOf(order),
    table: order.table,
    version: order.version,
    items: order.items.map((item) => item.status),
    total: `${order.items.reduce((sum, item) => sum + (item.status === 'cancelled' ? 0 : 10 * item.quantity), 0)}.00`,
  }));
  expect(seen).toEqual(expected);
}

test('when anything is done in any sequence, then the service does what the model does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const twin = await newTwin();
      for (const one of steps) {
        const [heard, expected] = await take(twin, one);
        expect({ one, heard }).toEqual({ one, heard: expected });
      }
      await compare(twin);
    }),
    { numRuns: 60, endOnFailure: false },
  );
}, 120_000);
