import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { codeOf, type Called } from '@comanda/testing/call';
import { createTestClock } from '@comanda/testing/test-clock';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let evening: DayHarness;
const clock = createTestClock();
beforeAll(async () => {
  evening = await startDayHarness('orders-day-races', { clock });
  await evening.count('main', '0.00');
});
afterAll(() => evening.stop());

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const sum = (rows: Json[], of = (row: Json): string => row.amount): number =>
  rows.reduce((all, row) => all + cents(of(row)), 0);
/** Returns the two sides of what always holds. */
const sidesOf = (report: Json): [number, number] => [
  sum(report.payments) - sum(report.refunds),
  cents(report.sales.total) -
    cents(report.refunded_after_closing) +
    cents(report.unsettled.after) -
    cents(report.unsettled.before),
];

test('each of 50 payments while a day closes is in exactly one day', async () => {
  const { newBill, pay, close, closeDay, day, db } = evening;
  const bills = [];
  for (let index = 0; index < 50; index++) bills.push(await newBill());
  const { number } = await day();
  const closings: Called[] = [];
  const payers = bills.map(async (id, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 10));
    await pay(id, { method: 'card' });
    if (index % 2 === 0) await close(id);
  });
  for (let again = 0; again < 3; again++) closings.push(await closeDay({ carry_over: 'all' }));
  await Promise.all(payers);
  closings.push(await closeDay({ carry_over: 'all' }));

  expect(closings.map(codeOf)).toEqual(Array(4).fill('201'));
  const reports = closings.map(({ body }) => body);
  for (const report of reports) expect(sidesOf(report)[0]).toBe(sidesOf(report)[1]);
  const paid = reports.flatMap(({ payments }) => payments).reduce((all, row) => all + row.count, 0);
  expect(paid).toBe(50);
  const stored = await db
    .collection('movements')
    .find({ day: { $gte: number } })
    .toArray();
  expect(new Set(stored.map((each) => each['payment_id'])).size).toBe(50);
  expect(reports.reduce((all, report) => all + report.bills.count, 0)).toBe(25);
});

test('each movement by hand while a day is counted and closed is in one day, and its cash drawer adds up', async () => {
  const { manager, move, count, closeDay, day, db } = evening;
  await manager('PUT', '/cash-drawers/bar', { body: {} });
  const { number } = await day();
  const movers = Array.from({ length: 40 }, async (_, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * 15));
    await move('bar', { kind: 'pay_in', amount: '1.00' });
  });
  const reports: Json[] = [];
  /** Counts and closes. If cash moved between the two, the day stays open. */
  const tryToClose = async (): Promise<void> => {
    await count('bar', '20.00', { left: '5.00' });
    const closed = await closeDay({ carry_over: 'all' });
    expect(['201', '409 day_not_closable']).toContain(codeOf(closed));
    if (closed.status === 201) reports.push(closed.body);
  };
  for (let again = 0; again < 6; again++) await tryToClose();
  await Promise.all(movers);
  await tryToClose();

  const rows = reports.flatMap(({ cash_drawers: drawers }) => drawers).filter(({ name }) => name === 'bar');
  for (const { opening, sums, left } of rows)
    expect(sum(Object.values(sums), (amount) => amount as never) + cents(opening)).toBe(cents(left));
  expect(rows.reduce((all, { sums }) => all + cents(sums.pay_in ?? '0.00'), 0)).toBe(4000);
  const stored = await db
    .collection('movements')
    .find({ kind: 'pay_in', cash_drawer: 'bar', day: { $gte: number } })
    .toArray();
  expect(stored).toHaveLength(40);
});

test('two closings of the same day close it once', async () => {
  const { day, closeDay } = evening;
  const { number } = await day();
  const both = await Promise.all([closeDay({ carry_over: 'all', number }), closeDay({ carry_over: 'all', number })]);

  expect(both.map(codeOf).toSorted()).toEqual(['201', '409 day_changed']);
});

describe('an instance of the last release', () => {
  /** Removes from a bill what the last release does not write. */
  const forget = async (filter: object, { movements }: { movements: object }): Promise<void> => {
    await evening.db.collection('movements').deleteMany(movements);
    await evening.db.collection('bills').updateMany(filter, {
      $unset: { day: '', closing: '', 'payments.$[].cash_drawer': '', 'payments.$[].refund': '' },
    });
  };

  test('loses no movement and no bill: counting and closing enter what it left out', async () => {
    const { newBill, pay, close, refund, count, closeDay, db } = evening;
    const [first, second] = [await newBill(), await newBill(2)];
    const cash = await pay(first, { tip: '2.00' });
    await pay(second, { method: 'card' });
    const tipped = await pay(await newBill());
    await close(first);
    await close(second);
    await refund(first, cash.id);
    await forget(
      { _id: { $in: [first, second] } },
      { movements: { bill_id: { $in: [first, second, tipped.bill_id] } } },
    );

    expect((await evening.getBill(first)).day).toBeNull();
    const reopened = await evening.manager('POST', `/bills/${first}/reopen`, { body: { reason: 'Late' } });
    expect(codeOf(reopened)).toBe('409 bill_not_open');
    const counted = await count('main', '33.00');
    expect(counted).toMatchObject({ expected: '33.00', difference: '0.00' });
    const { body: report } = await closeDay({ carry_over: 'all' });

    expect(sidesOf(report)[0]).toBe(sidesOf(report)[1]);
    expect(report).toMatchObject({ bills: { count: 2 }, sales: { total: '99.00' }, refunded_after_closing: '33.00' });
    expect((await evening.getBill(first)).day).toBe(report.number);
    const kinds = await db.collection('movements').find({ bill_id: first }).sort({ _id: 1 }).toArray();
    expect(kinds.map((each) => each['kind'])).toEqual(['payment', 'refund']);
  });

  test('loses no Pix that pays a reservation which had ended before a count', async () => {
    const { newBill, post, waiter, close, count, closeDay, db } = evening;
    const bill = await newBill();
    const ask = { method: 'pix', part: { rest: true }, expected_amount: '33.00' };
    const { id } = await post(`/bills/${bill}/payments`, ask);
    expect(codeOf(await waiter('POST', `/bills/${bill}/payments/${id}/cancel`, { body: {} }))).toBe('200');
    await count('main', '0.00');
    const paid = { 'payments.0.status': 'paid', 'payments.0.settled_at': new Date(clock()) };
    await db.collection('bills').updateOne({ _id: bill as never }, { $set: paid });
    expect(codeOf(await close(bill))).toBe('200');
    const { body: report } = await closeDay({ carry_over: 'all' });

    expect(sidesOf(report)[0]).toBe(sidesOf(report)[1]);
    expect(report.payments).toContainEqual(expect.objectContaining({ method: 'pix', count: 1, amount: '33.00' }));
  });
});

describe('the business date', () => {
  let date = '2031-03-10';
  /** Moves on to the evening of another day, so that the clock never goes back. */
  beforeEach(() => {
    date = dateAfter(3);
  });
  const dateAfter = (days: number): string => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
  /** Sets the clock to a local time in São Paulo (UTC-3), on `date` or the days after it. */
  const at = (time: string, days = 0): void =>
    clock.advance({ ms: Date.parse(`${dateAfter(days)}T${time}:00-03:00`) - clock() });

  test.each([
    { when: 'before midnight', time: '23:30', days: 0, overdue: false },
    { when: 'after midnight', time: '02:00', days: 1, overdue: false },
    { when: 'the next morning', time: '10:00', days: 1, overdue: true },
  ])('of an evening that is closed $when is that of its payments', async ({ time, days, overdue }) => {
    const { newBill, pay, closeDay, day } = evening;
    at('20:00');
    await pay(await newBill(), { method: 'card' });
    at(time, days);
    const running = await day();
    const { body } = await closeDay({ carry_over: 'all' });

    expect(running).toMatchObject({ business_date: date, overdue });
    expect(body.business_date).toBe(date);
  });

  test('is the same for lunch and dinner that are closed apart', async () => {
    const { newBill, pay, closeDay } = evening;
    const dates = [];
    for (const time of ['12:00', '20:00']) {
      at(time);
      await pay(await newBill(), { method: 'card' });
      dates.push((await closeDay({ carry_over: 'all' })).body.business_date);
    }

    expect(dates).toEqual([date, date]);
  });

  test('of a tie is the earlier one, and without payments that of now', async () => {
    const { newBill, pay, closeDay } = evening;
    at('22:00');
    await pay(await newBill(), { method: 'card' });
    at('12:00', 1);
    await pay(await newBill(), { method: 'card' });
    const tie = (await closeDay({ carry_over: 'all' })).body.business_date;
    at('03:59', 2);

    expect([tie, (await closeDay({ carry_over: 'all' })).body.business_date]).toEqual([date, dateAfter(1)]);
  });

  test('decides which day of last week today is compared with, even if that was closed after midnight', async () => {
    const { newBill, pay, closeDay, manager } = evening;
    await closeDay({ carry_over: 'all' });
    at('20:00');
    for (let bill = 0; bill < 3; bill++) await pay(await newBill(), { method: 'other' });
    at('01:30', 1);
    await pay(await newBill(), { method: 'other' });
    const { business_date: closed } = (await closeDay({ carry_over: 'all' })).body;
    at('20:00', 7);
    await pay(await newBill(), { method: 'card' });
    const { before } = (await manager('GET', '/day/figures')).body;

    expect(closed).toBe(date);
    expect(before.payments).toMatchObject([{ method: 'other', count: 4 }]);
    await closeDay({ carry_over: 'all' });
    date = dateAfter(7);
  });
});
