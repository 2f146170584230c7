import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let now: number;
let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  now = Date.parse('2026-11-20T22:00:00Z');
  harness = await startOrdersHarness('orders-business-day', { clock: () => now });
  dish = await harness.createDish();
});
afterAll(() => harness.close());

const counters = () => harness.db.collection('restaurant');
const orders = { _id: 'orders' as never };
/** Sets the counters to values that the previous release might have stored. */
beforeEach(() =>
  counters().updateOne(orders, { $set: { day: '2026-11-19', last_ticket: 57 }, $unset: { business_day: '' } }),
);

/** Places an order at this time in São Paulo, and returns its ticket number. */
async function ticketAt(moment: string): Promise<number> {
  now = Date.parse(`${moment}:00-03:00`);
  return created(await harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } })).ticket;
}
/** Takes a ticket number as the previous release does: its tickets start again at 1 when the date changes. */
async function lastReleaseAt(date: string): Promise<number> {
  await counters().updateOne({ ...orders, day: { $lt: date } }, { $set: { day: date, last_ticket: 0 } });
  const found = await counters().findOneAndUpdate(orders, { $inc: { last_ticket: 1 } }, { returnDocument: 'after' });
  return found?.['last_ticket'] as number;
}

test('ticket numbers continue past midnight and start again at 4 a.m.', async () => {
  expect(await ticketAt('2026-11-20T19:00')).toBe(1);
  expect(await ticketAt('2026-11-20T23:59')).toBe(2);
  expect(await ticketAt('2026-11-21T00:01')).toBe(3);
  expect(await ticketAt('2026-11-21T03:59')).toBe(4);
  expect(await ticketAt('2026-11-21T04:00')).toBe(1);
  expect(await ticketAt('2026-11-22T00:30')).toBe(2);
});

test('no ticket number repeats before 4 a.m. while the previous release runs alongside the new one', async () => {
  await counters().updateOne(orders, { $set: { day: '2026-11-20', last_ticket: 57 } });

  expect(await ticketAt('2026-11-20T20:00')).toBe(58);
  expect(await lastReleaseAt('2026-11-20')).toBe(59);
  expect(await lastReleaseAt('2026-11-21')).toBe(60);
  expect(await ticketAt('2026-11-21T00:30')).toBe(61);
  expect(await lastReleaseAt('2026-11-21')).toBe(62);
  expect(await ticketAt('2026-11-21T04:00')).toBe(1);
  expect(await lastReleaseAt('2026-11-21')).toBe(2);
});

test('ticket numbers continue until 4 a.m. even if the previous release restarted them at midnight', async () => {
  await counters().updateOne(orders, { $set: { day: '2026-11-21', last_ticket: 5 } });

  expect(await ticketAt('2026-11-21T00:30')).toBe(6);
  expect(await lastReleaseAt('2026-11-21')).toBe(7);
  expect(await ticketAt('2026-11-21T03:59')).toBe(8);
  expect(await ticketAt('2026-11-21T04:00')).toBe(1);
});

test("ticket numbers follow on from the previous release's numbers after that release ran alone for days", async () => {
  expect(await ticketAt('2026-11-20T20:00')).toBe(1);
  expect(await lastReleaseAt('2026-11-24')).toBe(1);
  expect(await ticketAt('2026-11-24T20:00')).toBe(2);
  expect(await ticketAt('2026-11-25T00:30')).toBe(3);
  expect(await ticketAt('2026-11-25T04:00')).toBe(1);
});

test("the restaurant's settings show when the business day starts", async () => {
  expect((await harness.manager('GET', '/restaurant')).body).toMatchObject({
    time_zone: 'America/Sao_Paulo',
    day_starts_at: '04:00',
  });
});
