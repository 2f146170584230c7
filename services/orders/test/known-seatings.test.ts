import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

/** Two instances: what one of them knows of a seating since its last batch, the other one changes. */
let harness: OrdersHarness;
let dish: number;
let [first, second]: [Call, Call] = [undefined as never, undefined as never];
beforeAll(async () => {
  harness = await startOrdersHarness('orders-known-seatings');
  dish = await harness.createDish();
  const { url } = await harness.startInstance();
  const token = harness.issuer.token({ sub: 900_001, role: 'manager', name: 'Marta' });
  [first, second] = [caller(harness.url, { token }), caller(url, { token })];
});
afterAll(() => harness.close());

let lastSeating = 1000;
const newSeating = (): number => ++lastSeating;
const order = (call: Call, seating: number) =>
  call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }], table: '12', seating } });
const billOf = async (call: Call, seating: number): Promise<number> => created(await order(call, seating)).bill_id;
const end = (call: Call, seating: number, into?: number) =>
  call('POST', '/internal/ended-seatings', { body: { seating, table: '12', ...(into !== undefined && { into }) } });
const pay = (call: Call, bill: number, amount: string) => {
  const body = { method: 'cash', part: { rest: true }, expected_amount: amount };
  return call('POST', `/bills/${bill}/payments`, { body });
};

describe('a seating that one instance knows', () => {
  test('when both order for it in turn, then one bill counts every order', async () => {
    const seating = newSeating();

    const bills = [];
    for (const call of [first, first, second, second, first, second]) bills.push(await billOf(call, seating));

    const [bill] = bills;
    expect(new Set(bills)).toEqual(new Set([bill]));
    expect((await first('GET', `/bills/${bill}`)).body).toMatchObject({ version: 6, total: '60.00' });
    const { body: history } = await second('GET', `/bills/${bill}/history`);
    expect(history.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('when the other one closes its bill, then the next order begins another bill', async () => {
    const seating = newSeating();
    const bill = await billOf(first, seating);
    created(await pay(second, bill, '10.00'));
    expect(codeOf(await second('POST', `/bills/${bill}/close`, { body: {} }))).toBe('200');

    const next = await billOf(first, seating);

    expect(next).not.toBe(bill);
    expect(await billOf(second, seating)).toBe(next);
  });

  test('when the other one ends it, then nothing is ordered for it', async () => {
    const seating = newSeating();
    created(await order(first, seating));
    expect(codeOf(await end(second, seating))).toBe('200');

    expect(codeOf(await order(first, seating))).toBe('409 seating_closed');
  });

  test('when it is joined with another one, then its orders belong to that', async () => {
    const [seating, into] = [newSeating(), newSeating()];
    created(await order(first, seating));
    const bill = await billOf(first, into);
    expect(codeOf(await end(second, seating, into))).toBe('200');

    expect(created(await order(first, seating))).toMatchObject({ seating: into, bill_id: bill });
  });

  test('when the bill of an ended seating is paid, then the seating is still ended', async () => {
    const seating = newSeating();
    const bill = await billOf(first, seating);
    expect(codeOf(await end(first, seating))).toBe('200');
    created(await pay(first, bill, '10.00'));

    expect(codeOf(await order(first, seating))).toBe('409 seating_closed');
  });
});

test('when the other instance writes the settings, then the next bill has the new service charge', async () => {
  const charge = (call: Call, rate: string) =>
    call('PUT', '/restaurant', { body: { service_charge: { rate, optional: true } } });
  created(await order(first, newSeating()));
  expect(codeOf(await charge(second, '12.50'))).toBe('200');

  const bill = await billOf(first, newSeating());

  expect(codeOf(await charge(second, '0.00'))).toBe('200');
  expect((await first('GET', `/bills/${bill}`)).body.service_charge).toMatchObject({ rate: '12.50' });
});
