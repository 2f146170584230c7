import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { patient } from '@comanda/testing/patient';
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

// Customers pay bills from their accounts, in a complete restaurant with real services.

type Payment = { id: number; total: string; billId: number };
type Customer = RegisteredCustomer & { account: number };

let stack: Stack;
let manager: Call;
let mongo: MongoClient;
let bills: Collection<Document & { _id: number }>;
let movements: Collection;
beforeAll(async () => {
  const servers = await isolatedServers('bill_payments');
  mongo = await new MongoClient(servers.mongodbUri).connect();
  bills = mongo.db(`${servers.database}_orders`).collection('bills');
  movements = mongo.db(`${servers.database}_orders`).collection('movements');
  stack = await startStack(servers, withoutLimits);
  manager = patient(caller(stack.gatewayUrl, { token: stack.managerToken }));
  created(await choosePin(manager));
});
afterAll(async () => {
  await stack?.close();
  await mongo?.close();
});

async function newCustomer(balance = '1000.00'): Promise<Customer> {
  const customer = await registerCustomer(stack, 'Ana');
  const call = patient(customer.call);
  created(await choosePin(call));
  const account = await openAccount(call);
  const headers = { 'x-step-up-token': await tokenFor(manager, depositKey) };
  created(await manager('POST', `/accounts/${account}/deposits`, { body: { amount: balance }, headers }));
  return { ...customer, call, account };
}
/** Places an order of 40.00 for this customer, and reserves the whole bill for a payment. */
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
async function refund({ id, total }: Payment): Promise<Called> {
  const body = { payment_id: id, amount: total, currency: 'BRL' };
  const headers = { 'x-step-up-token': await consentTo(manager, { type: 'bill_refund', ...body }) };
  return manager('POST', '/accounts/bill-refunds', { body, headers });
}
/** Pays a reserved payment, and waits until orders has recorded it as paid. Returns the transfer. */
async function payAndSettle(customer: Customer, payment: Payment): Promise<Called['body']> {
  const transfer = created(await pay(customer, payment));
  await untilIs(payment, 'paid');
  return transfer;
}
async function refundAndSettle(payment: Payment): Promise<Called['body']> {
  const transfer = created(await refund(payment));
  await untilIs(payment, 'refunded');
  return transfer;
}
const paymentOf = async ({ billId, id }: Payment) =>
  (await manager('GET', `/bills/${billId}/payments/${id}`)).body as { status: string; transfer_id: number | null };
/**
 * Waits until orders has recorded the result of a payment or refund. The response waits only half a second for that, and on a
 * busy machine, orders may record it seconds later.
 */
const untilIs = (payment: Payment, status: string): Promise<boolean> =>
  until(async () => (await paymentOf(payment)).status === status, { what: `a ${status} payment`, timeoutMs: 30_000 });
const balanceOf = async ({ account }: Customer): Promise<string> =>
  (await manager('GET', `/accounts/${account}`)).body.balance;

test('a payment approved with the PIN moves money to the revenue account', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);

  const transfer = await payAndSettle(ana, payment);

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

test('a payment that is retried moves the money only once', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);
  const key = randomUUID();
  const first = created(await pay(ana, payment, { key }));

  const again = await pay(ana, payment, { key });

  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(again.body).toEqual(first);
  expect(await balanceOf(ana)).toBe('960.00');
});

test('a payment sent by many calls at the same time is posted only once', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);

  const tokens: string[] = [];
  const what = { payment_id: payment.id, from_account_id: ana.account, amount: payment.total, currency: 'BRL' };
  for (let count = 0; count < 20; count++) tokens.push(await consentTo(ana.call, { type: 'bill_payment', ...what }));

  const responses = await Promise.all(tokens.map((token) => pay(ana, payment, { token })));

  const codes = responses.map((response) => (response.status === 201 ? 'posted' : codeOf(response)));
  expect(codes.filter((code) => code === 'posted')).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set(['posted', '409 payment_not_payable']));
  expect(await balanceOf(ana)).toBe('960.00');
  await untilIs(payment, 'paid');
});

test('a token for another customer or amount is rejected, but stays unspent', async () => {
  const [ana, bia] = [await newCustomer(), await newCustomer()];
  const payment = await reserve(ana);

  expect(codeOf(await pay(bia, payment))).toBe('404 not_found');
  const wrong = await pay(ana, { ...payment, total: '39.99' });
  expect([codeOf(wrong), wrong.body.total]).toEqual(['422 amount_mismatch', '40.00']);
  const other = { payment_id: payment.id, from_account_id: ana.account, amount: '40.00', currency: 'BRL' };
  expect(codeOf(await ana.call('POST', '/accounts/bill-payments', { body: other }))).toBe('401 step_up_required');
  created(await pay(ana, payment));
});

test('a payment that a manager refunds twice is refunded only once', async () => {
  const ana = await newCustomer();
  const payment = await reserve(ana);
  await payAndSettle(ana, payment);

  const transfer = await refundAndSettle(payment);
  const again = await refund(payment);

  expect(transfer).toMatchObject({ kind: 'bill_refund', payment_id: payment.id, to_account_id: ana.account });
  expect(codeOf(again)).toBe('409 payment_not_payable');
  expect(await balanceOf(ana)).toBe('1000.00');
});

test('transfers to the revenue account are rejected', async () => {
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

test('a bill payment is finished or stays reserved when transfers are paused', async () => {
  // Creates the customers one after another: each needs the manager's PIN, and one user can't have two PIN checks at the same
  // time.
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
  const payOne = ({ customer, payment, sent }: typeof first): Promise<Called> => pay(customer, payment, sent);
  const putStop = async (stopped: boolean): Promise<Called> => {
    const headers = { 'x-step-up-token': await tokenFor(manager, 'stop.manage') };
    return manager('PUT', '/stops/transfers', { body: { stopped }, headers });
  };

  const underWay = Promise.all(others.map(payOne));
  const stopped = await putStop(true);
  const responses = await underWay;
  const late = await payOne(first);

  expect([stopped.status, codeOf(late)]).toEqual([200, '403 transfers_stopped']);
  for (const [index, response] of [late, ...responses].entries())
    await untilIs(paying[index]?.payment ?? first.payment, codeOf(response) === '201' ? 'paid' : 'reserved');
  await putStop(false);
  const again = await Promise.all(paying.map(payOne));
  expect(again.map(codeOf)).toEqual(paying.map(() => '201'));
  expect(await Promise.all(customers.map(balanceOf))).toEqual(customers.map(() => '960.00'));
});

describe('when only the orders database is restored to a time before a payment', () => {
  /** Creates a payment that was paid, or paid and refunded, but that the restored orders database shows as reserved. */
  async function paidAndForgotten(refunds: 'kept' | 'given back' = 'kept') {
    const ana = await newCustomer();
    const payment = await reserve(ana);
    const backup = await bills.findOne({ _id: payment.billId });
    const transfer = await payAndSettle(ana, payment);
    if (refunds === 'given back') await refundAndSettle(payment);
    await bills.replaceOne({ _id: payment.billId }, { ...backup });
    await movements.deleteMany({ bill_id: payment.billId });
    expect((await paymentOf(payment)).status).toBe('reserved');
    return { ana, payment, transfer };
  }

  test("paying again doesn't move money, but marks the payment as paid", async () => {
    const { ana, payment, transfer } = await paidAndForgotten();

    const again = await pay(ana, payment);

    expect([codeOf(again), again.body.payment_status]).toEqual(['409 payment_not_payable', 'paid']);
    await untilIs(payment, 'paid');
    expect((await paymentOf(payment)).transfer_id).toBe(transfer.id);
    expect(await balanceOf(ana)).toBe('960.00');
    created(await refund(payment));
    expect(await balanceOf(ana)).toBe('1000.00');
  });

  test("refunding again doesn't move money, but marks the payment as refunded", async () => {
    const { ana, payment } = await paidAndForgotten('given back');

    expect(codeOf(await pay(ana, payment))).toBe('409 payment_not_payable');

    await untilIs(payment, 'refunded');
    expect(await balanceOf(ana)).toBe('1000.00');
  });

  test("running after-restore in transfers restores the payment's final status", async () => {
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
