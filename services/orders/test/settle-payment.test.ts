import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaymentStatus as Status } from '@comanda/contracts/bill-payments';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { createTestClock } from '@comanda/testing/test-clock';
import { accountPayments, type Diner } from './support/account-payments.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
const clock = createTestClock();
let harness: OrdersHarness;
let calls: ReturnType<typeof accountPayments>;
let dish: number;
let manager: Call;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-settle', { clock });
  calls = accountPayments(harness);
  dish = await harness.createDish({ price: '40.00' });
  manager = calls.staff('manager', 900_001);
});
afterAll(() => harness.close());

let lastId = 100;
/**
 * An account payment on a bill. `jti`: the id of the token that claims the payment. `refundJti`: the id of the token that claims
 * its refund.
 */
type Held = { bill: number; ana: Diner; payment: Json; jti: string; refundJti: string };
/** Creates a bill for 120.00, with an account payment of 60.00 plus a tip of 5.00 in this status. */
async function paymentIn(status: Status): Promise<Held> {
  const ana = calls.diner(++lastId, { seating: calls.newSeating() });
  const { bill_id: bill } = await calls.order(ana.call, { [dish]: 3 });
  const share = { part: { shares: 1, of: 2 }, expected_amount: '60.00', tip: '5.00' };
  const payment = created(await calls.reserve(bill, ana, share));
  const held = { bill, ana, payment, jti: randomUUID(), refundJti: randomUUID() };
  for (const step of stepsTo[status](held)) expect((await step()).status).toBe(200);
  expect(await calls.statusOf(payment)).toBe(status);
  return held;
}
type Steps = (held: Held) => (() => Promise<Called>)[];
const claimed: Steps = ({ payment, ana, jti }) => [() => calls.claim(payment, ana.asService, { jti })];
const paid: Steps = (held) => [
  ...claimed(held),
  () => calls.settle(held.payment, calls.receipt({ jti: held.jti, payment: held.payment })),
];
const refunding: Steps = (held) => [
  ...paid(held),
  () => calls.claim(held.payment, manager, { purpose: 'refund', jti: held.refundJti }),
];
const refundOf = ({ payment, refundJti }: Held): string =>
  calls.receipt({ jti: refundJti, payment, kind: 'bill_refund' });
const stepsTo: Record<Status, Steps> = {
  reserved: () => [],
  cancelled: ({ payment, ana }) => [() => calls.cancel(payment, ana.call)],
  expired: ({ bill }) => {
    clock.advance({ minutes: 5 });
    return [() => harness.waiter('GET', `/bills/${bill}`)];
  },
  claimed,
  failed: (held) => [...claimed(held), () => calls.settle(held.payment, calls.refusal(held.jti))],
  paid,
  refunding,
  refunded: (held) => [...refunding(held), () => calls.settle(held.payment, refundOf(held))],
};

const other = '409 payment_not_payable';
type Row = { what: string; from: Status; do: (held: Held) => Promise<Called>; code: string; to?: Status };
/** Changes to an account payment, each in one status. account-payment.test.ts covers all changes in all statuses. */
const rows: Row[] = [
  {
    what: 'its payer cancels',
    from: 'reserved',
    do: ({ payment, ana }) => calls.cancel(payment, ana.call),
    code: '200',
    to: 'cancelled',
  },
  {
    what: 'a waiter cancels',
    from: 'claimed',
    do: ({ payment }) => calls.cancel(payment, harness.waiter),
    code: other,
  },
  {
    what: 'another customer cancels',
    from: 'reserved',
    do: ({ payment }) => calls.cancel(payment, calls.diner(7).call),
    code: '404 not_found',
  },
  {
    what: 'a manager refunds it by hand',
    from: 'paid',
    do: ({ bill, payment }) =>
      harness.manager('POST', `/bills/${bill}/payments/${payment.id}/refund`, { body: { reason: 'Twice' } }),
    code: '409 refund_by_transfer',
  },
  {
    what: 'the payer claims it',
    from: 'reserved',
    do: ({ payment, ana }) => calls.claim(payment, ana.asService),
    code: '200',
    to: 'claimed',
  },
  {
    what: 'another customer claims it',
    from: 'reserved',
    do: ({ payment }) => calls.claim(payment, calls.diner(7).asService),
    code: '404 not_found',
  },
  {
    what: 'a manager claims it for a refund',
    from: 'paid',
    do: ({ payment }) => calls.claim(payment, manager, { purpose: 'refund' }),
    code: '200',
    to: 'refunding',
  },
  {
    what: 'the receipt of its token arrives',
    from: 'claimed',
    do: ({ payment, jti }) => calls.settle(payment, calls.receipt({ jti, payment })),
    code: '200',
    to: 'paid',
  },
  {
    what: 'the receipt of another token arrives, because this database was restored',
    from: 'expired',
    do: ({ payment }) => calls.settle(payment, calls.receipt({ jti: randomUUID(), payment })),
    code: '200',
    to: 'paid',
  },
  {
    what: 'the rejection of its token arrives',
    from: 'claimed',
    do: ({ payment, jti }) => calls.settle(payment, calls.refusal(jti)),
    code: '200',
    to: 'failed',
  },
  {
    what: 'the rejection of another token arrives',
    from: 'claimed',
    do: ({ payment }) => calls.settle(payment, calls.refusal(randomUUID())),
    code: '200',
  },
  {
    what: 'the receipt of its refund arrives',
    from: 'refunding',
    do: (held) => calls.settle(held.payment, refundOf(held)),
    code: '200',
    to: 'refunded',
  },
  {
    what: "the expiry of its refund's token arrives",
    from: 'refunding',
    do: ({ payment, refundJti }) => calls.settle(payment, calls.expiry(refundJti)),
    code: '200',
    to: 'paid',
  },
];
const unpaid = { paid: '0.00', reserved: '0.00', remaining: '120.00', tips: '0.00', refunded: '0.00' };
const onHold = { ...unpaid, reserved: '60.00', remaining: '60.00' };
const counted = { ...unpaid, paid: '60.00', remaining: '60.00', tips: '5.00' };
const amounts: Record<Status, object> = {
  reserved: onHold,
  claimed: onHold,
  paid: counted,
  refunding: counted,
  refunded: unpaid,
  cancelled: unpaid,
  expired: unpaid,
  failed: unpaid,
};

test.each(rows)('when $what, a payment that is $from gets $code', async ({ from, do: act, code, to = from }) => {
  const held = await paymentIn(from);

  const response = await act(held);

  expect([codeOf(response), await calls.statusOf(held.payment)]).toEqual([code, to]);
  expect(response.body.payment_status ?? from).toBe(from);
  expect(await calls.get(held.bill)).toMatchObject(amounts[to]);
});

describe('a claim on a payment', () => {
  test('succeeds for only one of ten tokens at the same time', async () => {
    const { payment, ana } = await paymentIn('reserved');

    const responses = await Promise.all(Array.from({ length: 10 }, () => calls.claim(payment, ana.asService)));

    expect(responses.map(codeOf).toSorted()).toEqual(['200', ...Array.from({ length: 9 }, () => other)]);
  });

  test('rules out a cancellation at the same time', async () => {
    const { payment, ana } = await paymentIn('reserved');

    const both = await Promise.all([calls.claim(payment, ana.asService), calls.cancel(payment, harness.waiter)]);

    const codes = both.map(codeOf);
    expect(codes.toSorted()).toEqual(['200', other]);
    expect(await calls.statusOf(payment)).toBe(codes[0] === '200' ? 'claimed' : 'cancelled');
  });

  test('shows the transfers service who is paying how much', async () => {
    const { bill, payment, ana, jti } = await paymentIn('claimed');
    const path = `/internal/bill-payments/${payment.id}`;

    const [own, byManager] = [await ana.asService('GET', path), await manager('GET', path)];

    const claim = { purpose: 'payment', jti };
    const shape = { bill_id: bill, status: 'claimed', total: '65.00', currency: 'BRL', transfer_id: null, claim };
    expect(own.body).toEqual({ id: payment.id, payer_id: ana.id, ...shape });
    expect(byManager.body).toEqual(own.body);
    expect(codeOf(await calls.diner(7).asService('GET', path))).toBe('404 not_found');
    expect(codeOf(await calls.staff('waiter', 9)('GET', path))).toBe('404 not_found');
  });

  test("is rejected for any caller that isn't a service", async () => {
    const { payment, ana } = await paymentIn('reserved');
    const { bill_id } = await calls.order(ana.call, { [dish]: 1 });
    const cash = { method: 'cash', part: { amount: '1.00' }, expected_amount: '1.00' };
    const byHand = created(await harness.waiter('POST', `/bills/${bill_id}/payments`, { body: cash }));

    const unsigned = caller(harness.url);
    const path = `/internal/bill-payments/${payment.id}/settle`;
    const headers = { 'x-service-signature': 'none' };
    const response = await unsigned('POST', path, { body: { statement: calls.expiry('x') }, headers });

    expect(codeOf(response)).toBe('403 caller_not_allowed');
    expect(codeOf(await calls.claim(byHand, ana.asService))).toBe('404 not_found');
  });
});

describe('a forged settlement', () => {
  const forged = ({ payment, jti }: Held, wrong: object = {}): string =>
    calls.sign({ ...calls.receiptOf({ jti, payment }), ...wrong }, 'receipt+jws');
  const statements: [string, string, (held: Held) => string][] = [
    ['another amount', other, (held) => forged(held, { amount: '64.99' })],
    ['a changed byte', other, (held) => forged(held).slice(0, -4) + 'AAAA'],
    [
      'the key of access tokens',
      '503 service_unavailable',
      ({ payment, jti }) => harness.issuer.sign(calls.receiptOf({ jti, payment }), { typ: 'receipt+jws' }),
    ],
  ];
  test.each(statements)('changes nothing if it has %s (%s)', async (_what, code, statementOf) => {
    const held = await paymentIn('claimed');
    const before = await calls.get(held.bill);

    const response = await calls.settle(held.payment, statementOf(held));

    expect(codeOf(response)).toBe(code);
    expect(await calls.get(held.bill)).toEqual(before);
    expect((await calls.settle(held.payment, forged(held))).status).toBe(200);
  });

  test('changes nothing with a receipt for another payment of the same amount', async () => {
    const [mine, theirs] = [await paymentIn('claimed'), await paymentIn('claimed')];

    const response = await calls.settle(mine.payment, forged(theirs));

    expect(codeOf(response)).toBe(other);
    expect(await calls.statusOf(mine.payment)).toBe('claimed');
  });
});

describe('a receipt for a released reservation', () => {
  test('pays for the same dishes if they are still unpaid', async () => {
    const ana = calls.diner(++lastId, { seating: calls.newSeating() });
    const { bill_id: bill } = await calls.order(ana.call, { [dish]: 3 });
    const part = { lines: [{ line_id: (await calls.get(bill)).lines[0].id, quantity: 2 }] };
    const payment = created(await calls.reserve(bill, ana, { part, expected_amount: '80.00' }));
    expect((await calls.cancel(payment, ana.call)).status).toBe(200);

    expect((await calls.settle(payment, calls.receipt({ jti: randomUUID(), payment }))).status).toBe(200);

    const after = await calls.get(bill);
    expect([after.paid, after.remaining, after.lines[0].settled, after.split.mode]).toEqual([
      '80.00',
      '40.00',
      { count: 2, of: 3 },
      'lines',
    ]);
  });
});

describe('a settlement of a payment', () => {
  test('is recorded only once, even if it is sent several times', async () => {
    const { bill, payment, jti } = await paymentIn('claimed');
    const receipt = calls.receipt({ jti, payment });

    const responses = await Promise.all(Array.from({ length: 5 }, () => calls.settle(payment, receipt)));
    responses.push(await calls.settle(payment, receipt));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const [stored] = (await calls.get(bill)).payments;
    expect(stored).toMatchObject({ status: 'paid', transfer_id: responses[0]?.body.transfer_id });
    expect(stored.settled_at).not.toBeNull();
    const history = (await harness.waiter('GET', `/bills/${bill}/history`)).body;
    const mine = history.filter(({ payment_id: id }: Json) => id === payment.id);
    expect(mine.map(({ what, actor }: Json) => [what, actor.role])).toEqual([
      ['payment_reserved', 'customer'],
      ['payment_claimed', 'customer'],
      ['payment_paid', 'customer'],
    ]);
  });

  test('changes only the refunded amount if it is for a refund on a closed bill', async () => {
    const { bill, payment, refundJti } = await paymentIn('paid');
    const cash = { method: 'cash', part: { rest: true }, expected_amount: '60.00' };
    created(await harness.waiter('POST', `/bills/${bill}/payments`, { body: cash }));
    expect((await harness.waiter('POST', `/bills/${bill}/close`, { body: {} })).status).toBe(200);
    await calls.claim(payment, manager, { purpose: 'refund', jti: refundJti });

    const receipt = calls.receipt({ jti: refundJti, payment, kind: 'bill_refund' });
    expect((await calls.settle(payment, receipt)).status).toBe(200);

    const closed = { status: 'closed', total: '120.00', paid: '120.00', remaining: '0.00', refunded: '60.00' };
    expect(await calls.get(bill)).toMatchObject(closed);
    expect((await calls.settle(payment, receipt)).status).toBe(200);
  });
});
