import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import { codeOf } from '@comanda/testing/call';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { newEmail, password } from '@comanda/testing/credentials';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import {
  changeUser,
  consume,
  createPin,
  createUser,
  otherPin,
  pin,
  pinState,
  resetKey,
  stepUp,
  storePin,
  tokenFor,
  wrongPin,
} from './support/pins.ts';
import { whileRefusing } from './support/refused-writes.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let recorded: RecordedEvents;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  recorded = await recordEvents(auth.servers.rabbitmqUrl);
});
afterAll(async () => {
  await recorded.close();
  await auth.close();
});

const tryWrongPin = (who: TestUser) => stepUp(auth, who, { transaction_password: wrongPin });
async function customerWithPin(name = 'Ana'): Promise<TestUser> {
  const customer = await auth.customer(name);
  await storePin(auth, customer);
  return customer;
}
async function blockedCustomer(): Promise<TestUser> {
  const customer = await customerWithPin();
  for (let attempt = 0; attempt < 3; attempt++) await tryWrongPin(customer);
  return customer;
}

describe('creating a PIN', () => {
  test('makes it usable', async () => {
    const ana = await auth.customer();
    expect(await pinState(auth, ana)).toEqual({ status: 'absent' });

    const created = await createPin(auth, ana);

    expect([created.status, created.body.status]).toEqual([201, 'usable']);
    expect(await pinState(auth, ana)).toMatchObject({ status: 'usable', attempts_remaining: 3 });
    const [event] = await recorded.waitFor('security.transaction_password_created', ana.id);
    expect(event).toMatchObject({ source: '/auth-stepup', data: { user_id: ana.id, version: 1 } });
  });

  test("stores only the PIN's hash, made with the current pepper", async () => {
    const ana = await auth.customer();
    await createPin(auth, ana);

    const stored = await auth.connection.collection('usuarios').findOne({ usuarioID: ana.id });

    expect(stored?.['pin']).toMatchObject({ hash: expect.stringMatching(/^\$2b\$/), pepper_id: 'local' });
  });

  test.each([
    ['111111', '422 transaction_password_weak'],
    ['12345', '400 validation_failed'],
  ])('rejects %s with %s', async (bad, code) => {
    const response = await createPin(auth, await auth.customer(), bad);

    expect(codeOf(response)).toBe(code);
    expect(response.text).not.toContain(bad);
  });

  test('returns a 422 if the confirmation differs', async () => {
    const ana = await customerWithPin();
    const body = { transaction_password: otherPin, confirmation: pin };
    const mismatch = await auth.as(ana)('POST', '/security/transaction-password', { body });
    expect(codeOf(mismatch)).toBe('422 confirmation_mismatch');
    expect(codeOf(await createPin(auth, ana, otherPin))).toBe('409 transaction_password_exists');
  });

  test('succeeds only once if requested twice at the same time', async () => {
    const ana = await auth.customer();
    const responses = await Promise.all([createPin(auth, ana, pin), createPin(auth, ana, otherPin)]);
    expect(responses.map(codeOf).toSorted()).toEqual(['201', '409 transaction_password_exists']);
  });

  test('requires a sign-in within the last 15 minutes [RFC 9470]', async () => {
    const ana = await auth.customer();
    clock.advance({ minutes: 14 });
    const { body } = await auth.call('POST', '/auth/refresh', { body: { refresh_token: ana.refreshToken } });
    clock.advance({ minutes: 2 });
    const refused = await createPin(auth, { token: body.access_token });
    expect([codeOf(refused), refused.headers.get('www-authenticate')]).toEqual([
      '401 reauthentication_required',
      'Bearer error="insufficient_user_authentication", max_age="900"',
    ]);
    expect((await createPin(auth, await auth.newSession(ana))).status).toBe(201);
  });
});

describe('wrong PINs', () => {
  test('block the PIN at the third attempt', async () => {
    const ana = await customerWithPin();
    const until = new Date(clock() + 30 * 60_000).toISOString();

    const [first, second, third] = [await tryWrongPin(ana), await tryWrongPin(ana), await tryWrongPin(ana)];

    expect([codeOf(first), first.body.attempts_remaining]).toEqual(['403 transaction_password_invalid', 2]);
    expect([codeOf(second), second.body.attempts_remaining]).toEqual(['403 transaction_password_invalid', 1]);
    expect([codeOf(third), third.body.blocked_until]).toEqual(['429 transaction_password_blocked', until]);
    expect(third.headers.get('retry-after')).toBe('1800');
    expect(await pinState(auth, ana)).toMatchObject({ status: 'blocked', blocked_until: until });
  });

  test("cause a notification on the user's devices when they block the PIN", async () => {
    const until = new Date(clock() + 30 * 60_000).toISOString();
    const ana = await blockedCustomer();

    const [event] = await recorded.waitFor('security.transaction_password_blocked', ana.id);

    expect(event?.data).toEqual({ user_id: ana.id, version: 1, blocked_until: until });
  });

  test('block even the right PIN for 30 minutes', async () => {
    const ana = await blockedCustomer();
    clock.advance({ minutes: 10 });

    const refused = await stepUp(auth, ana);
    clock.advance({ minutes: 20 });
    const later = await auth.newSession(ana);

    expect([codeOf(refused), refused.headers.get('retry-after')]).toEqual(['429 transaction_password_blocked', '1200']);
    expect(await pinState(auth, later)).toMatchObject({ status: 'usable', attempts_remaining: 3 });
    expect(codeOf(await stepUp(auth, later))).toBe('201');
  });

  test('block the PIN at the next attempt if the process was killed before storing the block', async () => {
    const ana = await blockedCustomer();
    const users = auth.connection.collection('usuarios');
    const before = await users.findOne({ usuarioID: ana.id });
    await users.updateOne({ usuarioID: ana.id }, { $set: { 'pin.blocked_until': null } });
    expect(codeOf(await stepUp(auth, ana))).toBe('429 transaction_password_blocked');
    const after = await users.findOne({ usuarioID: ana.id });
    expect(after?.['pin'].blocked_until).toEqual(before?.['pin'].blocked_until);
    await recorded.waitFor('security.transaction_password_blocked', ana.id, 2);
  });
});

describe('changing the PIN', () => {
  const change = (who: { token: string }, body: Record<string, string>) =>
    auth.as(who)('PUT', '/security/transaction-password', {
      body: { transaction_password: otherPin, confirmation: otherPin, ...body },
    });

  test('makes the new PIN valid', async () => {
    const ana = await customerWithPin();
    expect((await change(ana, { current: pin })).status).toBe(200);
    expect(codeOf(await stepUp(auth, ana))).toBe('403 transaction_password_invalid');
    expect((await stepUp(auth, ana, { transaction_password: otherPin })).status).toBe(201);
    await recorded.waitFor('security.transaction_password_changed', ana.id);
  });

  test('returns a 422 if the new PIN is weak, mistyped or unchanged', async () => {
    const ana = await customerWithPin();
    const weak = { current: wrongPin, transaction_password: '111111', confirmation: '111111' };
    const same = { current: pin, transaction_password: pin, confirmation: pin };
    expect(codeOf(await change(ana, weak))).toBe('422 transaction_password_weak');
    expect(codeOf(await change(ana, { current: wrongPin, confirmation: pin }))).toBe('422 confirmation_mismatch');
    expect(codeOf(await change(ana, same))).toBe('422 transaction_password_weak');
    expect((await pinState(auth, ana)).attempts_remaining).toBe(3);
  });

  test("keeps the old PIN if the new one can't be stored", async () => {
    const ana = await customerWithPin();
    const token = await tokenFor(auth, ana);
    const refused = await whileRefusing(auth, 'usuarios', () => change(ana, { current: pin }));
    expect(refused.status).toBeGreaterThanOrEqual(500);

    const responses = [codeOf(await stepUp(auth, ana)), codeOf(await stepUp(auth, ana))];

    expect(responses).toEqual(['503 service_unavailable', '201']);
    expect(codeOf(await consume(auth, ana, { step_up_token: token }))).toBe('401 step_up_invalid');
    expect((await consume(auth, ana, { step_up_token: await tokenFor(auth, ana) })).status).toBe(200);
  });
});

describe('resetting the PIN', () => {
  let manager: TestUser;
  beforeAll(async () => {
    manager = await auth.manager();
    await storePin(auth, manager);
  });
  /** Starts a new session for the manager, because the old one may have expired by the test's clock. */
  const managerSession = (): Promise<TestUser> => auth.newSession(manager);
  const approve = async (marta: TestUser, userId: number, headers: Record<string, string> = {}) =>
    auth.as(marta)('POST', `/users/${userId}/transaction-password-resets`, {
      headers: { 'x-step-up-token': await tokenFor(auth, marta, { endpoint_key: resetKey }), ...headers },
    });
  const reset = (who: { token: string }, body: Record<string, string> = {}) =>
    auth.as(who)('POST', '/security/transaction-password/reset', {
      body: { password, transaction_password: otherPin, confirmation: otherPin, ...body },
    });

  test('is allowed once after a manager has approved it', async () => {
    const [marta, ana] = [await managerSession(), await blockedCustomer()];
    expect(codeOf(await reset(ana))).toBe('403 reset_not_approved');
    const approved = await approve(marta, ana.id);
    expect([approved.status, approved.body.expires_at]).toEqual([201, new Date(clock() + 15 * 60_000).toISOString()]);
    expect(codeOf(await reset(ana, { password: 'not-the-password' }))).toBe('403 password_invalid');
    expect((await reset(ana)).body).toMatchObject({ status: 'usable', attempts_remaining: 3 });
    expect((await stepUp(auth, ana, { transaction_password: otherPin })).status).toBe(201);
    expect(codeOf(await reset(ana))).toBe('403 reset_not_approved');
    await recorded.waitFor('security.transaction_password_reset', ana.id);
  });

  test('is rejected 15 minutes after the approval', async () => {
    const [marta, ana] = [await managerSession(), await customerWithPin()];
    await approve(marta, ana.id);
    clock.advance({ minutes: 15 });
    expect(codeOf(await reset(await auth.newSession(ana)))).toBe('403 reset_not_approved');
  });

  test('succeeds only once if an approval is used twice at the same time', async () => {
    const [marta, ana] = [await managerSession(), await customerWithPin()];
    await approve(marta, ana.id);
    const responses = await Promise.all([reset(ana), reset(ana)]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("is rejected for 24 hours after another user has set the user's password", async () => {
    const [marta, ana] = [await managerSession(), await customerWithPin()];
    const set = 'set-by-the-manager';
    await changeUser(auth, marta, { id: ana.id, change: { password: set } });
    const first = await auth.signIn(ana.email, set);
    await auth.as(first)('PUT', '/auth/password', { body: { current: set, password: 'changed-by-oneself' } });
    const own = await auth.signIn(ana.email, 'changed-by-oneself');
    const bruno = await auth.manager('Bruno');
    await storePin(auth, bruno);
    await approve(bruno, ana.id);
    expect(codeOf(await reset(own, { password: 'changed-by-oneself' }))).toBe('403 reset_too_soon');
    clock.advance({ days: 1 });
    await approve(await auth.newSession(bruno), ana.id);
    const later = await auth.signIn(ana.email, 'changed-by-oneself');
    expect((await reset(later, { password: 'changed-by-oneself' })).status).toBe(200);
  });

  test("can't be approved by the manager who set the user's password", async () => {
    const [bruno, ana] = [await auth.manager('Bruno'), await customerWithPin()];
    await storePin(auth, bruno);
    const path = `/users/${ana.id}/transaction-password-resets`;
    const marta = await managerSession();
    await changeUser(auth, marta, { id: ana.id, change: { password: 'mesa-farofa-violao' } });
    const body = { current: 'mesa-farofa-violao', password: 'minha-propria-chave' };
    await auth.as(await auth.signIn(ana.email, body.current))('PUT', '/auth/password', { body });
    clock.advance({ days: 2 });
    const later = await managerSession();
    const token = await tokenFor(auth, later, { endpoint_key: resetKey });
    const refused = await auth.as(later)('POST', path, { headers: { 'x-step-up-token': token } });
    expect(codeOf(refused)).toBe('403 forbidden');
    const bia = await customerWithPin('Bia');
    const unspent = { headers: { 'x-step-up-token': token } };
    expect((await auth.as(later)('POST', `/users/${bia.id}/transaction-password-resets`, unspent)).status).toBe(201);
    expect((await approve(await auth.newSession(bruno), ana.id)).status).toBe(201);
  });

  test('can be approved by the manager who added the user', async () => {
    const marta = await managerSession();
    const added = await createUser(auth, marta, { name: 'W', email: newEmail('W'), password, role: 'waiter' });
    const { id, email } = added.body;
    const body = { current: password, password: 'minha-propria-chave' };
    await auth.as(await auth.signIn(email))('PUT', '/auth/password', { body });
    await createPin(auth, await auth.signIn(email, body.password));
    expect((await approve(marta, id)).status).toBe(201);
  });

  test("can't be approved for oneself or for an unknown user", async () => {
    const [marta, bia] = [await managerSession(), await auth.customer('Bia')];
    const token = await tokenFor(auth, marta, { endpoint_key: resetKey });
    const path = (id: number): string => `/users/${id}/transaction-password-resets`;
    const headers = { 'x-step-up-token': token };
    expect(codeOf(await auth.as(marta)('POST', path(marta.id), { headers }))).toBe('403 forbidden');
    expect(codeOf(await auth.as(marta)('POST', path(999_999), { headers }))).toBe('404 not_found');
    expect(codeOf(await auth.as(marta)('POST', path(bia.id), { headers }))).toBe('409 transaction_password_absent');
    const ana = await customerWithPin();
    expect((await auth.as(marta)('POST', path(ana.id), { headers })).status).toBe(201);
    expect(codeOf(await auth.as(marta)('POST', path(ana.id), { headers }))).toBe('401 step_up_used');
  });

  test('is approved only once for five simultaneous requests with one idempotency key', async () => {
    const [marta, ana] = [await managerSession(), await customerWithPin()];
    const token = await tokenFor(auth, marta, { endpoint_key: resetKey });
    const headers = { 'x-step-up-token': token, 'idempotency-key': newEmail('key') };
    const path = `/users/${ana.id}/transaction-password-resets`;
    const responses = await Promise.all(Array.from({ length: 5 }, () => auth.as(marta)('POST', path, { headers })));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.expires_at}`)).size).toBe(1);
    expect(responses.filter(({ headers: sent }) => sent.get('idempotent-replayed') === null)).toHaveLength(1);
    const bia = await customerWithPin('Bia');
    const elsewhere = await auth.as(marta)('POST', `/users/${bia.id}/transaction-password-resets`, { headers });
    expect(codeOf(elsewhere)).toBe('422 idempotency_key_reused');
    const unkeyed = await auth.as(marta)('POST', path, { headers: { 'x-step-up-token': token } });
    expect(codeOf(unkeyed)).toBe('401 step_up_used');
  });
});
