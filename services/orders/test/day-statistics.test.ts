import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { createTestClock } from '@comanda/testing/test-clock';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
const clock = createTestClock();
let evening: DayHarness;
const figures = async (query = ''): Promise<Json> => (await evening.manager('GET', `/day/figures${query}`)).body;
const report = async (name: string, query = ''): Promise<Json> => {
  const answer = await evening.manager('GET', `/reports/${name}?from=1&to=1${query}`);
  expect(codeOf(answer)).toBe('200');
  return answer.body;
};
let before: Json;
let bills: number[];
beforeAll(async () => {
  evening = await startDayHarness('orders-day-statistics', { clock });
  const { newBill, pay, close, count, move, closeDay, waiter } = evening;
  await count('main', '100.00');
  bills = [await newBill(), await newBill(3), await newBill()];
  const [cash = 0, card = 0, cancelled = 0] = bills;
  clock.advance({ minutes: 9 });
  for (const id of [cash, card]) {
    const [{ order_id: order }] = (await evening.getBill(id)).lines;
    for (const status of ['preparing', 'ready']) await waiter('PUT', `/orders/${order}`, { body: { status } });
    clock.advance({ minutes: 2 });
  }
  const [{ order_id: order, id: item }] = (await evening.getBill(cancelled)).lines;
  await waiter('PUT', `/orders/${order}/items/${item}`, { body: { status: 'cancelled', reason: '=1+1' } });
  await pay(cash, { tip: '1.00', cash_drawer: 'main' });
  await pay(card, { method: 'card' });
  await close(cash);
  await close(card);
  await move('main', { kind: 'pay_out', amount: '5.00', reason: 'Ice; "cubes"' });
  before = await figures();
  await count('main', '129.00');
  await closeDay();
});
afterAll(() => evening.stop());

describe("the running day's figures", () => {
  test('leave out cash that was not counted', () => {
    expect(before.payments).toEqual([{ method: 'card', confirmed_by: null, count: 1, amount: '99.00', tips: '0.00' }]);
    expect(before.tips).toEqual([]);
    expect(before.waiters.map((row: Json) => row.method)).toEqual(['card', null]);
    expect(before).toMatchObject({ bills: { closed: 2, open: 0, remaining: '0.00' }, guests: null, before: null });
  });
});

describe("a closed day's figures", () => {
  test('have everything of the day', async () => {
    const ofDay = await figures('?number=1');

    expect(ofDay).toMatchObject({
      bills: { closed: 2, open: 0, remaining: '0.00' },
      late: { items: 2, of: 2 },
      dishes: [{ item_id: evening.feijoada, name: 'Feijoada', quantity: 4, amount: '120.00' }],
      stations: [{ items: 2, median_seconds: 600, p90_seconds: 660 }],
      payments: [
        { method: 'card', count: 1, amount: '99.00' },
        { method: 'cash', count: 1, amount: '33.00', tips: '1.00' },
      ],
      tips: [{ method: 'cash', amount: '1.00' }],
      exceptions: [{ kind: 'item_cancelled', by: { name: 'Wanda' }, count: 1, amount: '30.00' }],
      before: null,
    });
    expect(await figures('?number=1')).toEqual(ofDay);
    expect(codeOf(await evening.manager('GET', '/day/figures?number=2'))).toBe('404 not_found');
  });

  test('are those of the same weekday before, for the running day', async () => {
    const days = evening.db.collection<Json>('days');
    const date = (await days.findOne({ _id: 1 }))?.report.business_date;
    const setDate = (to: string) => days.updateOne({ _id: 1 }, { $set: { 'report.business_date': to } });
    // A day that was closed earlier on the same date is no day of last week.
    expect((await figures()).before).toBeNull();

    await setDate(new Date(Date.parse(date) - 7 * 86_400_000).toISOString().slice(0, 10));
    expect((await figures()).before).toEqual({ ...(await figures('?number=1')), before: undefined });
    await setDate(date);
  });
});

describe('a report', () => {
  test('has the movements and exceptions as managers read them', async () => {
    const movements = await report('movements');
    const kinds = movements.map((row: Json) => `${row.kind} ${row.amount}`);

    expect(kinds).toEqual(['pay_out -5.00', 'payment 99.00', 'payment 33.00']);
    expect(await report('exceptions')).toEqual((await evening.manager('GET', '/exceptions')).body);
  });

  test('of people has what they took, and the service charge of the bills that they closed', async () => {
    const wanda = { id: evening.wanda.id, name: 'Wanda' };

    expect(await report('waiters')).toEqual([
      { by: wanda, method: 'card', confirmed_by: null, count: 1, amount: '99.00', tips: '0.00', refunds: '0.00' },
      { by: wanda, method: 'cash', confirmed_by: null, count: 1, amount: '33.00', tips: '1.00', refunds: '0.00' },
      { by: wanda, method: null, confirmed_by: null, count: 2, amount: '12.00', tips: '0.00', refunds: '0.00' },
    ]);
  });

  test('of bills, dishes, hours and stations is about the bills closed in its days', async () => {
    expect(await report('bills')).toMatchObject([
      { id: bills[1], total: '99.00', tips: '0.00', refunded: '0.00' },
      { id: bills[0], items_total: '30.00', service_charge: '3.00', total: '33.00', tips: '1.00' },
    ]);
    expect(await report('dishes')).toMatchObject([{ quantity: 4, amount: '120.00' }]);
    expect(await report('hours')).toMatchObject([{ orders: 2, items: 2, amount: '120.00' }]);
    expect(await report('stations')).toMatchObject([{ items: 2, median_seconds: 600 }]);
  });

  test('has pages', async () => {
    const first = await evening.manager('GET', '/reports/movements?from=1&to=1&limit=2');
    const next = /<(.*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';

    expect([...first.body, ...(await evening.manager('GET', next)).body]).toEqual(await report('movements'));
  });

  test.each(['from=2&to=1', 'from=1&to=2', 'from=1&to=93'])('of unknown days is rejected: %s', async (query) => {
    expect(codeOf(await evening.manager('GET', `/reports/bills?${query}`))).toBe('422 unprocessable_content');
  });

  test.each([
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv;charset=UTF-8', 'text/csv'],
    ['text/csv; header=present', 'text/csv'],
    ['application/json;charset=utf-8, text/csv;q=0.9', 'application/json'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['text/csv;q=0.1, */*', 'application/json'],
    ['text/csv;q=0, application/json', 'application/json'],
    ['text/html,*/*;q=0.8', 'application/json'],
    ['image/png', 'application/json'],
  ])('for a client that accepts %s is %s', async (accept, type) => {
    const { headers } = await evening.manager('GET', '/reports/bills?from=1&to=1', { headers: { Accept: accept } });

    expect(headers.get('content-type')).toContain(type);
    expect(headers.get('vary')).toBe('Accept');
  });

  test('is a CSV file if the client asks for one', async () => {
    const csv = (query: string) => evening.manager('GET', `/reports/${query}`, { headers: { Accept: 'text/csv' } });
    const movements = await csv('movements?from=1&to=1');
    const [header, payOut] = movements.text.split('\r\n');
    const exceptions = (await csv('exceptions?from=1&to=1')).text;
    const { text: excel } = await csv('movements?from=1&to=1&excel=true');

    expect(movements.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(header).toBe(
      'id,day,at,kind,method,confirmed_by,cash_drawer,amount,tip,bill_id,payment_id,by_id,by_name,reason,other,reverses',
    );
    expect(payOut).toMatch(
      /^\d+,1,[-0-9]{10}T[0-9:.]{12}-03:00,pay_out,cash,,main,-5\.00,0\.00,,,\d+,Marta,"Ice; ""cubes""",,$/,
    );
    expect(exceptions).toContain(",'=1+1\r\n");
    expect(excel.startsWith('\uFEFFid;day;at')).toBe(true);
    expect(excel).toMatch(/;[-0-9]{10} [0-9:]{8};pay_out;cash;;main;-5,00;0,00;/);
  });
});
