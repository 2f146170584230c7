import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created, type Called } from '@comanda/testing/call';
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
  harness = await startOrdersHarness('orders-pix', { clock });
  calls = accountPayments(harness);
  dish = await harness.createDish({ price: '40.00' });
});
afterAll(() => harness.close());

let lastId = 100;
const marta = { id: 900_001, name: 'Marta', role: 'manager' };
const newE2e = (): string => `E${randomUUID().replaceAll('-', '').slice(0, 31)}`;
const share = { method: 'pix', part: { shares: 1, of: 2 }, expected_amount: '60.00', tip: '5.00' };

type Reserved = { bill: number; ana: Diner; payment: Json };
/** Creates a bill for 120.00, of which Ana has reserved 60.00 plus a tip of 5.00. */
async function reserved(): Promise<Reserved> {
  const ana = calls.diner(++lastId, { seating: calls.newSeating() });
  const { bill_id: bill } = await calls.order(ana.call, { [dish]: 3 });
  return { bill, ana, payment: created(await calls.reserve(bill, ana, share)) };
}
const statementOf = ({ id, created_at, total }: Json, facts: object = {}) => ({
  purpose: 'payment',
  payment_id: id,
  payment_created_at: created_at,
  amount: total,
  currency: 'BRL',
  end_to_end_id: newE2e(),
  confirmed_by: 'bank',
  confirmation_id: null,
  refund_id: null,
  by: null,
  iat: 1_795_208_400,
  ...facts,
});
const send = (payload: object): Promise<Called> =>
  caller(harness.url)('POST', '/internal/pix-statements', { body: { statement: calls.sign(payload, 'pix+jws') } });
const decided = async (payload: object): Promise<Json> => (await send(payload)).body;
const paymentAs = async (by: Called['body'], { bill_id, id }: Json): Promise<Json> =>
  (await by('GET', `/bills/${bill_id}/payments/${id}`)).body;

describe('reserving a part for a Pix', () => {
  test('holds it for 10 minutes, for guests too', async () => {
    const seating = calls.newSeating();
    const guest = harness.as({ sub: ++lastId, role: 'customer', name: 'Guest', table: '12', seating });
    const { bill_id: bill } = await calls.order(guest, { [dish]: 3 });

    const payment = created(await guest('POST', `/bills/${bill}/payments`, { body: share }));

    expect(payment).toMatchObject({
      method: 'pix',
      status: 'reserved',
      payer: { id: lastId },
      pix: { confirmed_by: null, end_to_end_id: null },
      expires_at: new Date(clock() + 10 * 60_000).toISOString(),
      settled_at: null,
      transfer_id: null,
    });
  });

  test('replaces the earlier reservation of the same customer, of any method', async () => {
    const { bill, ana, payment } = await reserved();

    const next = created(await calls.reserve(bill, ana, { part: { rest: true }, expected_amount: '120.00' }));

    expect([await calls.statusOf(payment), next.method]).toEqual(['cancelled', 'account']);
  });

  test('is possible several times for staff, who are not the payer', async () => {
    const { bill } = await reserved();
    const ask = { ...share, part: { amount: '10.00' }, expected_amount: '10.00' };

    const [first, second] = [
      created(await harness.waiter('POST', `/bills/${bill}/payments`, { body: ask })),
      created(await harness.waiter('POST', `/bills/${bill}/payments`, { body: ask })),
    ];

    expect([first.payer, await calls.statusOf(first), second.status]).toEqual([null, 'reserved', 'reserved']);
    expect((await calls.cancel(first, harness.waiter)).body.status).toBe('cancelled');
  });

  test.each([{ received: '100.00' }, { reference: 'A1' }])('takes no %j', async (more) => {
    const { bill } = await reserved();
    const body = { ...share, part: { amount: '10.00' }, expected_amount: '10.00', ...more };

    const response = await harness.waiter('POST', `/bills/${bill}/payments`, { body });

    expect([codeOf(response), response.body.errors[0].pointer]).toEqual([
      '400 validation_failed',
      `/${Object.keys(more)[0]}`,
    ]);
  });

  test('is answered again as it was, even after it is paid', async () => {
    const ana = calls.diner(++lastId, { seating: calls.newSeating() });
    const { bill_id: bill } = await calls.order(ana.call, { [dish]: 3 });
    const request = { body: share, headers: { 'idempotency-key': 'pix-1' } };
    const first = created(await ana.call('POST', `/bills/${bill}/payments`, request));
    expect(await decided(statementOf(first))).toMatchObject({ outcome: 'accepted' });

    const again = await ana.call('POST', `/bills/${bill}/payments`, request);

    expect(again.body).toEqual(first);
  });
});

describe('what transfers asks about a payment', () => {
  test('is told to everyone who can read the bill', async () => {
    const { ana, payment } = await reserved();
    const path = `/internal/pix-payments/${payment.id}`;

    const own = await ana.asService('GET', path);

    expect(own.body).toEqual({
      id: payment.id,
      created_at: payment.created_at,
      status: 'reserved',
      total: '65.00',
      currency: 'BRL',
      expires_at: payment.expires_at,
      confirmed_by: null,
    });
    expect((await calls.staff('waiter', 9)('GET', path)).body).toEqual(own.body);
    expect(codeOf(await calls.diner(++lastId).asService('GET', path))).toBe('404 not_found');
    clock.advance({ minutes: 10 });
    expect((await ana.asService('GET', path)).body).toMatchObject({ status: 'expired', expires_at: null });
  });
});

describe('a statement that a Pix was received', () => {
  test('pays its payment, and only staff see its id', async () => {
    const { bill, ana, payment } = await reserved();
    const statement = statementOf(payment);

    expect(await decided(statement)).toEqual({ outcome: 'accepted', reason: null, payment_id: payment.id });

    const pix = { confirmed_by: 'bank', end_to_end_id: statement.end_to_end_id };
    expect(await paymentAs(harness.waiter, payment)).toMatchObject({ status: 'paid', pix, expires_at: null });
    expect((await paymentAs(ana.call, payment)).pix).toEqual({ ...pix, end_to_end_id: null });
    expect(await calls.get(bill)).toMatchObject({ paid: '60.00', reserved: '0.00', remaining: '60.00', tips: '5.00' });
    await until(() => harness.events.of('bill.changed', bill).length > 1, { what: 'the event of the payment' });
    const event = harness.events.of('bill.changed', bill).at(-1);
    expect(event?.data).toMatchObject({ change: { kind: 'payment_paid', payment_id: payment.id } });
    expect(JSON.stringify(event)).not.toContain(statement.end_to_end_id);
  });

  test('is decided once, and answered again for ever', async () => {
    const { bill, ana, payment } = await reserved();
    const [right, wrong] = [statementOf(payment), statementOf(payment, { amount: '0.01' })];

    const refusal = await decided(wrong);
    const all = await Promise.all(Array.from({ length: 5 }, (_, iat) => decided({ ...right, iat })));
    const later = statementOf(payment);

    expect(refusal).toEqual({ outcome: 'refused', reason: 'wrong_amount', payment_id: payment.id });
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await decided(later)).toMatchObject({ outcome: 'refused', reason: 'already_paid' });
    const { version } = await calls.get(bill);
    expect(await decided(right)).toMatchObject({ outcome: 'accepted' });
    expect(await decided({ ...wrong, amount: payment.total })).toEqual(refusal);
    expect((await calls.get(bill)).version).toBe(version);
    expect((await calls.cancel(payment, ana.call)).status).toBe(409);
  });

  test('pays after the reservation has ended, and after a restart of the payer', async () => {
    const { bill, ana, payment } = await reserved();
    clock.advance({ minutes: 10 });
    const next = created(await calls.reserve(bill, ana, share));
    const cash = { method: 'cash', part: { rest: true }, expected_amount: '60.00' };
    created(await harness.waiter('POST', `/bills/${bill}/payments`, { body: cash }));

    expect(await decided(statementOf(payment))).toMatchObject({ outcome: 'accepted' });

    expect([await calls.statusOf(payment), await calls.statusOf(next)]).toEqual(['paid', 'cancelled']);
    expect(await calls.get(bill)).toMatchObject({ paid: '120.00', remaining: '0.00' });
  });

  test('pays one payment only', async () => {
    const [mine, theirs] = [await reserved(), await reserved()];
    const end_to_end_id = newE2e();
    expect(await decided(statementOf(mine.payment, { end_to_end_id }))).toMatchObject({ outcome: 'accepted' });

    const second = await decided(statementOf(theirs.payment, { end_to_end_id }));

    expect(second).toMatchObject({ outcome: 'refused', reason: 'already_paid' });
    const unnamed = { payment_id: null, payment_created_at: null, end_to_end_id };
    expect(await decided(statementOf(theirs.payment, unnamed))).toEqual({
      outcome: 'accepted',
      reason: null,
      payment_id: mine.payment.id,
    });
  });

  test('without a payment is refused, and asked again', async () => {
    const { payment } = await reserved();
    const end_to_end_id = newE2e();
    const unnamed = statementOf(payment, { payment_id: null, payment_created_at: null, end_to_end_id });

    expect(await decided(unnamed)).toEqual({ outcome: 'refused', reason: 'no_charge', payment_id: null });
    expect(await decided(statementOf(payment, { end_to_end_id }))).toMatchObject({ outcome: 'accepted' });
    expect(await decided(unnamed)).toMatchObject({ outcome: 'accepted', payment_id: payment.id });
  });

  test('for a payment that this database does not have is refused', async () => {
    const { payment } = await reserved();

    const other = await decided(statementOf({ ...payment, created_at: '2020-01-01T00:00:00.000Z' }));

    expect(other).toEqual({ outcome: 'refused', reason: 'not_found', payment_id: payment.id });
    expect(await decided(statementOf({ ...payment, id: 99_999_999 }))).toMatchObject({ reason: 'not_found' });
  });

  test('that a manager has assigned is on the list of exceptions', async () => {
    const { bill, payment } = await reserved();

    expect(await decided(statementOf(payment, { by: marta }))).toMatchObject({ outcome: 'accepted' });

    const rows = (await harness.manager('GET', '/exceptions?kind=pix_assigned')).body;
    expect(rows[0]).toMatchObject({ bill_id: bill, amount: '60.00', by: { id: marta.id } });
  });

  test.each<[string, (payload: Record<string, unknown>) => Promise<Called>, string]>([
    ['changed', (payload) => sendText(`${calls.sign(payload, 'pix+jws').slice(0, -4)}AAAA`), '409 payment_not_payable'],
    ['of another type', (payload) => sendText(calls.sign(payload, 'receipt+jws')), '409 payment_not_payable'],
    ['incomplete', (payload) => send({ ...payload, end_to_end_id: null }), '409 payment_not_payable'],
    [
      'signed with another key',
      (payload) => sendText(harness.issuer.sign(payload, { typ: 'pix+jws' })),
      '503 service_unavailable',
    ],
    ['no statement', () => sendText('x'), '409 payment_not_payable'],
  ])('changes nothing if it is %s', async (_what, attempt, code) => {
    const { payment } = await reserved();

    expect(codeOf(await attempt(statementOf(payment)))).toBe(code);
    expect(await calls.statusOf(payment)).toBe('reserved');
  });
  const sendText = (statement: string): Promise<Called> =>
    caller(harness.url)('POST', '/internal/pix-statements', { body: { statement } });
});

describe('a payment that staff have confirmed', () => {
  const confirmed = (payment: Json, facts: object = {}) =>
    statementOf(payment, {
      end_to_end_id: null,
      confirmed_by: 'staff',
      confirmation_id: randomUUID(),
      by: { id: 900_002, name: 'Wanda', role: 'waiter' },
      reference: 'E123',
      ...facts,
    });

  test('is told apart until the bank shows its Pix', async () => {
    const { bill, payment } = await reserved();

    expect(await decided(confirmed(payment))).toMatchObject({ outcome: 'accepted' });
    expect(await paymentAs(harness.waiter, payment)).toMatchObject({
      status: 'paid',
      reference: 'E123',
      pix: { confirmed_by: 'staff', end_to_end_id: null },
    });
    expect(await decided(confirmed(payment))).toMatchObject({ outcome: 'accepted' });
    const statement = statementOf(payment);
    expect(await decided(statement)).toMatchObject({ outcome: 'accepted' });

    const pix = { confirmed_by: 'bank', end_to_end_id: statement.end_to_end_id };
    expect(await paymentAs(harness.waiter, payment)).toMatchObject({ status: 'paid', pix });
    expect((await calls.get(bill)).paid).toBe('60.00');
  });

  test('can be refunded by hand or in cash, and only then', async () => {
    const [seen, received] = [await reserved(), await reserved()];
    const statement = statementOf(received.payment);
    await decided(confirmed(seen.payment));
    await decided(statement);
    const refund = ({ bill, payment }: Reserved, more: object = {}) =>
      harness.manager('POST', `/bills/${bill}/payments/${payment.id}/refund`, { body: { reason: 'Twice', ...more } });

    const [inCash, byHand] = [await refund(seen, { method: 'cash' }), await refund(received)];

    expect(inCash.body).toMatchObject({ status: 'refunded', refund: { method: 'cash' } });
    expect([codeOf(byHand), byHand.body.end_to_end_id]).toEqual(['409 refund_by_pix', statement.end_to_end_id]);
    expect(codeOf(await refund(received, { method: 'cash' }))).toBe('409 refund_by_pix');
    expect(await decided(statementOf(seen.payment))).toMatchObject({ outcome: 'refused', reason: 'refunded' });
  });
});

describe('a refund through the bank', () => {
  test('is begun before the money goes, and ended after it has gone', async () => {
    const { bill, payment } = await reserved();
    const end_to_end_id = newE2e();
    await decided(statementOf(payment, { end_to_end_id }));
    const about = (purpose: string) =>
      decided(statementOf(payment, { purpose, end_to_end_id, refund_id: 'R1', by: marta }));

    expect(await about('refund_begun')).toEqual({ outcome: 'accepted', reason: null, payment_id: payment.id });
    expect(await calls.statusOf(payment)).toBe('refunding');
    expect(await about('refunded')).toMatchObject({ outcome: 'accepted' });

    const refunded = await paymentAs(harness.manager, payment);
    expect(refunded).toMatchObject({ status: 'refunded', refund: { method: 'pix', by: { id: marta.id } } });
    expect(await about('refund_begun')).toMatchObject({ outcome: 'accepted' });
    expect(await calls.statusOf(payment)).toBe('refunded');
    expect(await calls.get(bill)).toMatchObject({ paid: '0.00', remaining: '120.00' });
    const other = statementOf(payment, { purpose: 'refund_begun', end_to_end_id, refund_id: 'R2', by: marta });
    expect(await decided(other)).toMatchObject({ outcome: 'refused', reason: 'refunded' });
  });
});
