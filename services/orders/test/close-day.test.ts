import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '@comanda/shared/crypto/canonical-digest';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { holdDocument } from '@comanda/testing/hold-document';
import { patient } from '@comanda/testing/patient';
import { createTestClock } from '@comanda/testing/test-clock';
import { until } from '@comanda/testing/until';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
const clock = createTestClock();
let evening: DayHarness;
beforeAll(async () => {
  evening = await startDayHarness('orders-close-day', { clock });
});
afterAll(() => evening.stop());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('an evening is closed with a report of everything in it', async () => {
  const { newBill, pay, close, refund, count, move, closeDay, day, manager, waiter } = evening;
  const { number, previous_hash } = await day();
  await manager('PUT', '/cash-drawers/bar', { body: {} });
  await move('bar', { kind: 'float', amount: '200.00' });
  const [first, second, third] = [await newBill(), await newBill(2), await newBill()];
  const cash = await pay(first, { tip: '2.00', cash_drawer: 'bar' });
  await pay(second, { method: 'card' });
  const [{ body: numbered }] = [await close(first), await close(second)];
  await refund(first, cash.id);
  await pay(third, { method: 'card', part: { amount: '10.00' }, expected_amount: '10.00' });
  await move('bar', { kind: 'pay_out', amount: '20.00' });

  const early = await closeDay();
  expect(early.body).toMatchObject({ code: 'day_not_closable', bill_count: 1, bills: [third], cash_drawers: ['bar'] });
  expect(await day()).toMatchObject({
    number,
    previous_hash,
    overdue: false,
    open_bills: [{ id: third, remaining: '23.00' }],
    open_bill_count: 1,
    cash_drawers: [
      { name: 'bar', moved: true },
      { name: 'main', moved: false },
    ],
  });
  const counted = await count('bar', '179.00', { left: '100.00' });

  const closed = await closeDay({ carry_over: [third, 999_999], note: 'A quiet evening' });
  expect(codeOf(closed)).toBe('201');
  expect(closed.headers.get('location')).toBe(`/days/${number}`);
  const report = closed.body;
  expect(report).toMatchObject({
    number,
    closed_by: { id: evening.marta.id, name: 'Marta' },
    note: 'A quiet evening',
    bills: { count: 2, first_number: numbered.number, last_number: numbered.number + 1 },
    sales: { items_total: '90.00', discount_total: '0.00', service_charge: '9.00', rounding: '0.00', total: '99.00' },
    payments: [
      { method: 'card', confirmed_by: null, count: 2, amount: '76.00', tips: '0.00' },
      { method: 'cash', confirmed_by: null, count: 1, amount: '33.00', tips: '2.00' },
    ],
    refunds: [{ method: 'cash', confirmed_by: null, count: 1, amount: '33.00', tips: '2.00' }],
    refunded_after_closing: '33.00',
    unsettled: { before: '0.00', after: '10.00' },
    exceptions: [{ kind: 'refunded', count: 1, amount: '33.00' }],
    carried_over: { count: 1, bills: [third] },
    cash_drawers: [
      {
        name: 'bar',
        opening: '0.00',
        sums: {
          difference: '-1.00',
          drop: '-79.00',
          float: '200.00',
          payment: '35.00',
          pay_out: '-20.00',
          refund: '-35.00',
        },
        left: '100.00',
        counts: [counted],
      },
    ],
    previous_hash,
  });
  const { hash, ...rest } = report;
  expect(hash).toBe(sha256(canonicalJson(rest)));

  const path = `/days/${number}`;
  const [read, again] = [await manager('GET', path), await manager('GET', path)];
  expect(read.text).toBe(again.text);
  expect(read.text).toBe(closed.text);
  expect((await manager('GET', `/days?date=${report.business_date}&limit=1`)).body).toEqual([report]);
  expect((await manager('GET', '/days?date=2001-01-01')).body).toEqual([]);
  expect(codeOf(await manager('GET', `/days/${number + 1}`))).toBe('404 not_found');
  expect((await waiter('GET', `/bills?day=${number}`)).body.map((bill: Json) => bill.id)).toEqual([second, first]);
  expect((await evening.getBill(first)).day).toBe(number);
  expect(await day()).toMatchObject({ number: number + 1, previous_hash: hash, opened_at: report.closed_at });
  const [event] = await evening.events.waitFor('day.closed', number);
  expect(event).toMatchObject({ audience: 'staff', data: { number, business_date: report.business_date, hash } });

  // The report has the bill's sums, so it stays closed.
  const reopened = await manager('POST', `/bills/${first}/reopen`, { body: { reason: 'Late' } });
  expect(codeOf(reopened)).toBe('409 bill_not_open');
  await pay(third, { method: 'card' });
  await close(third);
  const next = (await closeDay()).body;
  expect(next).toMatchObject({
    unsettled: { before: '10.00', after: '0.00' },
    cash_drawers: [],
    sales: { total: '33.00' },
  });
});

test('entries_hash seals the entries as managers read them', async () => {
  const { closeDay, newBill, pay, close, count, move, manager, getBill } = evening;
  const bill = await newBill();
  await pay(bill);
  await close(bill);
  await manager('POST', `/bills/${bill}/reopen`, { body: { reason: 'A dish was missing' } });
  expect((await getBill(bill)).day).toBeNull();
  await close(bill);
  await move('main', { kind: 'tip_out', amount: '1.00' });
  await count('main', '132.00');
  const report = (await closeDay({ carry_over: 'all' })).body;

  const ofDay = (rows: Json[]) => rows.filter((each) => each.day === report.number);
  const exceptions = ofDay((await manager('GET', '/exceptions?limit=200')).body);
  const counts = ofDay((await manager('GET', '/cash-drawers/main/counts')).body);
  const stored = await evening.db.collection('movements').find({ day: report.number }).toArray();
  const movements = stored.map((each) => ({
    id: Number(each['_id']),
    day: each['day'],
    at: each['at'].toISOString(),
    kind: each['kind'],
    method: each['method'],
    confirmed_by: null,
    cash_drawer: each['cash_drawer'],
    amount: String(each['amount']),
    tip: String(each['tip']),
    bill_id: each['bill_id'],
    payment_id: each['payment_id'],
    by: each['by'],
    reason: each['reason'],
    other: each['other'],
    reverses: each['reverses'],
  }));
  const entries = [...movements, ...counts, ...exceptions].toSorted((one, other) => Number(one.id) - Number(other.id));
  expect(exceptions.map((each: Json) => each.kind)).toEqual(['reopened']);
  expect(report.entries_hash).toBe(sha256(entries.map((each) => `${canonicalJson(each)}\n`).join('')));
});

describe('a closing', () => {
  test('is answered again for its key, with the same report', async () => {
    const { closeDay, manager, tokenFor, day } = evening;
    const { number, previous_hash } = await day();
    const body = { number, previous_hash, carry_over: 'all' };
    const key = randomUUID();
    const headers = { 'X-Step-Up-Token': await tokenFor(body), 'Idempotency-Key': key };
    const first = await manager('POST', '/day/close', { body, headers });
    const again = await manager('POST', '/day/close', { body, headers });
    const other = await manager('POST', '/day/close', { body: { ...body, note: 'x' }, headers });

    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(codeOf(other)).toBe('422 idempotency_key_reused');
    expect(codeOf(await closeDay({ number, previous_hash }))).toBe('409 day_changed');
  });

  test('that is repeated while it still runs closes one day, and returns the same report', async () => {
    const { manager, tokenFor, day } = evening;
    const { number, previous_hash } = await day();
    const body = { number, previous_hash, carry_over: 'all' };
    const headers = { 'X-Step-Up-Token': await tokenFor(body), 'idempotency-key': randomUUID() };
    const close = () => patient(manager)('POST', '/day/close', { body, headers });
    const closed = await Promise.all([close(), close(), close()]);

    expect(closed.map(codeOf)).toEqual(['201', '201', '201']);
    expect(new Set(closed.map(({ body: { hash } }) => hash)).size).toBe(1);
    expect(closed.filter((each) => each.headers.get('idempotent-replayed') === 'true')).toHaveLength(2);
    expect((await day()).number).toBe(number + 1);
  });

  test('of another day names the running one', async () => {
    const { closeDay, day } = evening;
    const { number, previous_hash } = await day();

    const wrong = await closeDay({ previous_hash: 'a'.repeat(64) });
    expect(wrong.body).toMatchObject({ status: 409, code: 'day_changed', number, previous_hash });
  });

  test('needs a PIN for exactly this day', async () => {
    const { closeDay, tokenFor, day, manager } = evening;
    const { number, previous_hash } = await day();
    const token = await tokenFor({ number: number + 1, previous_hash });
    const body = { number, previous_hash, carry_over: 'all' };

    expect(codeOf(await manager('POST', '/day/close', { body }))).toBe('401 step_up_required');
    expect(codeOf(await closeDay({ carry_over: 'all' }, { token }))).toBe('401 step_up_wrong_details');
    expect((await day()).number).toBe(number);
  });

  test('names up to 100 open bills, and the day lists up to 200', async () => {
    const { newBill, pay, close, closeDay, day, db } = evening;
    const id = await newBill();
    const { _id, outbox: _outbox, ...open } = (await db.collection('bills').findOne({ _id: id as never })) as Json;
    const copies = Array.from({ length: 200 }, (_, at) => ({ ...open, _id: 1_000_000 + at, orders_archived: true }));
    await db.collection('bills').insertMany(copies, { bypassDocumentValidation: true });
    const { body: rejected } = await closeDay({ carry_over: [id] });
    const running = await day();
    await db.collection('bills').deleteMany({ _id: { $gte: 1_000_000 as never } });

    expect(rejected).toMatchObject({ code: 'day_not_closable', bill_count: 200 });
    expect(rejected.bills).toEqual(copies.slice(0, 100).map(({ _id: each }) => each));
    expect(running.open_bill_count).toBe(201);
    expect(running.open_bills.map((bill: Json) => bill.id)).toEqual([
      id,
      ...copies.slice(0, 199).map(({ _id: each }) => each),
    ]);
    await pay(id, { method: 'card' });
    await close(id);
    await closeDay(); // The bill is in no other test's day.
  });

  test('that is rejected before its PIN is spent keeps the token for another body', async () => {
    const { newBill, pay, close, closeDay, tokenFor, day } = evening;
    const bill = await newBill();
    const token = await tokenFor(await day());

    expect(codeOf(await closeDay({}, { token }))).toBe('409 day_not_closable');
    expect(codeOf(await closeDay({ carry_over: 'all' }, { token }))).toBe('201');
    await pay(bill, { method: 'card' });
    await close(bill);
    await closeDay(); // The bill is in no other test's day.
  });

  test('is checked again in its transaction. If cash moved, the same request closes after a count', async () => {
    const { db, move, count, day, tokenFor, manager } = evening;
    await move('main', { kind: 'pay_in', amount: '1.00' });
    await count('main', '100.00');
    const { number, previous_hash } = await day();
    const body = { number, previous_hash, carry_over: 'all' };
    const headers = { 'X-Step-Up-Token': await tokenFor(body) };
    const close = () => manager('POST', '/day/close', { body, headers });
    /** Whether the closing has tried to take the counters. */
    const isWaiting = async (): Promise<boolean> => {
      const attempt = { 'command.findAndModify': 'restaurant', 'command.txnNumber': { $exists: true } };
      return (await db.collection('system.profile').findOne(attempt)) !== null;
    };
    const orders = { _id: 'orders' as never };
    const last = Number((await db.collection('restaurant').findOne(orders))?.['last_movement_id']);
    const paidIn: Json = await db.collection('movements').findOne({ kind: 'pay_in', cash_drawer: 'main' });

    const change = { $inc: { last_movement_id: 1 } };
    const held = await holdDocument(db, { collection: 'restaurant', filter: orders, change });
    await db.command({ profile: 2 });
    const early = close();
    try {
      await until(isWaiting, { what: 'the closing to wait', timeoutMs: 10_000 });
      const { request_key: _key, request_fingerprint: _print, ...copied } = paidIn;
      await db.collection('movements').insertOne({ ...copied, _id: (last + 1) as never, day: number });
    } finally {
      await held.commit();
      await db.command({ profile: 0 });
    }

    expect((await early).body).toMatchObject({ code: 'day_not_closable', cash_drawers: ['main'] });
    expect((await day()).number).toBe(number);
    await count('main', '101.00');
    expect(codeOf(await close())).toBe('201');
  });
});
