import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
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
  type RegisteredCustomer,
} from '@comanda/testing/step-up-calls';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { until } from '@comanda/testing/until';

/** The limit on sign-ins per minute from one address. The flood of sign-ins comes from another address than all other calls. */
const signInsOfAddress = 30;

/** The complete stack, with each service in its own process. The tests make all calls through the gateway. */
let stack: Stack;
let manager: Call;
const opened: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  stack = await startStackHere('consent', {
    ...withoutLimits,
    RATE_LIMIT_SIGN_IN_ADDRESS: String(signInsOfAddress),
    TRUSTED_PROXIES: 'loopback',
    HASH_QUEUE: '24',
    HASH_COST: '11', // Half of the cost in production. Hashing must take some time, so that the queue of passwords fills up.
  });
  opened.push(stack.close);
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
});
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
/** Registers a customer with a PIN and an account with 1000.00. */
async function customerWithMoney(name: string): Promise<RegisteredCustomer & { account: number }> {
  const customer = await registerCustomer(stack, name);
  created(await choosePin(customer.call));
  const account = await openAccount(customer.call);
  created(await deposit(account, await tokenFor(manager, depositKey)));
  return { ...customer, account };
}
type TransferRequest = { from: number; to: number; token?: string };
const send = ({ call }: RegisteredCustomer, { from, to, token }: TransferRequest): Promise<Called> =>
  call('POST', '/accounts/internal-transfers', {
    body: { from_account_id: from, to_account_id: to, amount: '12.50' },
    headers: token ? { 'x-step-up-token': token } : {},
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

test('a customer can create, use and change a PIN, and reset it after it is blocked', async () => {
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
});

test('PINs are checked first while one address floods the service with sign-ins', async () => {
  const { call } = await registerCustomer(stack, 'Ana');
  created(await choosePin(call));
  let answered = 0;
  const signIn = () => {
    const body = { email: newEmail('nobody'), password: 'not-the-password' };
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    return stack.call('POST', '/auth/login', { body, headers }).finally(() => answered++);
  };
  const signIns = Array.from({ length: signInsOfAddress + 20 }, signIn);
  // At this point, two passwords are being hashed and six are waiting. All other sign-ins were rejected immediately.
  await until(() => answered >= signIns.length - 8, { what: 'the queue of passwords to be full', timeoutMs: 20_000 });

  const checked = await stepUp(call);
  const waiting = signIns.length - answered;

  expect([codeOf(checked), waiting > 0]).toEqual(['201', true]);
  const codes = countOf((await Promise.all(signIns)).map(codeOf));
  expect(codes['429 rate_limited']).toBeGreaterThan(0);
  expect(codes['401 invalid_credentials']).toBeGreaterThan(0);
});

test.each([
  ['without idempotency keys', () => ({})],
  ['with idempotency keys', () => ({ 'idempotency-key': randomUUID() })],
])('a step-up token that is used on two paths at the same time %s works on only one of them', async (_how, headers) => {
  const { call } = await registerCustomer(stack, 'Ana');
  const accounts = [await openAccount(call), await openAccount(call)];
  const token = await tokenFor(manager, depositKey);
  const responses = await Promise.all(accounts.map((account) => deposit(account, token, headers())));
  expect(responses.map(codeOf).toSorted()).toEqual(['201', '401 step_up_used']);
  expect((await Promise.all(accounts.map(balanceOf))).toSorted()).toEqual(['0.00', '1000.00']);
});
