import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { codeOf } from '@comanda/testing/call';
import { startFirstDay } from '../src/day/start-first-day.ts';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

let evening: DayHarness;
let connection: mongoose.Connection;
beforeAll(async () => {
  evening = await startDayHarness('orders-first-day');
  const { mongodbUri, database: dbName } = evening.servers;
  connection = await mongoose.createConnection(mongodbUri, { dbName }).asPromise();
});
afterAll(async () => {
  await connection.close();
  await evening.stop();
});

/** Removes what the last release does not write. */
async function forgetDays(): Promise<void> {
  const { db } = evening;
  await db.collection('movements').deleteMany({});
  await db.collection('bills').updateMany({}, { $unset: { day: '', closing: '' } });
  const names = ['number', 'opened_at', 'bill_number', 'order_id', 'marks'].map((name) => [`day_${name}`, '' as const]);
  await db.collection('restaurant').updateOne({ _id: 'orders' as never }, { $unset: Object.fromEntries(names) });
}

test('day 1 starts with what the last release has left, and counts nothing from before', async () => {
  const { newBill, pay, close, refund, closeDay, manager } = evening;
  const [open, closed, refunded] = [await newBill(), await newBill(), await newBill()];
  await pay(open, { method: 'card', part: { amount: '10.00' }, expected_amount: '10.00' });
  const [early, twice] = [await pay(closed, { method: 'card' }), await pay(refunded, { method: 'card' })];
  await close(closed);
  await close(refunded);
  await refund(refunded, twice.id);
  await forgetDays();
  const preparedAt = Date.now();
  for (let again = 0; again < 2; again++) await startFirstDay(connection);

  // Its sales are in no day, so opening it again would break the sums.
  const reopened = await manager('POST', `/bills/${closed}/reopen`, { body: { reason: 'Late' } });
  expect(codeOf(reopened)).toBe('409 bill_not_open');
  await refund(closed, early.id);
  await pay(open, { method: 'other' });
  const { number } = (await close(open)).body;
  const report = (await closeDay()).body;

  expect(report).toMatchObject({
    number: 1,
    previous_hash: '0'.repeat(64),
    bills: { count: 1, first_number: number, last_number: number },
    sales: { total: '33.00' },
    payments: [{ method: 'other', count: 1, amount: '23.00' }],
    refunds: [{ method: 'card', count: 1, amount: '33.00' }],
    refunded_after_closing: '33.00',
    unsettled: { before: '10.00', after: '0.00' },
  });
  expect(Date.parse(report.opened_at)).toBeGreaterThanOrEqual(preparedAt);
});
