import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, type Called } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import { holdDocument, type HeldDocument } from '@comanda/testing/hold-document';
import { silentLogger } from '@comanda/testing/silent-logger';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { until } from '@comanda/testing/until';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import jwt from 'jsonwebtoken';
import { stepUpTokenKey } from '../src/pin/redis-keys.ts';
import { createUserStore } from '../src/users/user-store.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { changeUser, createUser, manageKey, managerWithPin, resetKey, storePin, tokenFor } from './support/pins.ts';

let auth: AuthStepupHarness;
let marta: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
  marta = await managerWithPin(auth);
});
afterAll(() => auth.close());

const newUser = () => ({ name: 'Walter', email: newEmail('Walter'), password: 'mesa-farofa-violao', role: 'waiter' });
const tokenOf = (who: TestUser): Promise<string> => tokenFor(auth, who, { endpoint_key: manageKey });
type Sent = { method: 'POST' | 'PUT'; path: string; body: object; token: string };
const send = (who: TestUser, { method, path, body, token }: Sent): Promise<Called> =>
  auth.as(who)(method, path, { body, headers: { 'x-step-up-token': token } });
const stored = (id: number) => auth.connection.collection('usuarios').findOne({ usuarioID: id });
const isStored = async (email: string): Promise<boolean> =>
  (await auth.connection.collection('usuarios').findOne({ email: email.toLowerCase() })) !== null;

describe('the step-up token for changing users', () => {
  test('is required for every change', async () => {
    const [ana, body] = [await auth.customer(), newUser()];
    const other = { 'x-step-up-token': await tokenFor(auth, marta, { endpoint_key: resetKey }) };
    const asMarta = auth.as(marta);
    expect(codeOf(await asMarta('POST', '/users', { body }))).toBe('401 step_up_required');
    expect(codeOf(await asMarta('POST', '/users', { body, headers: other }))).toBe('401 step_up_wrong_endpoint');
    const change = { body: { role: 'manager' } };
    expect(codeOf(await asMarta('PUT', `/users/${ana.id}`, change))).toBe('401 step_up_required');
    expect(await isStored(body.email)).toBe(false);
    expect((await stored(ana.id))?.['papel']).toBe('customer');
  });

  test("can't be used twice, even if Redis has lost its data", async () => {
    const [ana, token] = [await auth.customer(), await tokenOf(marta)];
    const path = `/users/${ana.id}`;
    const first = await send(marta, { method: 'PUT', path, body: { role: 'waiter', status: 'active' }, token });
    expect(first.status).toBe(200);
    const body = { role: 'manager' };
    expect(codeOf(await send(marta, { method: 'PUT', path, body, token }))).toBe('401 step_up_used');

    const { jti = '' } = jwt.decode(token) as jwt.JwtPayload;
    await auth.redis.set(stepUpTokenKey(marta.id, jti), '1', 'PX', 100_000);
    expect(codeOf(await send(marta, { method: 'PUT', path, body, token }))).toBe('401 step_up_used');
    await auth.redis.set(stepUpTokenKey(marta.id, jti), '1', 'PX', 100_000);
    const user = newUser();
    const added = await send(marta, { method: 'POST', path: '/users', body: user, token });
    expect(codeOf(added)).toBe('401 step_up_used');
    expect([(await stored(ana.id))?.['papel'], await isStored(user.email)]).toEqual(['waiter', false]);
  });

  test('stays unspent if the request is rejected for another reason', async () => {
    const [ana, token] = [await auth.customer(), await tokenOf(marta)];
    const post = (body: object) => send(marta, { method: 'POST', path: '/users', body, token });
    const put = (id: number, body: object) => send(marta, { method: 'PUT', path: `/users/${id}`, body, token });
    expect(codeOf(await post({ ...newUser(), email: ana.email.toUpperCase() }))).toBe('409 email_taken');
    expect(codeOf(await post({ ...newUser(), password: 'password123' }))).toBe('422 password_too_weak');
    expect(codeOf(await post({ ...newUser(), role: 'cook' }))).toBe('400 validation_failed');
    expect(codeOf(await put(marta.id, { role: 'customer' }))).toBe('403 forbidden');
    expect(codeOf(await put(999_999, { role: 'customer' }))).toBe('404 not_found');
    expect(codeOf(await put(ana.id, {}))).toBe('400 validation_failed');
    expect(codeOf(await put(ana.id, { password: 'password123' }))).toBe('422 password_too_weak');
    expect(codeOf(await put(ana.id, { role: 'waiter' }))).toBe('200');
  });

  test('prevents two managers from adding the same e-mail address', async () => {
    const [bruno, body] = [await managerWithPin(auth), newUser()];
    const responses = await Promise.all([createUser(auth, marta, body), createUser(auth, bruno, body)]);
    expect(responses.map(codeOf).toSorted()).toEqual(['201', '409 email_taken']);
  });
});

describe('a disabled or demoted manager', () => {
  const hold = (collection: string, filter: Record<string, unknown>): Promise<HeldDocument> =>
    holdDocument(auth.connection.getClient().db(auth.connection.name), { collection, filter });
  const isSpent = async (who: TestUser, token: string): Promise<boolean> => {
    const { jti = '' } = jwt.decode(token) as jwt.JwtPayload;
    return (await auth.redis.get(stepUpTokenKey(who.id, jti)))?.includes(':') ?? false;
  };

  test.each([
    ['disabled', { status: 'disabled' }, '401 invalid_token'],
    ['given another role', { role: 'waiter' }, '403 forbidden'],
  ])("can't add a user after being %s during the request", async (_what, change, refusal) => {
    const bruno = await managerWithPin(auth);
    const [token, martasToken, body] = [await tokenOf(bruno), await tokenOf(marta), newUser()];
    const held = await hold('counters', { _id: 'usuarioID' });
    const adding = send(bruno, { method: 'POST', path: '/users', body, token });
    try {
      await until(() => isSpent(bruno, token), { what: 'the token to be spent' });
      const path = `/users/${bruno.id}`;
      expect((await send(marta, { method: 'PUT', path, body: change, token: martasToken })).status).toBe(200);
    } finally {
      await held.abort();
    }
    // A machine this slow may reach the transaction's time limit and cause a 503.
    expect([refusal, '503 service_unavailable']).toContain(codeOf(await adding));
    expect(await isStored(body.email)).toBe(false);
  });

  test("can't approve a reset after being disabled during the request", async () => {
    const [bruno, ana] = [await managerWithPin(auth), await auth.customer()];
    await storePin(auth, ana);
    const token = await tokenFor(auth, bruno, { endpoint_key: resetKey });
    const martasToken = await tokenOf(marta);
    const held = await hold('usuarios', { usuarioID: ana.id });
    const path = `/users/${ana.id}/transaction-password-resets`;
    const approving = auth.as(bruno)('POST', path, { headers: { 'x-step-up-token': token } });
    try {
      await until(() => isSpent(bruno, token), { what: 'the token to be spent' });
      const disable = { method: 'PUT', path: `/users/${bruno.id}`, body: { status: 'disabled' } } as const;
      expect((await send(marta, { ...disable, token: martasToken })).status).toBe(200);
    } finally {
      await held.abort();
    }
    // A machine this slow may reach the transaction's time limit and cause a 503.
    expect(['401 invalid_token', '503 service_unavailable']).toContain(codeOf(await approving));
    expect((await stored(ana.id))?.['pin_reset']).toBeNull();
  });

  test.each([
    ['disabled', { status: 'disabled' }, '401 invalid_token'],
    ['given another role', { role: 'waiter' }, '401 invalid_token'],
  ])("can't change tables with an old access token after being %s", async (what, change, code) => {
    const bruno = await managerWithPin(auth);
    const path = `/tables/${what.slice(0, 1)}-1`;
    expect((await auth.as(marta)('PUT', path)).status).toBe(201);
    expect((await changeUser(auth, marta, { id: bruno.id, change })).status).toBe(200);
    const asBruno = auth.as(bruno);
    const codes = [codeOf(await asBruno('PUT', path)), codeOf(await asBruno('DELETE', path))];
    expect([...codes, codeOf(await asBruno('PUT', `${path}-new`))]).toEqual([code, code, code]);
    const { body: tables } = await auth.as(marta)('GET', '/tables');
    expect(tables.map(({ table }: { table: string }) => `/tables/${table}`)).toContain(path);
  });

  test('loses access only after a change in progress is committed', async () => {
    const bruno = await managerWithPin(auth);
    const token = await tokenOf(marta);
    const transactions = createTransactions({ connection: auth.connection, isUp: () => true, logger: silentLogger });
    const users = createUserStore({ connection: auth.connection, transactions });
    const done: string[] = [];
    let disabling: Promise<unknown> = Promise.resolve();
    try {
      await transactions.run({ deadline: performance.now() + 5000 }, async (session) => {
        expect(await users.lockManager(bruno.id, session)).toBe('active');
        const sent = { method: 'PUT', path: `/users/${bruno.id}`, body: { status: 'disabled' }, token } as const;
        disabling = send(marta, sent).then(({ status }) => done.push(`disabled: ${status}`));
        // 400 ms is long enough for a change that does not wait for the commit.
        await delay(400);
        done.push('committed');
      });
      await disabling;
    } finally {
      await users.close();
      await transactions.close();
    }
    expect(done).toEqual(['committed', 'disabled: 200']);
  });

  test("can't disable another manager who disables them at the same time", async () => {
    const [bruno, carla] = [await managerWithPin(auth), await managerWithPin(auth)];
    const [brunos, carlas] = [await tokenOf(bruno), await tokenOf(carla)];
    const disable = (who: TestUser, id: number, token: string) =>
      send(who, { method: 'PUT', path: `/users/${id}`, body: { status: 'disabled' }, token });
    const responses = await Promise.all([disable(bruno, carla.id, brunos), disable(carla, bruno.id, carlas)]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const states = [(await stored(bruno.id))?.['status'], (await stored(carla.id))?.['status']];
    expect(new Set(states)).toEqual(new Set(['active', 'disabled']));
  });

  test.each([
    ['disabled', { status: 'disabled' }],
    ['given another role', { role: 'waiter' }],
  ])("can't add users with any step-up token after being %s", async (_what, change) => {
    const bruno = await managerWithPin(auth);
    const token = await tokenOf(bruno);
    expect((await changeUser(auth, marta, { id: bruno.id, change })).status).toBe(200);
    const old = await send(bruno, { method: 'POST', path: '/users', body: newUser(), token });
    expect(codeOf(old)).toBe('401 invalid_token');
    await expect(tokenOf(bruno)).rejects.toThrow(/invalid_token/);
  });
});
