import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { createTestLogger } from '@comanda/testing/test-logger';
import { createAddUpBefore, type AddedUp } from '../src/day/add-up-before.ts';
import { createStores } from '../src/stores.ts';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

let evening: DayHarness;
let connection: mongoose.Connection;
let transactions: ReturnType<typeof createTransactions>;
beforeAll(async () => {
  evening = await startDayHarness('orders-add-up-before');
  const { mongodbUri, database: dbName } = evening.servers;
  connection = await mongoose.createConnection(mongodbUri, { dbName }).asPromise();
  transactions = createTransactions({ connection, isUp: () => true, logger: createTestLogger('orders') });
});
afterAll(async () => {
  await transactions.close();
  await connection.close();
  await evening.stop();
});

const restaurant = () => evening.db.collection<mongoose.mongo.Document & { _id: string }>('restaurant');
/** Pays a bill, and copies its movement of the payment `copies` times. */
async function addMovements(copies: number): Promise<void> {
  await evening.pay(await evening.newBill(), { method: 'card' });
  const movements = evening.db.collection('movements');
  const {
    _id,
    payment_id: _payment,
    ...paid
  } = (await movements.findOne({ kind: 'payment' })) as mongoose.mongo.Document;
  const counters = await restaurant().findOneAndUpdate({ _id: 'orders' }, { $inc: { last_movement_id: copies } });
  const last = Number(counters?.['last_movement_id']);
  const added = Array.from({ length: copies }, (_, at) => ({ ...paid, _id: last + 1 + at, payment_id: null }));
  await movements.insertMany(added as never, { bypassDocumentValidation: true });
}

test('a closing that had too little time continues where it stopped, with the same sums', async () => {
  await addMovements(450);
  const deps = {
    ...createStores(connection),
    transactions,
    restaurantClock: { timeZone: 'America/Sao_Paulo', dayStartsAt: '04:00' },
    clock: Date.now,
  };
  const nothingMissing = { run: () => Promise.reject(new Error('nothing is missing')) };
  const whole = await createAddUpBefore(deps)(nothingMissing);

  const inHaste = createAddUpBefore(deps, { limitMs: 0 });
  const codes: unknown[] = [];
  let added: AddedUp | null = null;
  while (!added && codes.length < 20)
    added = await inHaste(nothingMissing).catch(({ code }) => (codes.push(code), null));

  expect(new Set(codes)).toEqual(new Set(['service_unavailable']));
  expect(codes.length).toBeGreaterThanOrEqual(2);
  expect(added?.upTo).toBe(whole.upTo);
  expect(added?.entries.payments).toEqual(whole.entries.payments);
  expect(added?.entries.hash.digest('hex')).toBe(whole.entries.hash.digest('hex'));
});

test('what the last release has written is entered in parts of at most 100', async () => {
  const { newBill, pay, db, count } = evening;
  const bill = await newBill(9);
  await pay(bill, { method: 'card', part: { amount: '0.01' }, expected_amount: '0.01' });
  const stored = (await db.collection('bills').findOne({ _id: bill as never })) as mongoose.mongo.Document;
  const counters = await restaurant().findOneAndUpdate({ _id: 'orders' }, { $inc: { last_payment_id: 250 } });
  const last = Number(counters?.['last_payment_id']);
  const copies = Array.from({ length: 250 }, (_, at) => {
    const { request_key: _key, request_fingerprint: _print, ...payment } = stored['payments'][0];
    return { ...payment, id: last + 1 + at };
  });
  const added = { $push: { payments: { $each: copies } } };
  await db.collection('bills').updateOne({ _id: bill as never }, added as never, { bypassDocumentValidation: true });
  await count('main', '0.00');

  const entered = await db
    .collection('movements')
    .find({ payment_id: { $gt: last } })
    .sort({ _id: 1 })
    .toArray();
  const ids = entered.map(({ _id }) => Number(_id));
  const starts = ids.flatMap((id, at) => (ids[at - 1] === id - 1 ? [] : [at]));
  const lengths = starts.map((start, at) => (starts[at + 1] ?? ids.length) - start);
  expect(ids).toHaveLength(250);
  expect(lengths).toEqual([100, 100, 50]);
});
