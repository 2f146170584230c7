import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { moveItem, moveOrder, moveTable, placeOrder, statusOf, type Model, type Status } from './support/model.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-model');
});
afterAll(() => harness.close());

/**
 * A random step. `order` and `item` are arbitrary numbers: their remainder, divided by the number of entries, selects an entry.
 */
type Step =
  | { kind: 'place order'; lines: { dish: number; quantity: number }[]; table: string }
  | { kind: 'update item'; order: number; item: number; to: Status }
  | { kind: 'update order'; order: number; to: Status }
  | { kind: 'move order'; order: number; table: string }
  | { kind: 'set availability'; dish: number; available: boolean; portions: number | null | undefined };

const dish = fc.nat({ max: 2 });
const anyNumber = fc.nat({ max: 1000 });
const status = fc.constantFrom<Status>('received', 'preparing', 'ready', 'delivered', 'cancelled');
const table = fc.constantFrom('1', '2', '3');
const kind = <K extends Step['kind']>(name: K) => fc.constant(name);
const lines = fc.array(fc.record({ dish, quantity: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 4 });
const portions = fc.constantFrom(undefined, null, 0, 2, 10);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: kind('place order'), lines, table }),
  { weight: 3, arbitrary: fc.record({ kind: kind('update item'), order: anyNumber, item: anyNumber, to: status }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('update order'), order: anyNumber, to: status }) },
  fc.record({ kind: kind('move order'), order: anyNumber, table }),
  fc.record({ kind: kind('set availability'), dish, available: fc.boolean(), portions }),
);

/** The model, and the service's ids of the same dishes, orders and items, in the model's order. */
type Run = { model: Model; dishes: number[]; orders: { id: number; items: number[] }[] };

async function startRun(): Promise<Run> {
  const portionsLeft = [null, 6, 3];
  const dishes = await Promise.all(portionsLeft.map((each) => harness.createDish({ portions_left: each })));
  return {
    model: { dishes: portionsLeft.map((each) => ({ available: true, portions: each })), orders: [] },
    dishes,
    orders: [],
  };
}

type Statuses = { service: number; model: number };

/** Runs a step in the service and in the model. Returns the status codes of both. */
async function execute(run: Run, step: Step): Promise<Statuses> {
  if (step.kind === 'place order') return executePlacement(run, step);
  if (step.kind === 'set availability') return executeAvailability(run, step);
  const { model, orders } = run;
  if (orders.length === 0) return { service: 0, model: 0 };
  const order = step.order % orders.length;
  const { id, items } = orders[order] as Run['orders'][number];
  const put = async (path: string, body: object) =>
    (await harness.waiter('PUT', `/orders/${id}${path}`, { body })).status;
  if (step.kind === 'move order') {
    moveTable(model, order, step.table);
    return { service: await put('/table', { table: step.table }), model: 200 };
  }
  if (step.kind === 'update order')
    return { service: await put('', { status: step.to }), model: moveOrder(model, order, step.to) };
  const item = step.item % items.length;
  const service = await put(`/items/${items[item]}`, { status: step.to });
  return { service, model: moveItem(model, { order, item }, step.to) };
}

async function executePlacement(run: Run, step: Step & { kind: 'place order' }): Promise<Statuses> {
  const items = step.lines.map((line) => ({ item_id: run.dishes[line.dish], quantity: line.quantity }));
  const response = await harness.waiter('POST', '/orders', { body: { items, table: step.table } });
  if (response.status === 201)
    run.orders.push({ id: response.body.id, items: response.body.items.map(({ id }: { id: number }) => id) });
  return { service: response.status, model: placeOrder(run.model, step.lines, step.table) };
}

async function executeAvailability(run: Run, step: Step & { kind: 'set availability' }): Promise<Statuses> {
  const { available, portions: left } = step;
  const body = { available, ...(left !== undefined && { portions_left: left }) };
  const response = await harness.waiter('PUT', `/menu/${run.dishes[step.dish]}/availability`, { body });
  Object.assign(run.model.dishes[step.dish] ?? {}, { available, ...(left !== undefined && { portions: left }) });
  return { service: response.status, model: 200 };
}

async function expectEqualState({ model, dishes, orders }: Run): Promise<void> {
  const menu = await Promise.all(dishes.map(async (id) => (await harness.waiter('GET', `/menu/${id}`)).body));
  expect(menu.map((item) => ({ available: item.available, portions: item.portions_left }))).toEqual(model.dishes);

  const stored = await Promise.all(orders.map(async ({ id }) => (await harness.waiter('GET', `/orders/${id}`)).body));
  const inService = stored.map((order) => ({
    status: order.status,
    table: order.table,
    version: order.version,
    items: order.items.map((item: { status: Status }) => item.status),
    total: order.total,
  }));
  const inModel = model.orders.map((order) => ({
    status: statusOf(order),
    table: order.table,
    version: order.version,
    items: order.items.map((item) => item.status),
    total: `${order.items.reduce((sum, item) => sum + (item.status === 'cancelled' ? 0 : 10 * item.quantity), 0)}.00`,
  }));
  expect(inService).toEqual(inModel);
}

test('the service behaves like its model after each random step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      const run = await startRun();
      for (const step of steps) {
        const statuses = await execute(run, step);
        expect({ step, status: statuses.service }).toEqual({ step, status: statuses.model });
      }
      await expectEqualState(run);
    }),
    { numRuns: budget(12, 60), endOnFailure: false },
  );
});
