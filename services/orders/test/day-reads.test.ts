import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- the profiler's rows
type Json = any;
let evening: DayHarness;
/** How many milliseconds the clock is behind on the instance that writes next. */
let behindMs = 0;
beforeAll(async () => {
  evening = await startDayHarness('orders-day-reads', { clock: () => Date.now() - behindMs });
});
afterAll(() => evening.stop());

/** Returns MongoDB's record of what was read from a collection in the meantime. */
async function readsOf(collection: string, during: () => Promise<unknown>): Promise<Json[]> {
  const { db } = evening;
  await db.command({ profile: 2 });
  await during();
  await db.command({ profile: 0 });
  const rows = await db
    .collection('system.profile')
    .find({ ns: `${db.databaseName}.${collection}` })
    .toArray();
  await db.collection('system.profile').drop();
  return rows;
}
const sum = (rows: Json[], name: string): number => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0);

test('figures read no order of another day, nor from the archives', async () => {
  const { newBill, db, manager } = evening;
  await newBill();
  const { _id, ...order } = (await db.collection('pedidos').findOne({})) as Json;
  const archived = Array.from({ length: 300 }, (_, at) => ({ ...order, _id: -1 - at, pedidoID: -1 - at }));
  await db.collection('pedidos_2025_01').insertMany(archived, { bypassDocumentValidation: true });

  const reads = await readsOf('pedidos_2025_01', () => manager('GET', '/day/figures'));
  expect(reads.length).toBeGreaterThan(0);
  expect(sum(reads, 'docsExamined')).toBe(0);
});

test('figures and reports read no bill of another day', async () => {
  const { newBill, pay, close, closeDay, db, manager } = evening;
  const id = await newBill();
  await pay(id, { method: 'card' });
  await close(id);
  const { number } = (await closeDay({ carry_over: 'all' })).body;
  await evening.figuresStored(number);
  const {
    _id,
    number: _number,
    payments: _payments,
    ...bill
  } = (await db.collection('bills').findOne({ _id: id as never })) as Json;
  const others = Array.from({ length: 400 }, (_, at) => ({
    ...bill,
    _id: 1_000_000 + at,
    number: 1_000_000 + at,
    day: 1_000_000,
    payments: [],
  }));
  await db.collection('bills').insertMany(others as never, { bypassDocumentValidation: true });

  const reads = await readsOf('bills', async () => {
    await manager('GET', '/day/figures');
    for (const name of ['waiters', 'bills', 'dishes'])
      expect((await manager('GET', `/reports/${name}?from=${number}&to=${number}`)).status).toBe(200);
  });
  await db.collection('bills').deleteMany({ _id: { $gte: 1_000_000 } } as never);
  expect(reads.length).toBeGreaterThan(4);
  expect(Math.max(...reads.map(({ docsExamined }) => docsExamined ?? 0))).toBeLessThan(100);
});

test('a closing reads no bill to add up the sales', async () => {
  const { newBill, pay, close, closeDay } = evening;
  for (let bill = 0; bill < 3; bill++) {
    const id = await newBill();
    await pay(id, { method: 'card' });
    await close(id);
  }

  const reads = await readsOf('bills', async () => {
    expect(codeOf(await closeDay({ carry_over: 'all' }))).toBe('201');
  });
  const sales = reads.filter(({ command }) => JSON.stringify(command.pipeline ?? '').includes('closing.total'));
  expect(sales).toMatchObject([{ keysExamined: expect.any(Number), docsExamined: 0 }]);
});

test('a bill without lines is searched for lines once', async () => {
  const { newBill, getBill, manager, day } = evening;
  const empty = await newBill();
  const [{ order_id: order, id: item }] = (await getBill(empty)).lines;
  await manager('PUT', `/orders/${order}/items/${item}`, { body: { status: 'cancelled' } });
  const before = await day();
  const added = await newBill();

  const searches = (await readsOf('pedidos', day)).filter(({ command }) => command.distinct === 'pedidos');
  expect(before.open_bills.map(({ id }: Json) => id)).not.toContain(empty);
  expect((await day()).open_bills.map(({ id }: Json) => id)).toContain(added);
  expect(searches.map(({ command }) => command.query.bill_id.$in)).toEqual([[added]]);
});

test('figures of a day that was never closed read its newest orders, bills and entries', async () => {
  const { newBill, pay, close, closeDay, db, manager, day } = evening;
  // Refunds of other tests would be among the newest entries.
  expect(codeOf(await closeDay({ carry_over: 'all' }))).toBe('201');
  const bill = await newBill();
  await manager('POST', `/bills/${bill}/discounts`, { body: { amount: '1.00', reason: 'Cold' } });
  await pay(bill, { method: 'card' });
  await close(bill);
  const { number } = await day();
  const copyOf = async (collection: string, filter: object, { many, without }: { many: number; without: string[] }) => {
    const { _id, ...first } = (await db.collection(collection).findOne(filter)) as Json;
    for (const name of without) delete first[name];
    const copies = Array.from({ length: many }, (_, at) => ({ ...first, day: number, _id: -1 - at }));
    await db.collection(collection).insertMany(copies as never, { bypassDocumentValidation: true });
  };
  await copyOf('movements', { kind: 'payment' }, { many: 20_300, without: ['payment_id', 'request_key'] });
  await copyOf('exceptions', {}, { many: 20_300, without: [] });
  await copyOf('bills', { status: 'closed' }, { many: 10_100, without: ['number', 'payments', 'request_key'] });
  const orders = { _id: 'orders' as never };
  await db.collection('restaurant').updateOne(orders, { $inc: { last_order_id: 20_000 } });
  const { last_order_id: last } = (await db.collection('restaurant').findOne(orders)) as Json;

  const figures: Json[] = [];
  const readsOfOrders: Json[] = [];
  let most = 0;
  for (const name of ['movements', 'exceptions', 'bills', 'pedidos']) {
    const reads = await readsOf(name, async () => {
      figures.push((await manager('GET', '/day/figures')).body);
      await day();
    });
    for (const { docsExamined = 0, nreturned = 0 } of reads) most = Math.max(most, docsExamined, nreturned);
    if (name === 'pedidos') readsOfOrders.push(...reads);
  }
  expect(figures[0].bills.closed).toBe(10_000);
  expect(figures[0].payments.reduce((all: number, row: Json) => all + row.count, 0)).toBe(20_000);
  expect(most).toBeLessThanOrEqual(20_000);
  expect(JSON.stringify(readsOfOrders)).toContain(`"$gt":${last - 10_000}`);

  for (const name of ['movements', 'exceptions', 'bills'])
    await db.collection(name).deleteMany({ _id: { $lt: 0 } } as never);
});

test('a file of bills has a refund of just now, even by an instance whose clock is behind', async () => {
  const { newBill, pay, close, closeDay, refund, manager } = evening;
  const paid: [bill: number, payment: number][] = [];
  for (let many = 0; many < 2; many++) {
    const bill = await newBill();
    paid.push([bill, (await pay(bill, { method: 'card' })).id]);
    await close(bill);
  }
  const { number } = (await closeDay({ carry_over: 'all' })).body;
  const refundsOf = async (): Promise<number> => {
    const path = `/reports/bills?from=${number}&to=${number}`;
    const { text } = await manager('GET', path, { headers: { Accept: 'text/csv' } });
    return text.split(',33.00,0.00,33.00\r\n').length - 1;
  };
  const refunds = [await refundsOf()];
  for (const [bill, payment] of paid) {
    await refund(bill, payment);
    refunds.push(await refundsOf());
    behindMs = 2_000;
  }
  behindMs = 0;

  expect(refunds).toEqual([0, 1, 2]);
});

test('a report that was read just now is found by the next call', async () => {
  const { closeDay, manager, figuresStored } = evening;
  const { number } = (await closeDay({ carry_over: 'all' })).body;
  await figuresStored(number);
  const path = `/reports/waiters?from=${number}&to=${number}`;
  const csv = { headers: { Accept: 'text/csv' } };

  const reads = await readsOf('movements', async () => {
    const [first, again] = [await manager('GET', path), await manager('GET', path)];
    expect(again.body).toEqual(first.body);
    const [file, same] = [await manager('GET', path, csv), await manager('GET', path, csv)];
    expect(same.text).toBe(file.text);
  });
  expect(reads.filter(({ command }) => command.find === 'movements')).toHaveLength(1);
});
