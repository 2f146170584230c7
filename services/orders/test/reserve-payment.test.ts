import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created, type Call } from '@comanda/testing/call';
import { createTestClock } from '@comanda/testing/test-clock';
import { until } from '@comanda/testing/until';
import { accountPayments, type Diner } from './support/account-payments.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
const clock = createTestClock();
let harness: OrdersHarness;
let calls: ReturnType<typeof accountPayments>;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-reserve', { clock });
  calls = accountPayments(harness);
  dish = await harness.createDish({ price: '40.00' });
});
afterAll(() => harness.close());

let lastId = 100;
/** Creates a bill for about 100.00 that two customers may pay. */
async function newBill(): Promise<{ bill: number; ana: Diner; bob: Diner; seating: number; placed: Json }> {
  const seating = calls.newSeating();
  const [ana, bob] = [calls.diner(++lastId, { seating }), calls.diner(++lastId, { seating })];
  const placed = await calls.order(ana.call, { [dish]: 3 });
  return { bill: placed.bill_id, ana, bob, seating, placed };
}
type StoredBill = { _id: number; payments: { status: string }[] };
const storedBill = (_id: number) => harness.db.collection<StoredBill>('bills').findOne({ _id });
const share = { part: { shares: 1, of: 2 }, expected_amount: '60.00' };

describe('reserving a share', () => {
  test('holds it for the customer for 5 minutes', async () => {
    const { bill, ana, bob } = await newBill();

    const response = await calls.reserve(bill, ana, { ...share, tip: '5.00' });

    expect(response.body).toMatchObject({
      status: 'reserved',
      method: 'account',
      amount: '60.00',
      total: '65.00',
      payer: { id: ana.id, name: ana.name },
      recorded_by: { id: ana.id, role: 'customer' },
      expires_at: new Date(clock() + 5 * 60_000).toISOString(),
      settled_at: null,
      transfer_id: null,
    });
    const seen = (await bob.call('GET', `/bills/${bill}`)).body;
    expect(seen).toMatchObject({ total: '120.00', paid: '0.00', reserved: '60.00', remaining: '60.00', tips: '0.00' });
    expect(seen.payments).toEqual([response.body]);
    await until(() => harness.events.of('bill.changed', bill).length > 0, { what: 'the event of the reservation' });
    const [event] = harness.events.of('bill.changed', bill);
    expect(event?.data).toMatchObject({ change: { kind: 'payment_reserved', payment_id: response.body.id } });
    expect(event?.audience).toContain(`user:${ana.id}`);
  });

  test('for the second time releases the first reservation', async () => {
    const { bill, ana } = await newBill();
    const first = created(await calls.reserve(bill, ana, share));

    const second = created(await calls.reserve(bill, ana, { expected_amount: '120.00' }));

    expect([await calls.statusOf(first), second.amount]).toEqual(['cancelled', '120.00']);
    expect(await calls.get(bill)).toMatchObject({ reserved: '120.00', remaining: '0.00' });
    const history = (await harness.waiter('GET', `/bills/${bill}/history`)).body;
    expect(history.map(({ what }: Json) => what)).toEqual([
      'ordered',
      'payment_reserved',
      'payment_cancelled',
      'payment_reserved',
    ]);
  });

  test("doesn't release the earlier reservation if the new one is rejected", async () => {
    const { bill, ana } = await newBill();
    const first = created(await calls.reserve(bill, ana, share));

    const refused = await calls.reserve(bill, ana, { expected_amount: '60.00' });

    expect([codeOf(refused), refused.body.amount]).toEqual(['409 bill_changed', '120.00']);
    expect(await calls.statusOf(first)).toBe('reserved');
  });

  test('for the second time keeps the first reservation if it was already claimed', async () => {
    const { bill, ana } = await newBill();
    const first = created(await calls.reserve(bill, ana, share));
    expect((await calls.claim(first, ana.asService)).status).toBe(200);

    const second = created(await calls.reserve(bill, ana, share));

    expect([await calls.statusOf(first), await calls.statusOf(second)]).toEqual(['claimed', 'reserved']);
    expect(await calls.get(bill)).toMatchObject({ reserved: '120.00', remaining: '0.00' });
  });

  test('prevents other customers from paying for it', async () => {
    const { bill, ana, bob } = await newBill();
    const mine = created(await calls.reserve(bill, ana, { expected_amount: '120.00' }));

    const cash = { method: 'cash', part: { rest: true }, expected_amount: '120.00' };
    const byWaiter = await harness.waiter('POST', `/bills/${bill}/payments`, { body: cash });
    const closed = await harness.waiter('POST', `/bills/${bill}/close`, { body: {} });

    expect(codeOf(byWaiter)).toBe('409 nothing_to_pay');
    expect(codeOf(await calls.reserve(bill, bob, { expected_amount: '120.00' }))).toBe('409 nothing_to_pay');
    expect([codeOf(closed), closed.body.payments]).toEqual(['409 bill_unsettled', [mine.id]]);
  });

  test('twice with the same idempotency key creates a single reservation', async () => {
    const { bill, ana } = await newBill();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { method: 'account', ...share };
    const path = `/bills/${bill}/payments`;
    const first = await ana.call('POST', path, { body, headers });
    const second = await ana.call('POST', path, { body, headers });
    await calls.cancel(first.body, ana.call);

    const third = await ana.call('POST', path, { body, headers });

    expect([second.body, third.body]).toEqual([first.body, first.body]);
    expect(third.headers.get('idempotent-replayed')).toBe('true');
    expect((await calls.get(bill)).payments).toHaveLength(1);
  });

  type Opened = Awaited<ReturnType<typeof newBill>>;
  const guestOf = ({ seating }: Opened): Call => harness.as({ sub: 7, role: 'customer', table: '12', seating });
  const neighbour = (): Call => calls.diner(7, { seating: calls.newSeating() }).call;
  test.each<{ who: string; callOf: (opened: Opened) => Call; wrong?: object; code: string }>([
    { who: 'a guest', callOf: guestOf, code: '403 account_required' },
    { who: 'a waiter', callOf: () => harness.waiter, code: '403 forbidden' },
    { who: 'a manager', callOf: () => harness.manager, code: '403 forbidden' },
    { who: 'a customer at the next table', callOf: neighbour, code: '404 not_found' },
    {
      who: 'a customer who selects cash',
      callOf: ({ ana }) => ana.call,
      wrong: { method: 'cash' },
      code: '403 forbidden',
    },
    {
      who: 'a customer who sends a received amount',
      callOf: ({ ana }) => ana.call,
      wrong: { received: '200.00' },
      code: '400 validation_failed',
    },
    {
      who: 'a customer who sends a reference',
      callOf: ({ ana }) => ana.call,
      wrong: { reference: 'x' },
      code: '400 validation_failed',
    },
  ])('is rejected for $who', async ({ callOf, wrong, code }) => {
    const opened = await newBill();

    const response = await calls.reserve(
      opened.bill,
      { call: callOf(opened) },
      { expected_amount: '120.00', ...wrong },
    );

    expect(codeOf(response)).toBe(code);
    expect((await calls.get(opened.bill)).version).toBe(1);
  });

  test('returns a 429 after a customer has made 50 payments on a bill', async () => {
    const { bill, ana, bob } = await newBill();
    for (let count = 0; count < 50; count++) created(await calls.reserve(bill, ana, share));

    expect(codeOf(await calls.reserve(bill, ana, share))).toBe('429 rate_limited');
    expect((await calls.reserve(bill, bob, share)).status).toBe(201);
  });
});

describe('releasing a reservation', () => {
  test('is allowed only for the payer and staff', async () => {
    const { bill, ana, bob } = await newBill();
    const [mine, his] = [
      created(await calls.reserve(bill, ana, share)),
      created(await calls.reserve(bill, bob, share)),
    ];

    expect(codeOf(await calls.cancel(mine, bob.call))).toBe('404 not_found');
    expect((await calls.cancel(mine, ana.call)).body).toMatchObject({ status: 'cancelled', expires_at: null });
    expect((await calls.cancel(his, harness.waiter)).body.status).toBe('cancelled');
    const { version } = await calls.get(bill);
    expect((await calls.cancel(mine, ana.call)).status).toBe(200);

    expect(await calls.get(bill)).toMatchObject({ version, reserved: '0.00', remaining: '120.00' });
  });

  test('happens after 5 minutes, when the bill is fetched', async () => {
    const reads = [
      (bill: number) => harness.waiter('GET', `/bills/${bill}`),
      (_bill: number, seating: number) => harness.waiter('GET', `/bills?seating=${seating}`),
      (bill: number, _seating: number, id: number) => harness.waiter('GET', `/bills/${bill}/payments/${id}`),
    ];
    for (const read of reads) {
      const { bill, ana, seating } = await newBill();
      const { id } = created(await calls.reserve(bill, ana, share));
      clock.advance({ ms: 5 * 60_000 - 1 });
      expect(await calls.statusOf({ bill_id: bill, id })).toBe('reserved');
      clock.advance({ ms: 1 });

      const { text } = await read(bill, seating, id);

      expect(text).toContain('"status":"expired"');
      const stored = await storedBill(bill);
      expect(stored?.payments[0]?.status).toBe('expired');
      const kinds = () => harness.events.of('bill.changed', bill).map(({ data }: Json) => data.change.kind);
      await until(() => kinds().includes('payment_expired'), { what: 'the event of the end' });
    }
  });

  test('happens after 5 minutes, with the next write', async () => {
    const { bill, ana, bob } = await newBill();
    created(await calls.reserve(bill, ana, { expected_amount: '120.00' }));
    clock.advance({ minutes: 5 });

    const wrong = await calls.reserve(bill, bob, { expected_amount: '1.00' });
    const stored = await storedBill(bill);
    const right = await calls.reserve(bill, bob, { expected_amount: '120.00' });

    expect([codeOf(wrong), wrong.body.amount, right.status]).toEqual(['409 bill_changed', '120.00', 201]);
    expect(stored?.payments[0]?.status).toBe('expired');
  });

  test('happens in the periodic sweep if nothing else uses the bill', async () => {
    const { bill, ana } = await newBill();
    created(await calls.reserve(bill, ana, share));
    clock.advance({ minutes: 6 });

    await until(
      async () => {
        const stored = await storedBill(bill);
        return stored?.payments[0]?.status === 'expired';
      },
      { what: 'the end of the reservation' },
    );
  });

  test("isn't possible after it was claimed", async () => {
    const { bill, ana } = await newBill();
    const expired = created(await calls.reserve(bill, ana, share));
    clock.advance({ minutes: 5 });
    const response = await calls.cancel(expired, ana.call);
    const claimed = created(await calls.reserve(bill, ana, share));
    await calls.claim(claimed, ana.asService);
    const cash = { method: 'cash', part: { amount: '10.00' }, expected_amount: '10.00' };
    const paid = created(await harness.waiter('POST', `/bills/${bill}/payments`, { body: cash }));

    expect([codeOf(response), response.body.payment_status]).toEqual(['409 payment_not_payable', 'expired']);
    expect(codeOf(await calls.cancel(claimed, harness.waiter))).toBe('409 payment_not_payable');
    expect(codeOf(await calls.cancel(paid, harness.waiter))).toBe('409 payment_not_payable');
  });
});
