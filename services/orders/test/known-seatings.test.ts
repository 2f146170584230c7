import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

/** Two instances: the first one has cached a seating, and the second one changes that seating. */
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
const order = (call: Call, seating: number, items = 1) =>
  call('POST', '/orders', {
    body: { items: Array.from({ length: items }, () => ({ item_id: dish, quantity: 1 })), table: '12', seating },
  });
const billOf = async (call: Call, seating: number): Promise<number> => created(await order(call, seating)).bill_id;
const end = (call: Call, seating: number, into?: number) =>
  call('POST', '/internal/ended-seatings', { body: { seating, table: '12', ...(into !== undefined && { into }) } });
const pay = (call: Call, bill: number, amount: string) => {
  const body = { method: 'cash', part: { rest: true }, expected_amount: amount };
  return call('POST', `/bills/${bill}/payments`, { body });
};

describe('a seating that an instance has cached', () => {
  test('has all its orders on one bill, even if they alternate between two instances', async () => {
    const seating = newSeating();

    const bills = [];
    for (const call of [first, first, second, second, first, second]) bills.push(await billOf(call, seating));

    const [bill] = bills;
    expect(new Set(bills)).toEqual(new Set([bill]));
    expect((await first('GET', `/bills/${bill}`)).body).toMatchObject({ version: 6, total: '60.00' });
    const { body: history } = await second('GET', `/bills/${bill}/history`);
    expect(history.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('gets a new bill after another instance closed the old one', async () => {
    const seating = newSeating();
    const bill = await billOf(first, seating);
    created(await pay(second, bill, '10.00'));
    expect(codeOf(await second('POST', `/bills/${bill}/close`, { body: {} }))).toBe('200');

    const next = await billOf(first, seating);

    expect(next).not.toBe(bill);
    expect(await billOf(second, seating)).toBe(next);
  });

  test("doesn't accept orders after another instance ended the seating", async () => {
    const seating = newSeating();
    created(await order(first, seating));
    expect(codeOf(await end(second, seating))).toBe('200');

    expect(codeOf(await order(first, seating))).toBe('409 seating_closed');
  });

  test('passes its orders on to the seating into which it was merged', async () => {
    const [seating, into] = [newSeating(), newSeating()];
    created(await order(first, seating));
    const bill = await billOf(first, into);
    expect(codeOf(await end(second, seating, into))).toBe('200');

    expect(created(await order(first, seating))).toMatchObject({ seating: into, bill_id: bill });
  });

  test('stays closed after its bill was paid', async () => {
    const seating = newSeating();
    const bill = await billOf(first, seating);
    expect(codeOf(await end(first, seating))).toBe('200');
    created(await pay(first, bill, '10.00'));

    expect(codeOf(await order(first, seating))).toBe('409 seating_closed');
  });
});

describe('a seating without orders', () => {
  test("doesn't accept orders from either instance after it has ended", async () => {
    const seating = newSeating();
    created(await order(first, newSeating()));
    expect(codeOf(await end(second, seating))).toBe('200');

    expect(codeOf(await order(first, seating))).toBe('409 seating_closed');
    expect(codeOf(await order(second, seating))).toBe('409 seating_closed');
  });

  test('shares one bill with a seating that is merged into it', async () => {
    const [seating, into] = [newSeating(), newSeating()];
    expect(codeOf(await end(first, seating, into))).toBe('200');

    const bills = [await billOf(first, seating), await billOf(second, into), await billOf(first, into)];

    expect(new Set(bills).size).toBe(1);
  });

  test('puts its first order on the same bill as an order that was moved to it', async () => {
    const [seating, to] = [newSeating(), newSeating()];
    const { id } = created(await order(first, seating));
    const { body: moved } = await first('PUT', `/orders/${id}/table`, { body: { table: '5', seating: to } });

    expect(moved.bill_id).toEqual(expect.any(Number));
    expect([await billOf(first, to), await billOf(second, to)]).toEqual([moved.bill_id, moved.bill_id]);
  });

  test('has a single bill, even if orders arrive out of numerical order', async () => {
    const [earlier, later] = [newSeating(), newSeating()];
    const bills = [await billOf(first, later), await billOf(first, earlier)];

    const again = [await billOf(second, later), await billOf(second, earlier)];

    expect(again).toEqual(bills);
    expect(new Set(bills).size).toBe(2);
  });
});

test("a seating doesn't accept orders after it has ended, even if seatings end out of numerical order", async () => {
  const [earlier, later] = [newSeating(), newSeating()];
  for (const seating of [later, earlier]) expect(codeOf(await end(first, seating))).toBe('200');

  for (const instance of [first, second])
    for (const seating of [earlier, later]) expect(codeOf(await order(instance, seating))).toBe('409 seating_closed');
});

test("a seating's bill is found even if the counters don't have that seating", async () => {
  const seating = newSeating();
  const bill = await billOf(first, seating);
  const counters = harness.db.collection<{ _id: string }>('restaurant');
  await counters.updateOne({ _id: 'orders' }, { $set: { newest_seating: seating - 1, last_batch: 'another' } });

  expect(await billOf(first, seating)).toBe(bill);
});

describe('the limit of 100 open items', () => {
  test('allows new items once others are delivered', async () => {
    const seating = newSeating();
    const { id } = created(await order(first, seating, 50));
    created(await order(first, seating, 50));
    expect(codeOf(await order(first, seating))).toBe('429 seating_full');
    for (const status of ['preparing', 'ready', 'delivered'])
      expect(codeOf(await first('PUT', `/orders/${id}`, { body: { status } }))).toBe('200');

    created(await order(first, seating, 40));
    created(await order(first, seating, 10));

    expect(codeOf(await order(first, seating))).toBe('429 seating_full');
    expect(codeOf(await order(second, seating))).toBe('429 seating_full');
  });

  test('counts items ordered at a merged seating', async () => {
    const [seating, into] = [newSeating(), newSeating()];
    expect(codeOf(await end(first, seating, into))).toBe('200');
    created(await order(first, seating, 50));
    created(await order(second, into, 50));

    expect(codeOf(await order(second, into))).toBe('429 seating_full');
    expect(codeOf(await order(first, into))).toBe('429 seating_full');
  });

  test('counts items from an order that was moved to a cached seating', async () => {
    const [seating, to] = [newSeating(), newSeating()];
    const { id } = created(await order(first, seating, 50));
    created(await order(first, to, 50));
    expect(codeOf(await first('PUT', `/orders/${id}/table`, { body: { table: '5', seating: to } }))).toBe('200');

    expect(codeOf(await order(first, to))).toBe('429 seating_full');
  });
});

test('the next bill uses the new service charge after another instance changes the settings', async () => {
  const charge = (call: Call, rate: string) =>
    call('PUT', '/restaurant', { body: { service_charge: { rate, optional: true } } });
  created(await order(first, newSeating()));
  expect(codeOf(await charge(second, '12.50'))).toBe('200');

  const bill = await billOf(first, newSeating());

  expect(codeOf(await charge(second, '0.00'))).toBe('200');
  expect((await first('GET', `/bills/${bill}`)).body.service_charge).toMatchObject({ rate: '12.50' });
});
