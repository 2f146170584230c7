import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import {
  choosePin,
  consentTo,
  depositKey,
  openAccount,
  pin,
  registerCustomer,
  tokenFor,
  withoutLimits,
  type RegisteredCustomer,
} from '@comanda/testing/step-up-calls';

// Bills are paid from accounts in a whole restaurant: orders, transfers and auth-stepup as they are.

type Payment = { id: number; total: string; billId: number };
type Customer = RegisteredCustomer & { account: number };

let stack: Stack;
let manager: Call;
let mongo: MongoClient;
let bills: Collection<Document & { _id: number }>;
beforeAll(async () => {
  const servers = await isolatedServers('bill_payments');
  mongo = await new MongoClient(servers.mongodbUri).connect();
  bills = mongo.db(`${servers.database}_orders`).collection('bills');
  stack = await startStack(servers, withoutLimits);
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
});
afterAll(async () => {
  await stack?.close();
  await mongo?.close();
});

async function newCustomer(balance = '1000.00'): Promise<Customer> {
  const customer = await registerCustomer(stack, 'Ana');
  created(await choosePin(customer.call));
  const account = await openAccount(customer.call);
  const headers = { 'x-step-up-token': await tokenFor(manager, depositKey) };
  created(await manager('POST', `/accounts/${account}/deposits`, { body: { amount: balance }, headers }));
  return { ...customer, account };
}
/** A bill of 40.00 of an order of this customer, and its rest reserved. */
async function reserve({ call }: Customer): Promise<Payment> {
  const dish = created(await manager('POST', '/menu', { body: { name: randomUUID(), price: '20.00' } }));
  const order = created(await call('POST', '/orders', { body: { items: [{ item_id: dish.id, quantity: 2 }] } }));
  const body = { method: 'account', part: { rest: true }, expected_amount: '40.00' };
  const payment = created(await call('POST', `/bills/${order.bill_id}/payments`, { body }));
  return { id: payment.id, total: payment.total, billId: order.bill_id };
}
async function pay({ call, account }: Customer, payment: Payment, sent: { key?: string; token?: string } = {}) {
  const what = { payment_id: payment.id, from_account_id: account, amount: payment.total, currency: 'BRL' };
  const token = sent.token ?? (await consentTo(call, { type: 'bill_payment', ...what }));
  const headers = { 'x-step-up-token': token, ...(sent.key !== undefined && { 'idempotency-key': sent.key }) };
  return call('POST', '/accounts/bill-payments', { body: what, headers });
}
/** As clients do on a busy machine: an answer that leaves the outcome open is asked for again with the same key. */
function payUntilDecided(customer: Customer, payment: Payment, token: string): Promise<Called> {
  const key = randomUUID();
  const paid = async (): Promise<Called | null> => {
    const response = await pay(customer, payment, { key, token });
    return response.status === 503 || codeOf(response) === '409 request_in_progress' ? null : response;
  };
  return until(paid, { what: 'an answer that is no 503', timeoutMs: 60_000 });
}
async function refund({ id, total }: Payment): Promise<Called> {
  const body = { payment_id: id, amount: total, currency: 'BRL' };
  const headers = { 'x-step-up-token': await consentTo(manager, { type: 'bill_refund', ...body }) };
  return manager('POST', '/accounts/bill-refunds', { body, headers });
}
const paymentOf = async ({ billId, id }: Payment) =>
  (await manager('GET', `/bills/${billId}/payments/${id}`)).body as { status: string; transfer_id: number | null };
const balanceOf = async ({ account }: Customer): Promise<string> =>
  (await manager('GET', `/accounts/${account}`)).body.balance;

test('when a customer pays with the PIN, then the takings have the money, the bill is paid, and the receipt names the payment', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);

  const transfer = created(await pay(ana, payment));

  expect(transfer).toMatchObject({ kind: 'bill_payment', payment_id: payment.id, amount: '40.00' });
  const receipt = JSON.parse(Buffer.from(transfer.receipt.split('.')[1] ?? '', 'base64url').toString()) as object;
  expect(receipt).toMatchObject({ kind: 'bill_payment', payment_id: payment.id });
  expect(await paymentOf(payment)).toMatchObject({ status: 'paid', transfer_id: transfer.id });
  expect(await balanceOf(ana)).toBe('960.00');
  const takings = await manager('GET', `/accounts/${transfer.to_account_id}`);
  expect(takings.body).toMatchObject({ purpose: 'takings', owner_id: null });
  const { body: entries } = await ana.call('GET', `/accounts/${ana.account}/entries`);
  expect(entries).toMatchObject([{ kind: 'bill_payment', payment_id: payment.id }, { kind: 'account_deposit' }]);
});

test('when a call is repeated with its key, then the answer is the same, and the money has moved once', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);
  const key = randomUUID();
  const first = created(await pay(ana, payment, { key }));

  const again = await pay(ana, payment, { key });

  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(again.body).toEqual(first);
  expect(await balanceOf(ana)).toBe('960.00');
});

test('when a payment is paid by many calls at once, each with a token of its own, then one is posted', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);

  const tokens: string[] = [];
  const what = { payment_id: payment.id, from_account_id: ana.account, amount: payment.total, currency: 'BRL' };
  for (let count = 0; count < 20; count++) tokens.push(await consentTo(ana.call, { type: 'bill_payment', ...what }));

  const responses = await Promise.all(tokens.map((token) => payUntilDecided(ana, payment, token)));

  const codes = responses.map((response) => (response.status === 201 ? 'posted' : codeOf(response)));
  expect(codes.filter((code) => code === 'posted')).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set(['posted', '409 payment_not_payable']));
  expect(await balanceOf(ana)).toBe('960.00');
  expect((await paymentOf(payment)).status).toBe('paid');
});

test('when another customer pays it, or the amount is another one, then the token is refused before it is spent', async () => {
  const [ana, bia] = [await newCustomer(), await newCustomer()];
  const payment = await reserve(ana);

  expect(codeOf(await pay(bia, payment))).toBe('404 not_found');
  const wrong = await pay(ana, { ...payment, total: '39.99' });
  expect([codeOf(wrong), wrong.body.total]).toEqual(['422 amount_mismatch', '40.00']);
  const other = { payment_id: payment.id, from_account_id: ana.account, amount: '40.00', currency: 'BRL' };
  expect(codeOf(await ana.call('POST', '/accounts/bill-payments', { body: other }))).toBe('401 step_up_required');
  created(await pay(ana, payment));
});

test('when a manager gives a payment back twice, then the payer has the money once', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);
  created(await pay(ana, payment));

  const transfer = created(await refund(payment));
  const again = await refund(payment);

  expect(transfer).toMatchObject({ kind: 'bill_refund', payment_id: payment.id, to_account_id: ana.account });
  expect(codeOf(again)).toBe('409 payment_not_payable');
  expect((await paymentOf(payment)).status).toBe('refunded');
  expect(await balanceOf(ana)).toBe('1000.00');
});

test('when somebody transfers to the takings, or a PIN is for any payment, then it is refused', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);
  const { to_account_id: takings } = created(await pay(ana, payment));
  const body = { from_account_id: ana.account, to_account_id: takings, amount: '1.00' };
  const headers = { 'x-step-up-token': await tokenFor(ana.call) };

  expect(codeOf(await ana.call('POST', '/accounts/internal-transfers', { body, headers }))).toBe(
    '404 account_not_found',
  );
  const withoutDetails = { endpoint_key: 'bill_payment.create', transaction_password: pin };
  expect(codeOf(await ana.call('POST', '/security/step-up', { body: withoutDetails }))).toBe(
    '422 authorization_details_invalid',
  );
});

test('when transfers are stopped while bills are being paid, then each payment has ended or is still reserved, and goes on later', async () => {
  // One after another: each needs the manager's PIN, and one is checked at a time.
  const customers = [await newCustomer(), await newCustomer(), await newCustomer(), await newCustomer()];
  const paying = await Promise.all(
    customers.map(async (customer) => {
      const payment = await reserve(customer);
      const what = { payment_id: payment.id, from_account_id: customer.account, amount: '40.00', currency: 'BRL' };
      const token = await consentTo(customer.call, { type: 'bill_payment', ...what });
      return { customer, payment, sent: { token, key: randomUUID() } };
    }),
  );
  const [first, ...others] = paying;
  if (!first) throw new Error('nobody pays');
  /** Again with its key and its token while nobody knows what became of it. */
  const payOne = ({ customer, payment, sent }: typeof first): Promise<Called> =>
    until(
      async () => {
        const response = await pay(customer, payment, sent);
        return response.status < 500 && codeOf(response) !== '409 request_in_progress' ? response : null;
      },
      { what: 'the end of a payment', timeoutMs: 30_000 },
    );
  const putStop = async (stopped: boolean): Promise<Called> => {
    const headers = { 'x-step-up-token': await tokenFor(manager, 'stop.manage') };
    return manager('PUT', '/stops/transfers', { body: { stopped }, headers });
  };

  const underWay = Promise.all(others.map(payOne));
  const stopped = await putStop(true);
  const responses = await underWay;
  const late = await payOne(first);

  expect([stopped.status, codeOf(late)]).toEqual([200, '403 transfers_stopped']);
  const states = await Promise.all(paying.map(async ({ payment }) => (await paymentOf(payment)).status));
  const expected = [late, ...responses].map((response) => (codeOf(response) === '201' ? 'paid' : 'reserved'));
  expect(states).toEqual(expected);
  await putStop(false);
  const again = await Promise.all(paying.map(payOne));
  expect(again.map(codeOf)).toEqual(paying.map(() => '201'));
  expect(await Promise.all(customers.map(balanceOf))).toEqual(customers.map(() => '960.00'));
});

describe('when only the database of orders is restored, to a time before a payment was paid', () => {
  /** A payment that was paid, and that orders has as reserved again. */
  async function paidAndForgotten(refunds: 'kept' | 'given back' = 'kept') {
    const ana = await newCustomer();
    const payment = await reserve(ana);
    const backup = await bills.findOne({ _id: payment.billId });
    const transfer = created(await pay(ana, payment));
    if (refunds === 'given back') created(await refund(payment));
    await bills.replaceOne({ _id: payment.billId }, { ...backup });
    expect((await paymentOf(payment)).status).toBe('reserved');
    return { ana, payment, transfer };
  }
  const untilIs = (payment: Payment, status: string) =>
    until(async () => (await paymentOf(payment)).status === status, { what: `a ${status} payment`, timeoutMs: 30_000 });

  test('then paying it again moves nothing, and the payment is paid by the first transfer', async () => {
    const { ana, payment, transfer } = await paidAndForgotten();

    const again = await pay(ana, payment);

    expect([codeOf(again), again.body.payment_status]).toEqual(['409 payment_not_payable', 'paid']);
    expect(await paymentOf(payment)).toMatchObject({ status: 'paid', transfer_id: transfer.id });
    expect(await balanceOf(ana)).toBe('960.00');
    created(await refund(payment));
    expect(await balanceOf(ana)).toBe('1000.00');
  });

  test('then one that was given back too is refunded, and paying it again moves nothing', async () => {
    const { ana, payment } = await paidAndForgotten('given back');

    expect(codeOf(await pay(ana, payment))).toBe('409 payment_not_payable');

    expect((await paymentOf(payment)).status).toBe('refunded');
    expect(await balanceOf(ana)).toBe('1000.00');
  });

  test('then after-restore of transfers makes it paid, also one that was given up, and what was given back refunded', async () => {
    const [{ payment }, { payment: second }] = [await paidAndForgotten(), await paidAndForgotten('given back')];
    const { status } = await manager('POST', `/bills/${payment.billId}/payments/${payment.id}/cancel`, { body: {} });
    expect(status).toBe(200);

    const reported = await stack.runServiceCommand('transfers', 'src/after-restore.ts', { args: [], env: {} });

    expect(reported).toMatch(/^\d+ payments and refunds of bills/);
    await untilIs(payment, 'paid');
    await untilIs(second, 'refunded');
    const { body: bill } = await manager('GET', `/bills/${payment.billId}`);
    expect(bill).toMatchObject({ paid: '40.00', remaining: '0.00' });
  });
});
