import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuthStepup, StepUpTokenRequest } from '@comanda/testing/auth-stepup-process';
import { codeOf, type Call, type Called } from '@comanda/testing/call';
import { isFinal, type Attempts, type ClientOptions } from './attempts.ts';

/** Issues step-up tokens without a PIN check and with a shorter lifetime than in production. */
export type Issuer = Pick<AuthStepup, 'issueStepUpToken' | 'unspendStepUpToken'>;
/** A customer with two accounts: one for paying, and one that is empty. */
export type Payer = { id: number; call: Call; account: number; emptyAccount: number; startMinor: number };
type Actors = { manager: Call; managerId: number; issuer: Issuer };
type Options = Pick<ClientOptions, 'observed' | 'restMs'> &
  Pick<Attempts, 'attempt' | 'repeat' | 'now'> & { isStopped: () => boolean };
type Payment = { id: number; billId: number; total: string };
type Move = { kind: 'bill_payment' | 'bill_refund'; account?: number; callers?: number };

/**
 * How long a client waits for a response before it sends the same request again, in milliseconds. The first request may still be
 * processed later, for example after a freeze.
 */
const callTimeLimitMs = 1_200;
/**
 * How long a token is valid in production, in milliseconds. In this run, tokens expire after a time between the two limits below,
 * so that the payments of a killed instance end during the run.
 */
const tokenLifetimeMs = 120_000;
const [shortestMs, longestMs] = [5_000, 10_000];

/** Makes a customer order and pay from an account, again and again, in every possible way. */
export async function payBills(actors: Actors, payer: Payer, options: Options): Promise<void> {
  while (!options.isStopped()) {
    const payment = await reserve(payer, options);
    if (payment) await payInSomeWay(actors, payer, { payment, options });
    await pause(options.restMs);
  }
}

async function reserve({ call, account }: Payer, { observed, repeat, now }: Options): Promise<Payment | null> {
  const post = (path: string, body: object) => {
    const headers = { 'idempotency-key': randomUUID() };
    return repeat(`POST ${path.replaceAll(/\d+/g, 'N')}`, () => call('POST', path, { headers, body }));
  };
  const ordered = await post('/orders', { items: [{ name: 'Feijoada', quantity: 1 }] });
  if (ordered?.status !== 201) {
    observed.unknownOrders += 1;
    if (ordered) observed.broken.push(`an order was answered ${codeOf(ordered)}`);
    return null;
  }
  const { id: order, version, bill_id: billId } = ordered.body as { id: number; version: number; bill_id: number };
  observed.orders.set(order, { versions: [version], status: 'received', isUnknown: false });
  observed.acceptedAt.set(order, now());
  const part = { method: 'account', part: { rest: true }, expected_amount: '32.50' };
  const reserved = await post(`/bills/${billId}/payments`, part);
  if (reserved?.status !== 201) {
    observed.unknownPayments += 1;
    if (reserved) observed.broken.push(`a reservation was answered ${codeOf(reserved)}`);
    return null;
  }
  const { id, total } = reserved.body as { id: number; total: string };
  observed.payments.set(id, { billId, account, minor: Math.round(Number(total) * 100) });
  return { id, billId, total };
}

type Paying = { payment: Payment; options: Options };
async function payInSomeWay(actors: Actors, payer: Payer, { payment, options }: Paying): Promise<void> {
  const move = (how: Move): Promise<unknown> => moveMoney(actors, payer, { payment, options, ...how });
  const pay = (account = payer.account) => move({ kind: 'bill_payment', account });
  const refund = () => move({ kind: 'bill_refund' });
  const cancel = async (): Promise<unknown> => {
    await pause(randomInt(60));
    const path = `/bills/${payment.billId}/payments/${payment.id}/cancel`;
    return options.attempt('POST cancel', () => actors.manager('POST', path, { body: {} }));
  };
  const ways: readonly (() => Promise<unknown>)[] = [
    pay,
    () => Promise.all([pay(), pay()]),
    () => move({ kind: 'bill_payment', account: payer.account, callers: 2 }),
    () => Promise.all([pay(), cancel()]),
    () => pay(payer.emptyAccount),
    async () => {
      await pay();
      await refund();
    },
    async () => {
      await pay();
      await Promise.all([refund(), refund()]);
    },
  ];
  await ways[randomInt(ways.length)]?.();
}

/**
 * Pays or refunds with one token and one idempotency key. Several callers may send the same request; each retries until the
 * response is final or the token has expired.
 */
async function moveMoney(
  { manager, managerId, issuer }: Actors,
  payer: Payer,
  { payment, options, kind, account, callers = 1 }: Paying & Move,
): Promise<void> {
  const { observed, attempt, isStopped } = options;
  const isPayment = kind === 'bill_payment';
  const call = isPayment ? payer.call : manager;
  const body = {
    payment_id: payment.id,
    amount: payment.total,
    currency: 'BRL',
    ...(isPayment && { from_account_id: account }),
  };
  const endsAt = Date.now() + randomInt(shortestMs, longestMs);
  const request: StepUpTokenRequest = {
    userId: isPayment ? payer.id : managerId,
    endpointKey: `${kind}.create`,
    details: [{ type: kind, ...body }] as NonNullable<StepUpTokenRequest['details']>,
    issuedAt: endsAt - tokenLifetimeMs,
  };
  observed.lastTokenEndsAt = Math.max(observed.lastTokenEndsAt, endsAt);
  let token: string | null = null;
  while (token === null) {
    if (Date.now() > endsAt || isStopped()) return;
    token = await issuer.issueStepUpToken(request).catch(() => pause(50, null));
  }
  const headers = { 'x-step-up-token': token, 'idempotency-key': randomUUID() };
  const path = isPayment ? '/accounts/bill-payments' : '/accounts/bill-refunds';
  const send = (): Promise<Called | null> => attempt(`POST ${path}`, () => call('POST', path, { headers, body }));
  async function callUntilFinal(): Promise<void> {
    while (Date.now() < endsAt + 500) {
      const response = await Promise.race([send(), pause(callTimeLimitMs, null)]);
      const isLost = randomInt(10) === 0;
      if (!isLost && isFinal(response) && codeOf(response) !== '401 invalid_token') return noteFinal(response);
      await pause(50 + randomInt(100));
    }
  }
  function noteFinal(response: Called): void {
    if (response.status === 201) observed.paid.push({ kind, paymentId: payment.id, transferId: response.body.id });
  }
  await Promise.all(Array.from({ length: callers }, callUntilFinal));
}
