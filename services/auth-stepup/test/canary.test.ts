import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { findSecrets, textOfDatabases, textOfKeys } from '@comanda/testing/find-secrets';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { newEmail, password } from '@comanda/testing/credentials';
import { consume, resetKey, transferKey } from './support/pins.ts';

let auth: AuthStepupHarness;
let recorded: RecordedEvents;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
  recorded = await recordEvents(auth.servers.rabbitmqUrl);
});
afterAll(async () => {
  await recorded.close();
  await auth.close();
});

const passwords = ['canary-password-one', 'canary-password-two', 'canary-password-wrong'] as const;
const [first, second, wrong] = passwords;
const [pin, newPin, wrongPin] = ['739152', '862047', '604817'];
const [tabletPin, wrongTabletPin] = ['7391', '4826'];

test('secrets sent to any endpoint never appear in logs, events, errors or the database', async () => {
  const responses: string[] = [];
  const secrets: string[] = [...passwords];
  /** Sends a request and collects the parts of the response in which no secret may appear. */
  const call = async (
    method: string,
    path: string,
    options: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ) => {
    const { token, ...rest } = options;
    const response = await auth.call(method, path, { ...rest, ...(token !== undefined && { token }) });
    const {
      access_token,
      refresh_token,
      step_up_token,
      table_token,
      tablet_credential,
      url: _url,
      ...publicFields
    } = {
      ...response.body,
    };
    const reported = [access_token, refresh_token, step_up_token, table_token, tablet_credential];
    secrets.push(...reported.filter((each) => each !== undefined));
    responses.push(JSON.stringify(publicFields));
    return response.body;
  };
  const manager = await auth.manager();
  const email = newEmail('canary');
  await call('POST', '/auth/register', { body: { name: 'Ana', email, password: first } });
  await call('POST', '/auth/register', { body: { name: 'Ana', email, password: first } });
  await call('POST', '/auth/register', { body: { name: 'Ana', email: 'no-email', password: [wrong] } });
  await call('POST', '/auth/register', { body: { name: 'Ana', email, password: wrong, unknown: wrong } });
  await call('POST', '/auth/login', { body: { email, password: wrong } });
  await call('POST', `/auth/login?password=${wrong}`, { body: { email, password: first } });
  await call('POST', `/auth/${wrong}`);
  const raw = await fetch(`${auth.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${wrong}` },
    body: `{"password":"${wrong}",`,
  });
  responses.push(await raw.text());
  const signedIn = await call('POST', '/auth/login', { body: { email, password: first } });
  const pair = await call('POST', '/auth/refresh', { body: { refresh_token: signedIn.refresh_token } });
  await call('POST', '/auth/refresh', { body: { refresh_token: signedIn.refresh_token } });
  const token: string = pair.access_token;
  await call('GET', '/auth/me', { token: `${token}x` });
  await call('PUT', '/auth/password', { token, body: { current: wrong, password: second } });
  await call('PUT', '/auth/password', { token, body: { current: first, password: second } });

  const pinPath = '/security/transaction-password';
  await call('POST', pinPath, { token, body: { transaction_password: pin, confirmation: wrongPin } });
  await call('POST', pinPath, { token, body: { transaction_password: `${pin}7`, confirmation: pin } });
  await call('POST', pinPath, { token, body: { transaction_password: pin, confirmation: pin } });
  await call('POST', pinPath, { token: manager.token, body: { transaction_password: pin, confirmation: pin } });
  await call('PUT', pinPath, { token, body: { current: pin, transaction_password: newPin, confirmation: newPin } });
  const stepUp = { endpoint_key: transferKey, transaction_password: newPin };
  const { step_up_token: consent } = await call('POST', '/security/step-up', { token, body: stepUp });
  for (let attempt = 0; attempt < 3; attempt++)
    await call('POST', '/security/step-up', { token, body: { ...stepUp, transaction_password: wrongPin } });
  for (let attempt = 0; attempt < 2; attempt++)
    responses.push((await consume(auth, { token }, { step_up_token: consent })).body.code);
  const approval = await call('POST', '/security/step-up', {
    token: manager.token,
    body: { endpoint_key: resetKey, transaction_password: pin },
  });
  const me = await call('GET', '/auth/me', { token });
  await call('POST', `/users/${me.id}/transaction-password-resets`, {
    token: manager.token,
    headers: { 'x-step-up-token': approval.step_up_token },
  });
  const reset = { password: second, transaction_password: pin, confirmation: pin };
  await call('POST', `${pinPath}/reset`, { token, body: { ...reset, password: wrong } });
  await call('POST', `${pinPath}/reset`, { token, body: reset });
  const table = await call('PUT', '/tables/7', { token: manager.token });
  await call('POST', '/auth/guest', { body: { table_token: table.table_token } });
  const waiter = await auth.waiter();
  const registering = { endpoint_key: 'tablet.register', transaction_password: pin };
  const registration = await call('POST', '/security/step-up', { token: manager.token, body: registering });
  const { tablet_credential: credential } = await call('POST', '/tablets', {
    token: manager.token,
    headers: { 'x-step-up-token': registration.step_up_token },
    body: { name: 'Pass' },
  });
  const choice = { password, tablet_pin: tabletPin };
  await call('PUT', '/auth/tablet-pin', { token: waiter.token, body: { ...choice, password: wrong } });
  await call('PUT', '/auth/tablet-pin', { token: waiter.token, body: { ...choice, tablet_pin: `${tabletPin}x` } });
  await call('PUT', '/auth/tablet-pin', { token: waiter.token, body: choice });
  await call('POST', '/auth/tablet', { body: { tablet_credential: credential } });
  await call('POST', '/auth/tablet', { body: { tablet_credential: `${credential}x` } });
  const onTablet = { tablet_credential: credential, user_id: waiter.id, tablet_pin: tabletPin };
  await call('POST', '/auth/tablet/login', { body: onTablet });
  await call('POST', '/auth/tablet/login', { body: { ...onTablet, tablet_pin: wrongTabletPin } });
  await call('POST', '/auth/tablet/login', { body: { ...onTablet, tablet_pin: `${wrongTabletPin}x` } });
  await call('POST', '/auth/tablet/login', { body: { ...onTablet, user_id: 888_888 } });
  // A PIN with a missing pepper causes an internal error, which the log describes in full detail.
  await auth.connection.collection('usuarios').updateOne({ usuarioID: me.id }, { $set: { 'pin.pepper_id': 'gone' } });
  const broken = await call('POST', '/security/step-up', { token, body: { ...stepUp, transaction_password: pin } });
  expect(broken.code).toBe('internal_error');
  await call('POST', '/auth/logout', { body: { refresh_token: pair.refresh_token } });

  await recorded.waitFor('security.transaction_password_reset', me.id);
  const metrics = await (await fetch(`${auth.url}/metrics`)).text();
  const database = auth.connection.db;
  if (!database) throw new Error('no connection');
  const redis = new Redis(auth.servers.redisUrl);
  const searched = {
    log: auth.log(),
    events: JSON.stringify(recorded.all),
    metrics,
    responses: responses.join('\n'),
    database: await textOfDatabases([database]),
    redis: await textOfKeys(redis, auth.servers.redisPrefix),
  };
  redis.disconnect();
  expect(searched.log).toContain('the pepper gone');
  expect(searched.redis).toContain('jti:{');
  expect(secrets.length).toBeGreaterThan(10);
  expect(searched.redis).toContain('tablet-attempts:{');
  expect(findSecrets(searched, { pins: [pin, newPin, wrongPin], tokens: secrets })).toEqual([]);
  // Other numbers may contain the four digits of a tablet PIN, so only complete strings are compared.
  const texts = Object.values(searched).join('\n');
  for (const digits of [tabletPin, wrongTabletPin]) expect(texts).not.toMatch(new RegExp(`["':]${digits}["'x]`));
});
