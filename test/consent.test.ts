import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import {
  choosePin,
  depositKey,
  registerCustomer,
  openAccount,
  otherPin,
  pin,
  resetKey,
  stepUp,
  tokenFor,
  withoutLimits,
  wrongPin,
} from '@comanda/testing/step-up-calls';
import type { RegisteredCustomer } from '@comanda/testing/step-up-calls';
import { startStack } from '@comanda/testing/stack';
import type { Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { IsolatedServers } from '@comanda/testing/isolated-servers';
import { openFeedClient } from '@comanda/testing/feed-client';
import type { FeedClient } from '@comanda/testing/feed-client';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { Redis } from 'ioredis';

/** More than this file signs in from its own address in a minute. */
const signInsOfAddress = 30;

/** All five services as processes; every call goes through the gateway. */
let servers: IsolatedServers;
let stack: Stack;
let manager: Call;
const opened: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  servers = await isolatedServers('consent');
  stack = await startStack(servers, {
    ...withoutLimits,
    RATE_LIMIT_SIGN_IN_ADDRESS: String(signInsOfAddress),
    TRUSTED_PROXIES: 'loopback',
    HASH_QUEUE: '6',
  });
  opened.push(stack.close);
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
}, 120_000);
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
});

const deposit = (account: number, token: string, headers: Record<string, string> = {}): Promise<Called> =>
  manager('POST', `/accounts/${account}/deposits`, {
    body: { amount: '1000.00' },
    headers: { 'x-step-up-token': token, ...headers },
  });
const balanceOf = async (account: number): Promise<string> =>
  (await manager('GET', `/accounts/${account}`)).body.balance;
/** A customer with a PIN and an account that holds 1000.00. */
async function customerWithMoney(name: string): Promise<RegisteredCustomer & { account: number }> {
  const customer = await registerCustomer(stack, name);
  created(await choosePin(customer.call));
  const account = await openAccount(customer.call);
  created(await deposit(account, await tokenFor(manager, depositKey)));
  return { ...customer, account };
}
type TransferRequest = { from: number; to: number; token?: string; key?: string };
const send = ({ call }: RegisteredCustomer, { from, to, token, key }: TransferRequest): Promise<Called> =>
  call('POST', '/accounts/internal-transfers', {
    body: { from_account_id: from, to_account_id: to, amount: '12.50' },
    headers: { ...(token && { 'x-step-up-token': token }), ...(key && { 'idempotency-key': key }) },
  });
const statePath = '/security/transaction-password';
const countOf = (codes: string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));
async function openFeed(token: string): Promise<FeedClient> {
  const feed = openFeedClient(stack.gatewayUrl, { token, retryRefused: true });
  opened.push(feed.close);
  await feed.untilStatus('live', 20_000);
  return feed;
}
const securityTypes = ({ events }: FeedClient): string[] =>
  events.filter(({ type }) => type.startsWith('security.')).map(({ type }) => type);

test('when a customer creates, uses, changes, blocks and resets a PIN, then each step works as specified', async () => {
  const [ana, bia] = [await customerWithMoney('Ana'), await registerCustomer(stack, 'Bia')];
  const payee = await openAccount(bia.call);
  const [own, others] = [await openFeed(ana.token), await openFeed(bia.token)];
  const transfer = { from: ana.account, to: payee };
  const required = await send(ana, transfer);
  expect([codeOf(required), required.headers.get('www-authenticate')]).toEqual([
    '401 step_up_required',
    'Bearer error="insufficient_user_authentication", acr_values="urn:comanda:step-up"',
  ]);
  const token = await tokenFor(ana.call);
  expect((await send(ana, { ...transfer, token })).status).toBe(201);
  expect(codeOf(await send(ana, { ...transfer, token }))).toBe('401 step_up_used');
  expect([await balanceOf(ana.account), await balanceOf(payee)]).toEqual(['987.50', '12.50']);

  const unspent = await tokenFor(ana.call);
  const change = { current: pin, transaction_password: otherPin, confirmation: otherPin };
  expect((await ana.call('PUT', statePath, { body: change })).status).toBe(200);
  expect(codeOf(await send(ana, { ...transfer, token: unspent }))).toBe('401 step_up_invalid');
  const tries = [await stepUp(ana.call, wrongPin), await stepUp(ana.call, wrongPin), await stepUp(ana.call, wrongPin)];
  expect(tries.map(({ status, body }) => [status, body.attempts_remaining])).toEqual([
    [403, 2],
    [403, 1],
    [429, undefined],
  ]);
  expect(codeOf(await stepUp(ana.call, otherPin))).toBe('429 transaction_password_blocked');

  const approve = async () =>
    manager('POST', `/users/${ana.id}/transaction-password-resets`, {
      headers: { 'x-step-up-token': await tokenFor(manager, resetKey) },
    });
  created(await approve());
  const reset = { password: ana.password, transaction_password: pin, confirmation: pin };
  expect((await ana.call('POST', `${statePath}/reset`, { body: reset })).status).toBe(200);
  expect((await send(ana, { ...transfer, token: await tokenFor(ana.call) })).status).toBe(201);
  expect(await balanceOf(payee)).toBe('25.00');

  const expectedTypes = ['changed', 'blocked', 'reset'].map((what) => `security.transaction_password_${what}`);
  await until(() => securityTypes(own).length >= 3, { what: 'the events of the PIN', timeoutMs: 20_000 });
  expect(securityTypes(own)).toEqual(expectedTypes);
  const listed = (await ana.call('GET', '/security/events')).body.map(({ type }: { type: string }) => type);
  for (const what of ['created', 'changed', 'wrong', 'blocked', 'reset_approved', 'reset'])
    expect(listed).toContain(`transaction_password_${what}`);
  created(await choosePin(bia.call));
  await until(() => securityTypes(others).length > 0, { what: "Bia's own event", timeoutMs: 20_000 });
  expect(securityTypes(others)).toEqual(['security.transaction_password_created']);
}, 120_000);

describe('concurrent PIN checks', () => {
  const hashes = async (): Promise<number> => {
    const text = await (await fetch(`${stack.services['auth-stepup'].url}/metrics`)).text();
    return Number(/^comanda_hashes_total\{.*hashed="pin".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  test('when 500 wrong PINs are sent at once, then three are hashed, two are 403 and the rest 429', async () => {
    const { call } = await registerCustomer(stack, 'Ana');
    created(await choosePin(call));
    const before = await hashes();
    const answers = await Promise.all(Array.from({ length: 500 }, () => stepUp(call, wrongPin)));
    const hashed = (await hashes()) - before;
    const counts = countOf(answers.map(codeOf));
    const {
      '429 transaction_password_blocked': blocked = 0,
      '429 transaction_password_busy': busy = 0,
      // On a very slow machine: a check without a result in 10 s frees its slot, and whether it was right is not told.
      '503 service_unavailable': interrupted = 0,
      ...rest
    } = counts;
    const refused = blocked + busy + interrupted;
    expect({ ...rest, refused }).toEqual({ '403 transaction_password_invalid': 2, refused: 498 });
    expect(hashed).toBeGreaterThanOrEqual(3);
    expect(hashed).toBeLessThanOrEqual(3 + interrupted);
    expect(blocked).toBeGreaterThan(0);
    expect((await call('GET', statePath)).body.status).toBe('blocked');
  }, 120_000);

  test('when three right PINs are sent at once, then all are accepted and the PIN is not blocked', async () => {
    const { call } = await registerCustomer(stack, 'Ana');
    created(await choosePin(call));
    const answers = await Promise.all([stepUp(call), stepUp(call), stepUp(call)]);
    expect(answers.map(codeOf)).toEqual(['201', '201', '201']);
    expect((await call('GET', statePath)).body).toMatchObject({ status: 'usable', attempts_remaining: 3 });
  }, 120_000);

  test('when one address floods the sign-in with fresh e-mail addresses, then it gets 429, and a PIN is checked before its passwords', async () => {
    const { call } = await registerCustomer(stack, 'Ana');
    created(await choosePin(call));
    let answered = 0;
    const signIn = () => {
      const body = { email: newEmail('nobody'), password: 'not-the-password' };
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      return stack.call('POST', '/auth/login', { body, headers }).finally(() => answered++);
    };
    const signIns = Array.from({ length: signInsOfAddress + 20 }, signIn);
    // Two passwords are being hashed and six wait; the others were refused at once.
    await until(() => answered >= signIns.length - 8, { what: 'the queue of passwords to be full', timeoutMs: 20_000 });

    const checked = await stepUp(call);
    const waiting = signIns.length - answered;

    expect([codeOf(checked), waiting > 0]).toEqual(['201', true]);
    const codes = countOf((await Promise.all(signIns)).map(codeOf));
    expect(codes['429 rate_limited']).toBeGreaterThan(0);
    expect(codes['401 invalid_credentials']).toBeGreaterThan(0);
  }, 60_000);
});

test('when Redis loses all keys after two wrong PINs, then the third wrong one blocks the PIN all the same', async () => {
  const { call } = await registerCustomer(stack, 'Ana');
  created(await choosePin(call));
  const redis = new Redis(servers.redisUrl);
  try {
    const codes = [codeOf(await stepUp(call, wrongPin)), codeOf(await stepUp(call, wrongPin))];
    await redis.del(await redis.keys(`${servers.redisPrefix}*`));
    codes.push(codeOf(await stepUp(call, wrongPin)), codeOf(await stepUp(call)));

    const [wrong, blocked] = ['403 transaction_password_invalid', '429 transaction_password_blocked'];
    expect(codes).toEqual([wrong, wrong, blocked, blocked]);
  } finally {
    redis.disconnect();
  }
}, 60_000);

describe('one step-up token', () => {
  let ana: RegisteredCustomer & { account: number };
  let payee: number;
  beforeAll(async () => {
    ana = await customerWithMoney('Ana');
    payee = await openAccount((await registerCustomer(stack, 'Bia')).call);
  }, 120_000);
  const fiftyTimes = <T>(call: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 50 }, call));
  /** By how many cents the payee's balance grows during `work`. */
  const gainedCents = async (work: () => Promise<void>): Promise<number> => {
    const before = Number(await balanceOf(payee));
    await work();
    return Math.round((Number(await balanceOf(payee)) - before) * 100);
  };

  test('when 50 calls without a key use it at once, then exactly one moves money', async () => {
    const request = { from: ana.account, to: payee, token: await tokenFor(ana.call) };
    const cents = await gainedCents(async () => {
      const codes = (await fiftyTimes(() => send(ana, request))).map(codeOf);
      expect(countOf(codes)).toEqual({ '201': 1, '401 step_up_used': 49 });
    });
    expect(cents).toBe(1250);
  }, 60_000);

  test('when 50 calls with one key use it at once, then money moves once, and all calls get that answer', async () => {
    const request = { from: ana.account, to: payee, token: await tokenFor(ana.call), key: randomUUID() };
    const cents = await gainedCents(async () => {
      const answers = await fiftyTimes(() => send(ana, request));
      const answered = answers.filter((answer) => codeOf(answer) !== '409 request_in_progress');
      expect(new Set(answered.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
      expect(
        answered.filter(({ status, headers }) => status === 201 && !headers.get('idempotent-replayed')),
      ).toHaveLength(1);
      const again = await send(ana, request);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(codeOf(await send(ana, { ...request, key: randomUUID() }))).toBe('401 step_up_used');
    });
    expect(cents).toBe(1250);
  }, 60_000);

  test.each([
    ['without keys', () => ({})],
    ['with keys', () => ({ 'idempotency-key': randomUUID() })],
  ])('when it is used on two paths at once, %s, then one of them succeeds', async (_how, headers) => {
    const accounts = [await openAccount(ana.call), await openAccount(ana.call)];
    const token = await tokenFor(manager, depositKey);
    const answers = await Promise.all(accounts.map((account) => deposit(account, token, headers())));
    expect(answers.map(codeOf).toSorted()).toEqual(['201', '401 step_up_used']);
    expect((await Promise.all(accounts.map(balanceOf))).toSorted()).toEqual(['0.00', '1000.00']);
  });

  test('when it is sent for another endpoint, by another user, twice, or joined to another, then it is refused and stays unspent', async () => {
    const [first, second] = [await tokenFor(ana.call), await tokenFor(ana.call)];
    const request = { from: ana.account, to: payee };
    for (const joined of [`${first}, ${second}`, `${first},`, `,${first}`, `${first} ${second}`])
      expect(codeOf(await send(ana, { ...request, token: joined }))).toBe('401 step_up_invalid');
    const body = JSON.stringify({ from_account_id: ana.account, to_account_id: payee, amount: '12.50' });
    const head = `POST /accounts/internal-transfers HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${ana.token}\r\n`;
    const tokens = `X-Step-Up-Token: ${first}\r\nX-Step-Up-Token: ${second}\r\n`;
    const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await rawCall(stack.gatewayUrl, head + tokens + rest)).toMatchObject({ status: 400 });
    expect(codeOf(await send(await customerWithMoney('Caio'), { ...request, token: first }))).toBe(
      '404 account_not_found',
    );
    expect(codeOf(await deposit(ana.account, first))).toBe('401 step_up_invalid');
    expect(codeOf(await deposit(ana.account, await tokenFor(manager)))).toBe('401 step_up_wrong_endpoint');
    for (const token of [first, second]) expect((await send(ana, { ...request, token })).status).toBe(201);
  }, 120_000);

  test('when it is sent as an access token, or an access token is sent as a step-up token, then both are refused', async () => {
    const token = await tokenFor(ana.call);
    const asBearer = caller(stack.gatewayUrl, { token });
    expect(codeOf(await asBearer('GET', '/auth/me'))).toBe('401 invalid_token');
    expect(codeOf(await asBearer('GET', '/orders'))).toBe('401 invalid_token');
    const request = { from: ana.account, to: payee };
    expect(codeOf(await send(ana, { ...request, token: ana.token }))).toBe('401 step_up_invalid');
    const { text } = await stack.call('POST', '/internal/step-up/consume', { token: ana.token, body: {} });
    expect(text).toContain('"not_found"');
    expect((await send(ana, { ...request, token })).status).toBe(201);
  }, 60_000);
});
