import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
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
import { openFeedClient } from '@comanda/testing/feed-client';
import type { FeedClient } from '@comanda/testing/feed-client';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';

/** All five services as processes, and everything asked through the gateway. */
let stack: Stack;
let manager: Call;
const opened: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  stack = await startStack(await isolatedServers('consent'), withoutLimits);
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
/** Somebody with a PIN and 1000.00. */
async function rich(name: string): Promise<RegisteredCustomer & { account: number }> {
  const guest = await registerCustomer(stack, name);
  created(await choosePin(guest.call));
  const account = await openAccount(guest.call);
  created(await deposit(account, await tokenFor(manager, depositKey)));
  return { ...guest, account };
}
type Sending = { from: number; to: number; token?: string; key?: string };
const send = ({ call }: RegisteredCustomer, { from, to, token, key }: Sending): Promise<Called> =>
  call('POST', '/accounts/internal-transfers', {
    body: { from_account_id: from, to_account_id: to, amount: '12.50' },
    headers: { ...(token && { 'x-step-up-token': token }), ...(key && { 'idempotency-key': key }) },
  });
const statePath = '/security/transaction-password';
const countOf = (codes: string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));
async function watch(token: string): Promise<FeedClient> {
  const screen = openFeedClient(stack.gatewayUrl, { token: token, retryRefused: true });
  opened.push(screen.close);
  await screen.untilStatus('live', 20_000);
  return screen;
}
const securityTypes = ({ events }: FeedClient): string[] =>
  events.filter(({ type }) => type.startsWith('security.')).map(({ type }) => type);

test('when somebody chooses a PIN, spends it, changes it, is blocked and is let in again, then each step is as promised', async () => {
  const [ana, bia] = [await rich('Ana'), await registerCustomer(stack, 'Bia')];
  const payee = await openAccount(bia.call);
  const [own, others] = [await watch(ana.token), await watch(bia.token)];
  const sent = { from: ana.account, to: payee };
  const required = await send(ana, sent);
  expect([codeOf(required), required.headers.get('www-authenticate')]).toEqual([
    '401 step_up_required',
    'Bearer error="insufficient_user_authentication", max_age="120"',
  ]);
  const token = await tokenFor(ana.call);
  expect((await send(ana, { ...sent, token })).status).toBe(201);
  expect(codeOf(await send(ana, { ...sent, token }))).toBe('401 step_up_used');
  expect([await balanceOf(ana.account), await balanceOf(payee)]).toEqual(['987.50', '12.50']);

  const unspent = await tokenFor(ana.call);
  const change = { current: pin, transaction_password: otherPin, confirmation: otherPin };
  expect((await ana.call('PUT', statePath, { body: change })).status).toBe(200);
  expect(codeOf(await send(ana, { ...sent, token: unspent }))).toBe('401 step_up_invalid');
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
  expect((await send(ana, { ...sent, token: await tokenFor(ana.call) })).status).toBe(201);
  expect(await balanceOf(payee)).toBe('25.00');

  const ofPin = ['changed', 'blocked', 'reset'].map((what) => `security.transaction_password_${what}`);
  await until(() => securityTypes(own).length >= 3, { what: 'what happened to the PIN', timeoutMs: 20_000 });
  expect(securityTypes(own)).toEqual(ofPin);
  const listed = (await ana.call('GET', '/security/events')).body.map(({ type }: { type: string }) => type);
  for (const what of ['created', 'changed', 'wrong', 'blocked', 'reset_approved', 'reset'])
    expect(listed).toContain(`transaction_password_${what}`);
  created(await choosePin(bia.call));
  await until(() => securityTypes(others).length > 0, { what: "Bia's own event", timeoutMs: 20_000 });
  expect(securityTypes(others)).toEqual(['security.transaction_password_created']);
}, 120_000);

describe('guesses side by side', () => {
  const hashes = async (): Promise<number> => {
    const text = await (await fetch(`${stack.services['auth-stepup'].url}/metrics`)).text();
    return Number(/^comanda_hashes_total\{[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  test('when 500 wrong PINs come at once, then three are hashed, two are 403 and the rest 429', async () => {
    const { call } = await registerCustomer(stack, 'Ana');
    created(await choosePin(call));
    const before = await hashes();
    const answers = await Promise.all(Array.from({ length: 500 }, () => stepUp(call, wrongPin)));
    expect((await hashes()) - before).toBe(3);
    const counts = countOf(answers.map(codeOf));
    const {
      '429 transaction_password_blocked': blocked = 0,
      '429 transaction_password_busy': busy = 0,
      ...rest
    } = counts;
    expect({ ...rest, 429: blocked + busy }).toEqual({ '403 transaction_password_invalid': 2, 429: 498 });
    expect(blocked).toBeGreaterThan(0);
    expect((await call('GET', statePath)).body.status).toBe('blocked');
  }, 120_000);

  test('when three right ones come at once, then all are good and nobody is blocked', async () => {
    const { call } = await registerCustomer(stack, 'Ana');
    created(await choosePin(call));
    const answers = await Promise.all([stepUp(call), stepUp(call), stepUp(call)]);
    expect(answers.map(codeOf)).toEqual(['201', '201', '201']);
    expect((await call('GET', statePath)).body).toMatchObject({ status: 'usable', attempts_remaining: 3 });
  }, 120_000);
});

describe('one token', () => {
  let ana: RegisteredCustomer & { account: number };
  let payee: number;
  beforeAll(async () => {
    ana = await rich('Ana');
    payee = await openAccount((await registerCustomer(stack, 'Bia')).call);
  }, 120_000);
  const fifty = <T>(one: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 50 }, one));
  /** By how many cents the payee is richer after `work`. */
  const gained = async (work: () => Promise<void>): Promise<number> => {
    const before = Number(await balanceOf(payee));
    await work();
    return Math.round((Number(await balanceOf(payee)) - before) * 100);
  };

  test('when 50 calls without a key use it at once, then exactly one moves money', async () => {
    const what = { from: ana.account, to: payee, token: await tokenFor(ana.call) };
    const cents = await gained(async () => {
      const codes = (await fifty(() => send(ana, what))).map(codeOf);
      expect(countOf(codes)).toEqual({ '201': 1, '401 step_up_used': 49 });
    });
    expect(cents).toBe(1250);
  }, 60_000);

  test('when 50 calls with one key use it at once, then money moves once, and all are told of that', async () => {
    const what = { from: ana.account, to: payee, token: await tokenFor(ana.call), key: randomUUID() };
    const cents = await gained(async () => {
      const answers = await fifty(() => send(ana, what));
      const answered = answers.filter((answer) => codeOf(answer) !== '409 request_in_progress');
      expect(new Set(answered.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
      expect(
        answered.filter(({ status, headers }) => status === 201 && !headers.get('idempotent-replayed')),
      ).toHaveLength(1);
      const again = await send(ana, what);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(codeOf(await send(ana, { ...what, key: randomUUID() }))).toBe('401 step_up_used');
    });
    expect(cents).toBe(1250);
  }, 60_000);

  test.each([
    ['without keys', () => ({})],
    ['with keys', () => ({ 'idempotency-key': randomUUID() })],
  ])('when it is used on two paths at once, %s, then one of them has it', async (_how, headers) => {
    const accounts = [await openAccount(ana.call), await openAccount(ana.call)];
    const token = await tokenFor(manager, depositKey);
    const answers = await Promise.all(accounts.map((account) => deposit(account, token, headers())));
    expect(answers.map(codeOf).toSorted()).toEqual(['201', '401 step_up_used']);
    expect((await Promise.all(accounts.map(balanceOf))).toSorted()).toEqual(['0.00', '1000.00']);
  });

  test('when it comes for another endpoint, by somebody else, twice, or joined to another, then it is refused and unspent', async () => {
    const [one, two] = [await tokenFor(ana.call), await tokenFor(ana.call)];
    const what = { from: ana.account, to: payee };
    for (const joined of [`${one}, ${two}`, `${one},`, `,${one}`, `${one} ${two}`])
      expect(codeOf(await send(ana, { ...what, token: joined }))).toBe('401 step_up_invalid');
    const body = JSON.stringify({ from_account_id: ana.account, to_account_id: payee, amount: '12.50' });
    const head = `POST /accounts/internal-transfers HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${ana.token}\r\n`;
    const tokens = `X-Step-Up-Token: ${one}\r\nX-Step-Up-Token: ${two}\r\n`;
    const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await rawCall(stack.gatewayUrl, head + tokens + rest)).toMatchObject({ status: 400 });
    expect(codeOf(await send(await rich('Caio'), { ...what, token: one }))).toBe('404 account_not_found');
    expect(codeOf(await deposit(ana.account, one))).toBe('401 step_up_invalid');
    expect(codeOf(await deposit(ana.account, await tokenFor(manager)))).toBe('401 step_up_wrong_endpoint');
    for (const token of [one, two]) expect((await send(ana, { ...what, token })).status).toBe(201);
  }, 120_000);

  test('when it comes as a bearer, or a bearer in its place, then neither is what it is not', async () => {
    const token = await tokenFor(ana.call);
    const asBearer = caller(stack.gatewayUrl, { token });
    expect(codeOf(await asBearer('GET', '/auth/me'))).toBe('401 invalid_token');
    expect(codeOf(await asBearer('GET', '/orders'))).toBe('401 invalid_token');
    const what = { from: ana.account, to: payee };
    expect(codeOf(await send(ana, { ...what, token: ana.token }))).toBe('401 step_up_invalid');
    const { text } = await stack.call('POST', '/internal/step-up/consume', { token: ana.token, body: {} });
    expect(text).toContain('"not_found"');
    expect((await send(ana, { ...what, token })).status).toBe(201);
  }, 60_000);
});
