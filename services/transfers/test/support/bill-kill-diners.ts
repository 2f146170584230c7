import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StepUpTokenRequest } from '@comanda/testing/auth-stepup-process';
import { readStepUpToken } from '../../src/transfers/step-up-token.ts';
import type { BillKillStack, Diner } from './bill-kill-stack.ts';
import type { Traffic } from './traffic.ts';

/** What was done, and the answers that the diners got. */
export type Dinners = {
  /** How often each way of paying was tried. */
  tried: Record<string, number>;
  answers: Record<string, number>;
  /** Payments whose call was answered 201, by kind. */
  posted: { kind: 'bill_payment' | 'bill_refund'; paymentId: number }[];
  /** When the last of all tokens ends, in milliseconds since the epoch. */
  lastTokenEndsAt: number;
};
type Answer = { status: number; body: { code?: string; id?: number; bill_id?: number; total?: string } };
type Sent = { url: string; method?: string; token: string; body?: object; headers?: Record<string, string> };
type Options = { stack: BillKillStack; traffic: Traffic; random: (below: number) => number; dinners: Dinners };
type Payment = { id: number; billId: number; total: string };

/** A frozen instance does not answer, and the answer of a slow one is lost: the next call goes to the other one. */
const callTimeLimitMs = 1200;
/** A token lives 120 s. Those of this test were issued long before, so that all of them end while it runs. */
const tokenLifetimeMs = 120_000;
const [shortestMs, longestMs] = [5_000, 10_000];
const sessionMs = 120_000;
const quietMs = 1000;

/** Null if nothing was answered. */
async function send({ url, method = 'POST', token, body, headers = {} }: Sent): Promise<Answer | null> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callTimeLimitMs),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  } catch {
    return null;
  }
}
const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ''}`.trim();

const countIn = (counts: Record<string, number>, name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);

type Until = { isOver: () => boolean; isQuiet: () => boolean };

/** One customer who orders and pays, again and again, until `isOver`; with a pause before each order while `isQuiet`. */
export async function dine(options: Options, diner: Diner, { isOver, isQuiet }: Until): Promise<void> {
  const session = keepSession(options.stack, diner);
  const manager = keepSession(options.stack, options.stack.manager);
  while (!isOver()) {
    if (isQuiet()) await sleep(quietMs);
    const payment = await reserve(options, session, isOver);
    if (payment) await payInSomeWay(options, { diner, session, manager, payment });
  }
}

/** Repeats `ask` until there is an answer that is neither 5xx nor 401; null when the test is over. */
async function patiently(ask: () => Promise<Answer | null>, isOver: () => boolean): Promise<Answer | null> {
  while (!isOver()) {
    const answer = await ask();
    if (answer && answer.status < 500 && answer.status !== 401) return answer;
    await sleep(50);
  }
  return null;
}

type Session = () => Promise<string>;
/** The access token of a user, of a new session every two minutes. */
function keepSession({ issuer }: BillKillStack, user: { id: number; token: string }): Session {
  let { token } = user;
  let begunAt = Date.now();
  return async () => {
    if (Date.now() - begunAt < sessionMs) return token;
    const renewed = await issuer.newSession(user).catch(() => null);
    if (renewed) [token, begunAt] = [renewed.token, Date.now()];
    return token;
  };
}

async function reserve({ stack, traffic }: Options, session: Session, isOver: () => boolean): Promise<Payment | null> {
  const ask = async (path: string, body: object, key: string): Promise<Answer | null> => {
    const url = stack.ordersUrl + path;
    const headers = { 'idempotency-key': key };
    return traffic.watch(url, async () => send({ url, token: await session(), body, headers }));
  };
  const [orderKey, paymentKey] = [randomUUID(), randomUUID()];
  const items = [{ item_id: stack.dish, quantity: 2 }];
  const ordered = await patiently(() => ask('/orders', { items }, orderKey), isOver);
  const billId = ordered?.body.bill_id;
  const part = { method: 'account', part: { rest: true }, expected_amount: '40.00' };
  const reserved = ordered && (await patiently(() => ask(`/bills/${billId}/payments`, part, paymentKey), isOver));
  if (reserved?.status !== 201) return null;
  const { id, total } = reserved.body;
  return id === undefined || billId === undefined || total === undefined ? null : { id, billId, total };
}

type Paying = { diner: Diner; session: Session; manager: Session; payment: Payment };
type Kind = 'bill_payment' | 'bill_refund';

async function payInSomeWay(options: Options, paying: Paying): Promise<void> {
  const { stack, random, dinners } = options;
  const { payment, manager, diner } = paying;
  const cancel = async (): Promise<unknown> => {
    await sleep(random(60));
    const url = `${stack.ordersUrl}/bills/${payment.billId}/payments/${payment.id}/cancel`;
    return send({ url, token: await manager(), body: {} });
  };
  const pay = (account = diner.account) => move(options, { ...paying, kind: 'bill_payment', account });
  const refund = () => move(options, { ...paying, kind: 'bill_refund' });
  const ways: Record<string, () => Promise<unknown>> = {
    'with one token': pay,
    'with two tokens at once': () => Promise.all([pay(), pay()]),
    'with one token at both instances': () =>
      move(options, { ...paying, kind: 'bill_payment', account: diner.account, callers: 2 }),
    'while staff cancel it': () => Promise.all([pay(), cancel()]),
    'from an empty account': () => pay(diner.emptyAccount),
    'and given back': async () => {
      await pay();
      await refund();
    },
    'and given back with two tokens at once': async () => {
      await pay();
      await Promise.all([refund(), refund()]);
    },
  };
  const names = Object.keys(ways);
  const name = names[random(names.length)] ?? '';
  countIn(dinners.tried, name);
  await ways[name]?.();
}

type Move = Paying & { kind: Kind; account?: number; callers?: number };

/** Pays, or gives back, with one token and one key. Each caller repeats the call until it is final or the token has ended. */
async function move(options: Options, { payment, diner, session, manager, kind, account, callers = 1 }: Move) {
  const { stack, dinners, random } = options;
  const isPayment = kind === 'bill_payment';
  const facts = { payment_id: payment.id, amount: payment.total, currency: 'BRL' };
  const body = isPayment ? { ...facts, from_account_id: account } : facts;
  const lifetimeMs = shortestMs + random(longestMs - shortestMs);
  const stepUpToken = await issueToken(stack, {
    userId: isPayment ? diner.id : stack.manager.id,
    endpointKey: `${kind}.create`,
    details: [{ type: kind, ...body }] as NonNullable<StepUpTokenRequest['details']>,
    issuedAt: Date.now() - tokenLifetimeMs + lifetimeMs,
  });
  const endsAt = readStepUpToken(stepUpToken)?.expiresAtMs ?? 0;
  dinners.lastTokenEndsAt = Math.max(dinners.lastTokenEndsAt, endsAt);
  const headers = { 'x-step-up-token': stepUpToken, 'idempotency-key': randomUUID() };
  const path = isPayment ? '/accounts/bill-payments' : '/accounts/bill-refunds';
  const call = async (): Promise<void> => {
    const answer = await callUntilFinal(options, {
      endsAt,
      sent: async (url) => ({ url: url + path, token: await (isPayment ? session() : manager()), body, headers }),
    });
    countIn(dinners.answers, answer ? codeOf(answer) : 'none until the token ended');
    if (answer?.status === 201) dinners.posted.push({ kind, paymentId: payment.id });
  };
  await Promise.all(Array.from({ length: callers }, call));
}

async function issueToken({ issuer }: BillKillStack, request: StepUpTokenRequest): Promise<string> {
  for (;;) {
    const token = await issuer.issueStepUpToken(request).catch(() => null);
    if (token !== null) return token;
    await sleep(50); // Redis or the database is down
  }
}

/** Nothing is decided by these, or another call with the same token is under way. */
const undecided = new Set(['401 invalid_token', '401 authentication_required', '409 request_in_progress']);

type Repeated = { endsAt: number; sent: (url: string) => Promise<Sent> };
async function callUntilFinal({ stack, traffic, random }: Options, { endsAt, sent }: Repeated): Promise<Answer | null> {
  for (let instance = random(2); Date.now() < endsAt + 500; instance = 1 - instance) {
    const url = stack.transfersUrls[instance] ?? '';
    const answer = await traffic.watch(url, async () => send(await sent(url)));
    if (answer && answer.status < 500 && !undecided.has(codeOf(answer))) return answer;
    await sleep(50 + random(100));
  }
  return null;
}
