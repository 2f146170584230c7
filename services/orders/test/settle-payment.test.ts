import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { paymentStatuses } from '@comanda/contracts/bill-payments';
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
type Status = (typeof paymentStatuses)[number];
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
type Outcome = [code: string, status?: Status];
/** A receipt proves that the money for this payment has moved, so an unpaid payment becomes `paid`, whatever its status was. */
const paidUnlessPaid: Partial<Record<Status, Outcome>> = {
  reserved: ['200', 'paid'],
  cancelled: ['200', 'paid'],
  expired: ['200', 'paid'],
  claimed: ['200', 'paid'],
  failed: ['200', 'paid'],
};
/** Every change to an account payment. `outcomes`: the response and the new status, for each old status. */
const table: Record<string, { do: (held: Held) => Promise<Called>; outcomes: Record<Status, Outcome> }> = {
  'its payer cancels': {
    do: ({ payment, ana }) => calls.cancel(payment, ana.call),
    outcomes: {
      reserved: ['200', 'cancelled'],
      cancelled: ['200'],
      expired: [other],
      claimed: [other],
      failed: [other],
      paid: [other],
      refunding: [other],
      refunded: [other],
    },
  },
  'a waiter cancels': {
    do: ({ payment }) => calls.cancel(payment, harness.waiter),
    outcomes: {
      reserved: ['200', 'cancelled'],
      cancelled: ['200'],
      expired: [other],
      claimed: [other],
      failed: [other],
      paid: [other],
      refunding: [other],
      refunded: [other],
    },
  },
  'another customer cancels': {
    do: ({ payment }) => calls.cancel(payment, calls.diner(7).call),
    outcomes: everywhere('404 not_found'),
  },
  'a manager refunds it by hand': {
    do: ({ bill, payment }) =>
      harness.manager('POST', `/bills/${bill}/payments/${payment.id}/refund`, { body: { reason: 'Twice' } }),
    outcomes: everywhere('409 refund_by_transfer'),
  },
  'the payer claims it with a new token': {
    do: ({ payment, ana }) => calls.claim(payment, ana.asService),
    outcomes: { ...everywhere(other), reserved: ['200', 'claimed'] },
  },
  'the payer claims it with the same token': {
    do: ({ payment, ana, jti }) => calls.claim(payment, ana.asService, { jti }),
    outcomes: { ...everywhere(other), reserved: ['200', 'claimed'], claimed: ['200'] },
  },
  'another customer claims it': {
    do: ({ payment }) => calls.claim(payment, calls.diner(7).asService),
    outcomes: everywhere('404 not_found'),
  },
  'a manager claims it as its payer': {
    do: ({ payment }) => calls.claim(payment, manager),
    outcomes: everywhere('404 not_found'),
  },
  'a manager claims it for a refund': {
    do: ({ payment, refundJti: jti }) => calls.claim(payment, manager, { purpose: 'refund', jti }),
    outcomes: { ...everywhere(other), paid: ['200', 'refunding'], refunding: ['200'] },
  },
  'another manager claims it for a refund': {
    do: ({ payment }) => calls.claim(payment, calls.staff('manager', 8), { purpose: 'refund' }),
    outcomes: { ...everywhere(other), paid: ['200', 'refunding'] },
  },
  'a waiter claims it for a refund': {
    do: ({ payment }) => calls.claim(payment, calls.staff('waiter', 9), { purpose: 'refund' }),
    outcomes: everywhere('404 not_found'),
  },
  'the payer claims it for a refund': {
    do: ({ payment, ana }) => calls.claim(payment, ana.asService, { purpose: 'refund' }),
    outcomes: everywhere('403 forbidden'),
  },
  'the receipt of its token arrives': {
    do: ({ payment, jti }) => calls.settle(payment, calls.receipt({ jti, payment })),
    outcomes: { ...everywhere(other), ...paidUnlessPaid },
  },
  'the receipt of another token arrives, because this database was restored': {
    do: ({ payment }) => calls.settle(payment, calls.receipt({ jti: randomUUID(), payment })),
    outcomes: { ...everywhere(other), ...paidUnlessPaid },
  },
  'the rejection of its token arrives': {
    do: ({ payment, jti }) => calls.settle(payment, calls.refusal(jti)),
    outcomes: { ...everywhere('200'), claimed: ['200', 'failed'] },
  },
  'the expiry of its token arrives': {
    do: ({ payment, jti }) => calls.settle(payment, calls.expiry(jti)),
    outcomes: { ...everywhere('200'), claimed: ['200', 'failed'] },
  },
  'the rejection of another token arrives': {
    do: ({ payment }) => calls.settle(payment, calls.refusal(randomUUID())),
    outcomes: everywhere('200'),
  },
  'the receipt of its refund arrives': {
    do: (held) => calls.settle(held.payment, refundOf(held)),
    outcomes: { ...everywhere(other), paid: ['200', 'refunded'], refunding: ['200', 'refunded'] },
  },
  "the expiry of its refund's token arrives": {
    do: ({ payment, refundJti }) => calls.settle(payment, calls.expiry(refundJti)),
    outcomes: { ...everywhere('200'), refunding: ['200', 'paid'] },
  },
};
function everywhere(code: string): Record<Status, Outcome> {
  return Object.fromEntries(paymentStatuses.map((status): [Status, Outcome] => [status, [code]])) as Record<
    Status,
    Outcome
  >;
}

describe.each(Object.entries(table))('when %s', (_what, { do: act, outcomes }) => {
  test.each(paymentStatuses)('a payment that is %s changes as the table says', async (from) => {
    const held = await paymentIn(from);
    const [code, to = from] = outcomes[from];

    const response = await act(held);

    const reported = response.body.payment_status ?? from;
    expect([codeOf(response), await calls.statusOf(held.payment), reported]).toEqual([code, to, from]);
    const bill = await calls.get(held.bill);
    const counted = { paid: '0.00', reserved: '0.00', remaining: '120.00', tips: '0.00', refunded: '0.00' };
    const part = { remaining: '60.00' };
    const asPaid = { ...counted, ...part, paid: '60.00', tips: '5.00' };
    expect(bill).toMatchObject(
      {
        reserved: { ...counted, ...part, reserved: '60.00' },
        claimed: { ...counted, ...part, reserved: '60.00' },
        paid: asPaid,
        refunding: asPaid,
        refunded: counted,
        cancelled: counted,
        expired: counted,
        failed: counted,
      }[to],
    );
  });
});

describe('a claim on a payment', () => {
  test('is rejected once its token has expired, even if the token claimed the payment before', async () => {
    const { payment, ana, jti } = await paymentIn('claimed');
    const fresh = await paymentIn('reserved');
    const token_expires_at = new Date(clock()).toISOString();

    expect(codeOf(await calls.claim(payment, ana.asService, { jti, token_expires_at }))).toBe(other);
    expect(codeOf(await calls.claim(fresh.payment, fresh.ana.asService, { token_expires_at }))).toBe(other);
  });

  test('is rejected if its token was declared expired', async () => {
    const { payment, ana } = await paymentIn('reserved');
    const jti = randomUUID();
    await calls.settle(payment, calls.expiry(jti));

    const barred = await calls.claim(payment, ana.asService, { jti });

    expect([codeOf(barred), barred.body.payment_status]).toEqual([other, 'reserved']);
    expect((await calls.claim(payment, ana.asService)).status).toBe(200);
  });

  test('gets 422 for a different amount or currency', async () => {
    const { payment, ana } = await paymentIn('reserved');

    const wrongTotal = await calls.claim(payment, ana.asService, { total: '60.00' });
    const wrongCurrency = await calls.claim(payment, ana.asService, { currency: 'EUR' });

    expect([codeOf(wrongTotal), wrongTotal.body.total]).toEqual(['422 amount_mismatch', '65.00']);
    expect(codeOf(wrongCurrency)).toBe('422 currency_mismatch');
    expect(await calls.statusOf(payment)).toBe('reserved');
  });

  test('succeeds for only one of ten simultaneous tokens', async () => {
    const { payment, ana } = await paymentIn('reserved');

    const responses = await Promise.all(Array.from({ length: 10 }, () => calls.claim(payment, ana.asService)));

    expect(responses.map(codeOf).toSorted()).toEqual(['200', ...Array.from({ length: 9 }, () => other)]);
  });

  test('excludes a simultaneous cancellation', async () => {
    const { payment, ana } = await paymentIn('reserved');

    const both = await Promise.all([calls.claim(payment, ana.asService), calls.cancel(payment, harness.waiter)]);

    const codes = both.map(codeOf);
    expect(codes.toSorted()).toEqual(['200', other]);
    expect(await calls.statusOf(payment)).toBe(codes[0] === '200' ? 'claimed' : 'cancelled');
  });

  test('stays valid after 5 minutes', async () => {
    const { payment } = await paymentIn('claimed');
    clock.advance({ minutes: 60 });

    expect(await calls.statusOf(payment)).toBe('claimed');
  });

  test('shows the transfers service who pays how much', async () => {
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

  test('is rejected for callers other than services', async () => {
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
  const stranger = () => ({
    kid: randomUUID(),
    privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  });
  type Facts = ReturnType<ReturnType<typeof accountPayments>['receiptOf']>;
  const members: [string, Partial<Record<keyof Facts, unknown>>][] = [
    ['another payment', { payment_id: 1_000_000 }],
    ['no payment', { payment_id: undefined }],
    ['another amount', { amount: '64.99' }],
    ['the amount without the tip', { amount: '60.00' }],
    ['another currency', { currency: 'EUR' }],
    ['another payer', { user_id: 1_000_000 }],
    ['no payer', { user_id: undefined }],
    ['no time', { created_at: undefined }],
    [
      'another token, and a time before the payment was started',
      { jti: 'another', created_at: '2020-01-01T00:00:00Z' },
    ],
    ['another token, and no time', { jti: 'another', created_at: 'yesterday' }],
    ['no token', { jti: undefined }],
    ['the kind of a transfer', { kind: 'internal_transfer' }],
    ['the kind of a refund', { kind: 'bill_refund' }],
    ['no kind', { kind: undefined }],
    ['another status', { status: 'refused' }],
    ['no id', { id: undefined }],
  ];
  test.each(members)('changes nothing if the receipt has %s', async (_what, wrong) => {
    const { bill, payment, jti } = await paymentIn('claimed');
    const before = await calls.get(bill);

    const response = await calls.settle(
      payment,
      calls.sign({ ...calls.receiptOf({ jti, payment }), ...wrong }, 'receipt+jws'),
    );

    expect(codeOf(response)).toBe(other);
    expect(await calls.get(bill)).toEqual(before);
  });

  const signatures: [string, string, (held: Held) => string][] = [
    ['an unknown key', '503 service_unavailable', (held) => forged(held, stranger())],
    [
      "the id of transfers' key, but another key",
      other,
      (held) => forged(held, { ...stranger(), kid: harness.issuer.receiptSigner.kid }),
    ],
    [
      'the key of access tokens',
      '503 service_unavailable',
      ({ payment, jti }) => {
        const token = harness.issuer.sign(calls.receiptOf({ jti, payment }), { typ: 'receipt+jws' });
        return token;
      },
    ],
    ['another type', other, ({ payment, jti }) => calls.sign(calls.receiptOf({ jti, payment }), 'checkpoint+jws')],
    ['no signature', other, (held) => forged(held).split('.').slice(0, 2).join('.') + '.'],
    ['a changed byte', other, (held) => forged(held).slice(0, -4) + 'AAAA'],
    ['no JWS', other, () => 'paid'],
  ];
  const forged = ({ payment, jti }: Held, signer = harness.issuer.receiptSigner): string =>
    calls.sign(calls.receiptOf({ jti, payment }), 'receipt+jws', signer);
  test.each(signatures)('changes nothing if the statement has %s (%s)', async (_what, code, statementOf) => {
    const held = await paymentIn('claimed');
    const before = await calls.get(held.bill);

    const response = await calls.settle(held.payment, statementOf(held));

    expect(codeOf(response)).toBe(code);
    expect(await calls.get(held.bill)).toEqual(before);
    expect((await calls.settle(held.payment, forged(held))).status).toBe(200);
  });

  test("changes nothing if a refund's receipt is sent for a payment", async () => {
    const [held, second] = [await paymentIn('refunded'), await paymentIn('claimed')];
    const receipt = refundOf(held);

    const responses = [await calls.settle(held.payment, receipt), await calls.settle(second.payment, receipt)];
    const statement = calls.sign(
      { ...calls.receiptOf({ jti: second.jti, payment: second.payment }), kind: 'bill_refund' },
      'receipt+jws',
    );
    responses.push(await calls.settle(second.payment, statement));

    expect(responses.map(codeOf)).toEqual([other, other, other]);
    expect([await calls.statusOf(held.payment), await calls.statusOf(second.payment)]).toEqual(['refunded', 'claimed']);
  });

  test('changes nothing with a receipt for another payment of the same amount', async () => {
    const [mine, theirs] = [await paymentIn('claimed'), await paymentIn('claimed')];

    const response = await calls.settle(mine.payment, forged(theirs));

    expect(codeOf(response)).toBe(other);
    expect(await calls.statusOf(mine.payment)).toBe('claimed');
  });

  test('leaves the payment claimed if it rejects another token', async () => {
    const { payment } = await paymentIn('claimed');

    expect((await calls.settle(payment, calls.refusal(randomUUID()))).status).toBe(200);
    expect(await calls.statusOf(payment)).toBe('claimed');
  });
});

describe('a receipt for a released reservation', () => {
  /** Creates a bill for 120.00 and releases a reservation for two of its three dishes (80.00). */
  async function givenUp() {
    const ana = calls.diner(++lastId, { seating: calls.newSeating() });
    const { bill_id: bill } = await calls.order(ana.call, { [dish]: 3 });
    const line = (await calls.get(bill)).lines[0].id;
    const part = { lines: [{ line_id: line, quantity: 2 }] };
    const payment = created(await calls.reserve(bill, ana, { part, expected_amount: '80.00' }));
    expect((await calls.cancel(payment, ana.call)).status).toBe(200);
    const settle = () => calls.settle(payment, calls.receipt({ jti: randomUUID(), payment }));
    const byHand = async (taken: object, expected_amount: string) =>
      created(
        await harness.waiter('POST', `/bills/${bill}/payments`, {
          body: { method: 'cash', part: taken, expected_amount },
        }),
      );
    return { bill, line, payment, settle, byHand, ana };
  }

  test('pays for the same dishes if they are unpaid', async () => {
    const { bill, settle } = await givenUp();

    expect((await settle()).status).toBe(200);

    const after = await calls.get(bill);
    expect([after.paid, after.remaining, after.lines[0].settled, after.split.mode]).toEqual([
      '80.00',
      '40.00',
      { count: 2, of: 3 },
      'lines',
    ]);
  });

  test('changes nothing if too little of the bill is left to pay', async () => {
    const { bill, line, settle, byHand } = await givenUp();
    await byHand({ lines: [{ line_id: line, quantity: 2 }] }, '80.00');
    const before = await calls.get(bill);

    expect(codeOf(await settle())).toBe(other);

    expect(await calls.get(bill)).toEqual(before);
  });

  test('counts as a plain amount if the dishes have already been paid', async () => {
    const { bill, line, settle, byHand, ana } = await givenUp();
    await byHand({ lines: [{ line_id: line, quantity: 2 }] }, '80.00');
    await calls.order(ana.call, { [dish]: 2 });

    expect((await settle()).status).toBe(200);

    const after = await calls.get(bill);
    const [first, second] = after.lines.map(({ settled }: Json) => settled);
    expect([after.total, after.paid, after.remaining, after.split.mode]).toEqual([
      '200.00',
      '160.00',
      '40.00',
      'amount',
    ]);
    expect([first, second]).toEqual([
      { count: 2, of: 3 },
      { count: 0, of: 2 },
    ]);
  });
});

describe('a settlement', () => {
  test('is recorded once, even if it is sent several times', async () => {
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

  test('for a refund on a closed bill changes only the refunded amount', async () => {
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
