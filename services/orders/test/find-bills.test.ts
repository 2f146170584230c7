import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created, type Call } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish = 0;
let now = Date.parse('2026-11-20T20:00:00.000Z');
beforeAll(async () => {
  harness = await startOrdersHarness('orders-find-bills', { clock: () => now });
  dish = await harness.createDish({ price: '50.00' });
});
afterAll(() => harness.close());

const hour = 3600_000;
const wagner = () => harness.as({ sub: 31, role: 'waiter', name: 'Wagner' });
const find = async (query: string, call = harness.manager): Promise<number[]> =>
  (await call('GET', `/bills?${query}`)).body.map(({ id }: { id: number }) => id);

/** Creates a bill for 50.00, and pays it completely. Each bill is opened an hour after the last one. */
async function paidBill({
  table = '1',
  by = harness.waiter,
  ...payment
}: { table?: string; by?: Call; method?: string; tip?: string } = {}): Promise<number> {
  now += hour;
  const body = { items: [{ item_id: dish, quantity: 1 }], table };
  const { bill_id: id } = created(await harness.waiter('POST', '/orders', { body }));
  const paying = { method: 'card', part: { rest: true }, expected_amount: '50.00', ...payment };
  created(await by('POST', `/bills/${id}/payments`, { body: paying }));
  return id;
}

/** Creates a bill for 100.00, of which Wagner takes 30.00 in cash and Wanda 70.00 by card. */
async function dividedBill(): Promise<number> {
  now += hour;
  const body = { items: [{ item_id: dish, quantity: 2 }], table: '9' };
  const { bill_id: id } = created(await harness.waiter('POST', '/orders', { body }));
  const pay = (by: Call, method: string, amount: string) =>
    by('POST', `/bills/${id}/payments`, { body: { method, part: { amount }, expected_amount: amount } });
  created(await pay(wagner(), 'cash', '30.00'));
  created(await pay(harness.waiter, 'card', '70.00'));
  return id;
}

describe('bills', () => {
  let first: number;
  let byWagner: number;
  let withTip: number;
  let divided: number;
  beforeAll(async () => {
    first = await paidBill({ method: 'cash' });
    byWagner = await paidBill({ table: '2', by: wagner() });
    withTip = await paidBill({ tip: '5.00' });
    divided = await dividedBill();
  });

  test('can be found by the time at which they were opened', async () => {
    const time = (hours: number): string =>
      new Date(Date.parse('2026-11-20T20:00:00.000Z') + hours * hour).toISOString();

    expect(await find(`since=${time(3)}`)).toEqual([divided, withTip]);
    expect(await find(`until=${time(2)}`)).toEqual([first]);
    expect(await find(`since=${time(2)}&until=${time(3)}`)).toEqual([byWagner]);
    expect(await find(`since=${time(9)}`)).toEqual([]);
  });

  test('can be found by their number', async () => {
    const { body } = await harness.manager('POST', `/bills/${byWagner}/close`, { body: {} });

    expect(await find(`number=${body.number}`)).toEqual([byWagner]);
    expect(await find(`number=${body.number + 1}`)).toEqual([]);
  });

  test("can be found by a payment's amount, with or without its tip", async () => {
    expect(await find('amount=50')).toEqual([withTip, byWagner, first]);
    expect(await find('amount=55.00')).toEqual([withTip]);
    expect(await find('amount=5.00')).toEqual([]);
  });

  test("can be found by a payment's method and by who recorded it", async () => {
    expect(await find('method=cash')).toEqual([divided, first]);
    expect(await find('person=31')).toEqual([divided, byWagner]);
    expect(await find('person=31&method=card')).toEqual([byWagner]);
  });

  test('are found only if a single payment matches all the filters for payments', async () => {
    expect(await find('amount=30.00&method=cash&person=31')).toEqual([divided]);
    expect(await find('amount=30.00&method=card')).toEqual([]);
    expect(await find('person=31&amount=70.00')).toEqual([]);
  });

  test('are returned in pages that keep the filters', async () => {
    const response = await harness.manager('GET', '/bills?method=card&limit=1');
    const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';

    expect(next).toContain('method=card');
    expect((await harness.manager('GET', next)).body.map(({ id }: { id: number }) => id)).not.toContain(first);
  });

  test("can't be found by a customer if they belong to others", async () => {
    expect(await find('amount=50', harness.as({ sub: 5, role: 'customer' }))).toEqual([]);
  });

  test.each(['amount=0', 'method=cheque', 'since=yesterday', 'number=0', 'person=x'])(
    "can't be found by %s",
    async (query) => {
      expect(codeOf(await harness.manager('GET', `/bills?${query}`))).toBe('400 validation_failed');
    },
  );
});
