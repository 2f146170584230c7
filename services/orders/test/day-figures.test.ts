import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { createTestClock } from '@comanda/testing/test-clock';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
const clock = createTestClock();
let evening: DayHarness;
beforeAll(async () => {
  evening = await startDayHarness('orders-day-figures', { clock });
});
afterAll(() => evening.stop());

const figures = async (): Promise<Json> => (await evening.manager('GET', '/day/figures')).body;
/** Starts a day without orders. */
const startDay = async (): Promise<Json> => (await evening.closeDay({ carry_over: 'all' })).body;
async function cookFor(minutes: number): Promise<void> {
  const { newBill, getBill, waiter } = evening;
  const [{ order_id: order }] = (await getBill(await newBill())).lines;
  clock.advance({ minutes });
  for (const status of ['preparing', 'ready']) await waiter('PUT', `/orders/${order}`, { body: { status } });
}

test('a closed day has its figures stored without a reader', async () => {
  await startDay();
  await cookFor(1);
  const { number } = await startDay();
  const stored = await evening.figuresStored(number);

  expect(stored).toMatchObject({ dishes: [{ quantity: 1 }], late: { items: 0, of: 1 } });
});

test('an item is late by the limit that held when it was ready', async () => {
  const { manager } = evening;
  await startDay();
  const path = '/stations/kitchen';
  const limits = (late: number) => ({ body: { bumps: 2, amber_minutes: 5, late_minutes: late, dishes: [] } });
  expect((await manager('PUT', path, limits(8))).status).toBe(200);
  await cookFor(9);
  clock.advance({ minutes: 1 });
  expect((await manager('PUT', path, limits(30))).status).toBe(200);
  await cookFor(9);

  expect((await figures()).late).toEqual({ items: 1, of: 2 });
});

test('dishes of the evening before are not ordered again when they move to another table', async () => {
  const { newBill, getBill, waiter } = evening;
  const bill = await newBill(3);
  const [{ order_id: order, id: item }] = (await getBill(bill)).lines;
  await startDay();
  const move = async (from: number, line: number, { quantity, table }: { quantity: number; table: string }) =>
    created(await waiter('POST', `/orders/${from}/move-items`, { body: { items: [{ id: line, quantity }], table } }));
  const moved = await move(order, item, { quantity: 2, table: '77' });
  const again = await move(moved.id, moved.items[0].id, { quantity: 1, table: '78' });

  expect(new Set([order, moved.id, again.id]).size).toBe(3);
  expect(await figures()).toMatchObject({ dishes: [], hours: [] });
});

test('the 20 dishes ordered most are listed', async () => {
  const { manager, post } = evening;
  await startDay();
  const items = [];
  for (let dish = 1; dish <= 21; dish++) {
    const { id } = created(await manager('POST', '/menu', { body: { name: `Dish ${dish}`, price: '1.00' } }));
    items.push({ item_id: id, quantity: dish });
  }
  await post('/orders', { items });
  const { dishes } = await figures();

  expect(dishes.map(({ quantity }: Json) => quantity)).toEqual(Array.from({ length: 20 }, (_, at) => 21 - at));
});

test('guests are those of bills with dishes', async () => {
  const { newBill, getBill, waiter } = evening;
  const [eating, gone] = [await newBill(), await newBill()];
  for (const id of [eating, gone]) await waiter('PUT', `/bills/${id}/covers`, { body: { covers: 3 } });
  expect((await figures()).guests).toBe(6);
  const [{ order_id: order, id: item }] = (await getBill(gone)).lines;
  await waiter('PUT', `/orders/${order}/items/${item}`, { body: { status: 'cancelled', reason: 'Left' } });

  expect((await figures()).guests).toBe(3);
});
