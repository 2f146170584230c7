import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { caller, created, type Call, type Called } from '@comanda/testing/call';
import {
  choosePin,
  depositKey,
  registerCustomer,
  openAccount,
  otherPin,
  pin,
  resetKey,
  transferKey,
  withoutLimits,
  wrongPin,
  type RegisteredCustomer,
} from '@comanda/testing/step-up-calls';
import { startStack, type Stack } from '@comanda/testing/stack';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { openFeedClient } from '@comanda/testing/feed-client';
import { rawCall } from '@comanda/testing/raw-socket';
import { findSecrets, textOfDatabases, textOfKeys, type SearchedTexts } from '@comanda/testing/find-secrets';

let servers: IsolatedServers;
let stack: Stack;
let mongo: MongoClient;
let redis: Redis;
let events: RecordedEvents;
const opened: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  servers = await isolatedServers('canary');
  stack = await startStack(servers, { ...withoutLimits, LOG_LEVEL: 'debug' });
  opened.push(stack.close);
  mongo = await new MongoClient(servers.mongodbUri).connect();
  redis = new Redis(servers.redisUrl);
  events = await recordEvents(servers.rabbitmqUrl);
  opened.push(() => mongo.close(), redis.disconnect.bind(redis), events.close);
});
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
});

/** All step-up tokens that were issued, and all responses, from which these tokens were removed. */
const tokens: string[] = [];
const responses: string[] = [];
const record =
  (call: Call): Call =>
  async (...args): Promise<Called> => {
    const called = await call(...args);
    const { step_up_token: token, ...others } = called.body ?? {};
    if (typeof token === 'string') tokens.push(token);
    responses.push(JSON.stringify([others, Object.fromEntries(called.headers)]));
    return called;
  };
const stepUp = (call: Call, tried: string, endpointKey = transferKey): Promise<Called> =>
  call('POST', '/security/step-up', { body: { endpoint_key: endpointKey, transaction_password: tried } });
const tokenFor = async (call: Call, endpointKey = transferKey, of = pin): Promise<string> =>
  created(await stepUp(call, of, endpointKey)).step_up_token;

/** Sends PINs in places where they don't belong. The responses must not repeat them. */
async function misplacePins({ call, token }: RegisteredCustomer): Promise<void> {
  const path = '/security/transaction-password';
  for (const body of [
    { transaction_password: pin, confirmation: wrongPin },
    { transaction_password: `${pin}7`, confirmation: pin },
    { transaction_password: Number(pin), confirmation: pin },
    { transaction_password: [pin], confirmation: { pin } },
    { transaction_password: pin, confirmation: pin, [`pin_${pin}`]: 1, note: pin },
    { transaction_password: pin },
  ])
    await call('POST', path, { body });
  await call('POST', '/security/step-up', { body: { endpoint_key: `k.${pin}`, transaction_password: pin } });
  await call('GET', `${path}?transaction_password=${pin}`);
  await call('GET', '/orders', { token: pin });
  await call('POST', '/accounts', { body: {}, headers: { 'x-step-up-token': pin, 'idempotency-key': randomUUID() } });
  const broken = `{"endpoint_key":"${transferKey}","transaction_password":"${pin}",`;
  const head = `POST /security/step-up HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${token}\r\n`;
  const rest = `Content-Type: application/json\r\nContent-Length: ${broken.length}\r\n\r\n${broken}`;
  responses.push((await rawCall(stack.gatewayUrl, head + rest)).body);
}

/**
 * Uses step-up tokens in every way, even in places where they don't belong. Returns the transfer that the last token authorized.
 */
async function useTokens(
  { call }: RegisteredCustomer,
  { from, to }: { from: number; to: number },
): Promise<{ id: number }> {
  const path = '/accounts/internal-transfers';
  const body = { from_account_id: from, to_account_id: to, amount: '12.50' };
  const [first, second] = [await tokenFor(call), await tokenFor(call)];
  const key = randomUUID();
  const use = (token: string, more: Record<string, string> = {}) =>
    call('POST', path, { body, headers: { 'x-step-up-token': token, ...more } });
  await use(`${first}, ${second}`);
  created(await use(first));
  await use(first);
  created(await use(second, { 'idempotency-key': key }));
  const posted = created(await use(second, { 'idempotency-key': key }));
  const third = await tokenFor(call);
  await call('POST', path, { body: { ...body, step_up_token: third } });
  await call('POST', `${path}?step_up_token=${third}`, { body });
  await call('GET', '/auth/me', { token: third });
  await call('POST', '/auth/refresh', { body: { refresh_token: third } });
  await use(`${third}x`);
  const feed = openFeedClient(stack.gatewayUrl, { token: third, retryRefused: true });
  opened.push(feed.close);
  const refused = await new Promise<Error>((resolve) => feed.socket.once('connect_error', resolve));
  feed.close();
  responses.push(JSON.stringify([refused.message, (refused as { data?: unknown }).data]));
  return posted;
}

test('no PIN or step-up token leaks, however it is used', async () => {
  const manager = record(caller(stack.gatewayUrl, { token: stack.managerToken }));
  const [registered, bia] = [await registerCustomer(stack, 'Ana'), await registerCustomer(stack, 'Bia')];
  const ana = { ...registered, call: record(registered.call) };
  const feed = openFeedClient(stack.gatewayUrl, { token: ana.token, retryRefused: true });
  opened.push(feed.close);
  await feed.untilStatus('live', 20_000);
  await misplacePins(ana);
  created(await choosePin(ana.call));
  created(await choosePin(manager));
  const [from, to] = [await openAccount(ana.call), await openAccount(bia.call)];
  const consent = { 'x-step-up-token': await tokenFor(manager, depositKey) };
  created(await manager('POST', `/accounts/${from}/deposits`, { body: { amount: '100.00' }, headers: consent }));
  const posted = await useTokens(ana, { from, to });

  const path = '/security/transaction-password';
  const change = { current: pin, transaction_password: otherPin, confirmation: otherPin };
  expect((await ana.call('PUT', path, { body: change })).status).toBe(200);
  for (let times = 0; times < 3; times++) await stepUp(ana.call, wrongPin);
  const approval = { 'x-step-up-token': await tokenFor(manager, resetKey) };
  created(await manager('POST', `/users/${ana.id}/transaction-password-resets`, { headers: approval }));
  const reset = { password: ana.password, transaction_password: pin, confirmation: pin };
  expect((await ana.call('POST', `${path}/reset`, { body: reset })).status).toBe(200);
  // Refers to a pepper that doesn't exist. This causes an unexpected error, which is logged with all its fields.
  const users = mongo.db(`${servers.database}_auth`).collection('usuarios');
  await users.updateOne({ usuarioID: ana.id }, { $set: { 'pin.pepper_id': 'gone' } });
  expect((await stepUp(ana.call, pin)).body.code).toBe('internal_error');
  await events.waitFor('security.transaction_password_reset', ana.id);
  await events.waitFor('transfer.posted', posted.id);

  const processes = Object.entries(stack.services);
  const metrics = processes.map(async ([name, { metricsUrl }]): Promise<[string, string]> => [
    `metrics of ${name}`,
    await (await fetch(`${metricsUrl}/metrics`)).text(),
  ]);
  const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
  const ours = databases.filter(({ name }) => name.startsWith(servers.database)).map(({ name }) => mongo.db(name));
  const texts: SearchedTexts = {
    ...Object.fromEntries(processes.map(([name, { output }]) => [`log of ${name}`, output()])),
    ...Object.fromEntries(await Promise.all(metrics)),
    responses: responses.join('\n'),
    events: JSON.stringify(events.all),
    'what a client of the feed received': JSON.stringify([feed.events, feed.notices]),
    MongoDB: await textOfDatabases(ours),
    Redis: await textOfKeys(redis, servers.redisPrefix),
  };
  expect(ours).toHaveLength(3);
  expect(texts['log of auth-stepup']).toContain('the pepper gone');
  expect(texts['MongoDB']).toContain(ana.email);
  expect(texts['Redis']).toContain('jti:{');
  expect(tokens.length).toBeGreaterThan(4);
  expect(findSecrets(texts, { pins: [pin, otherPin, wrongPin], tokens })).toEqual([]);
}, 180_000);

test('the search for leaks finds a secret in any encoding', () => {
  const token = 'head.body.c2lnbmF0dXJl';
  const base64 = Buffer.from(pin).toString('base64');
  const texts = {
    log: `{"pin":"${pin}"}`,
    encoded: `basic ${base64}`,
    cut: '…c2lnbmF0dXJl',
    chance: `1${pin} a-${pin}`,
  };
  const findings = findSecrets(texts, { pins: [pin], tokens: [token] }).map((each) => each.split(', in')[0]);
  expect(findings).toEqual(['log: a PIN', 'encoded: a PIN in base64', 'cut: a token']);
});
