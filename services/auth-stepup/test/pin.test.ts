import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import { codeOf } from '@comanda/testing/call';
import { recordEvents } from '@comanda/testing/recorded-events';
import type { RecordedEvents } from '@comanda/testing/recorded-events';
import { startAuthStepupHarness } from './support/harness.ts';
import { newEmail, password } from '@comanda/testing/credentials';
import type { AuthStepupHarness } from './support/harness.ts';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { createPin, otherPin, pin, pinState, resetKey, stepUp, tokenFor, wrongPin } from './support/pins.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let heard: RecordedEvents;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  heard = await recordEvents(auth.servers.rabbitmqUrl);
});
afterAll(async () => {
  await heard.close();
  await auth.close();
});

const wrong = (who: TestUser) => stepUp(auth, who, { transaction_password: wrongPin });
async function withPin(name = 'Ana'): Promise<TestUser> {
  const person = await auth.customer(name);
  await createPin(auth, person);
  return person;
}
async function blockedPerson(): Promise<TestUser> {
  const person = await withPin();
  for (let times = 0; times < 3; times++) await wrong(person);
  return person;
}

describe('creating a PIN', () => {
  test('when somebody creates one, then it is usable, its owner hears of it, and only a peppered hash is kept', async () => {
    const ana = await auth.customer();
    expect(await pinState(auth, ana)).toEqual({ status: 'absent' });
    const created = await createPin(auth, ana);
    expect([created.status, created.body.status]).toEqual([201, 'usable']);
    expect(await pinState(auth, ana)).toMatchObject({ status: 'usable', attempts_remaining: 3 });
    const [event] = await heard.waitFor('security.transaction_password_created', ana.id);
    expect(event).toMatchObject({ source: '/auth-stepup', data: { user_id: ana.id, version: 1 } });
    const stored = await auth.connection.collection('usuarios').findOne({ usuarioID: ana.id });
    expect(stored?.['pin']).toMatchObject({ hash: expect.stringMatching(/^\$2b\$12\$/), pepper_id: 'test' });
  });

  test.each(['111111', '121212', '123456', '987654', '112233', '123321', '251299', '122599', '199912', '159753'])(
    'when it is %s, then it is too weak',
    async (weak) => {
      const ana = await auth.customer();
      expect(codeOf(await createPin(auth, ana, weak))).toBe('422 transaction_password_weak');
    },
  );

  test.each(['12345', '1234567', 'abcdef', '１２３４５６', '73915 ', '', 739_152])(
    'when it is %j, then 400',
    async (bad) => {
      const ana = await auth.customer();
      const body = { transaction_password: bad, confirmation: bad };
      const answer = await auth.as(ana)('POST', '/security/transaction-password', { body });
      expect(codeOf(answer)).toBe('400 validation_failed');
      expect(bad === '' || answer.text.includes(String(bad))).toBe(bad === '');
    },
  );

  test('when the confirmation differs, then 422, and when there is one already, 409', async () => {
    const ana = await withPin();
    const body = { transaction_password: otherPin, confirmation: pin };
    const mismatch = await auth.as(ana)('POST', '/security/transaction-password', { body });
    expect(codeOf(mismatch)).toBe('422 confirmation_mismatch');
    expect(codeOf(await createPin(auth, ana, otherPin))).toBe('409 transaction_password_exists');
  });

  test('when two create one at once, then one is created', async () => {
    const ana = await auth.customer();
    const answers = await Promise.all([createPin(auth, ana, pin), createPin(auth, ana, otherPin)]);
    expect(answers.map(codeOf).toSorted()).toEqual(['201', '409 transaction_password_exists']);
  });

  test('when the sign-in is older than 15 minutes, refreshed or not, then it is asked for again [RFC 9470]', async () => {
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

describe('wrong tries', () => {
  test('when the third is wrong, then the PIN is blocked for 30 minutes, the right one refused too, and unblocks itself', async () => {
    const ana = await withPin();
    const [one, two, three] = [await wrong(ana), await wrong(ana), await wrong(ana)];
    expect([codeOf(one), one.body.attempts_remaining]).toEqual(['403 transaction_password_invalid', 2]);
    expect([codeOf(two), two.body.attempts_remaining]).toEqual(['403 transaction_password_invalid', 1]);
    expect(codeOf(three)).toBe('429 transaction_password_blocked');
    const until = new Date(clock() + 30 * 60_000).toISOString();
    expect([three.body.blocked_until, three.headers.get('retry-after')]).toEqual([until, '1800']);
    expect(await pinState(auth, ana)).toMatchObject({ status: 'blocked', blocked_until: until });
    const [event] = await heard.waitFor('security.transaction_password_blocked', ana.id);
    expect(event?.data).toEqual({ user_id: ana.id, version: 1, blocked_until: until });

    clock.advance({ minutes: 10 });
    const right = await stepUp(auth, ana);
    expect([codeOf(right), right.body.blocked_until, right.headers.get('retry-after')]).toEqual([
      '429 transaction_password_blocked',
      until,
      '1200',
    ]);
    clock.advance({ minutes: 20 });
    const fresh = await auth.newSession(ana);
    expect(await pinState(auth, fresh)).toMatchObject({ status: 'usable', attempts_remaining: 3 });
    expect((await stepUp(auth, fresh)).status).toBe(201);
  });

  test('when a right one comes between, then counting begins anew, and time alone changes nothing', async () => {
    const ana = await withPin();
    await wrong(ana);
    await wrong(ana);
    expect((await stepUp(auth, ana)).status).toBe(201);
    expect((await wrong(ana)).body.attempts_remaining).toBe(2);
    clock.advance({ days: 3 });
    const later = await auth.newSession(ana);
    expect((await pinState(auth, later)).attempts_remaining).toBe(2);
  });

  test('when Redis is emptied, then a block stays, and ends when it would have ended', async () => {
    const ana = await blockedPerson();
    await auth.redis.del(`attempts:{${ana.id}}`);
    expect(codeOf(await stepUp(auth, ana))).toBe('429 transaction_password_blocked');
    expect((await pinState(auth, ana)).status).toBe('blocked');
    clock.advance({ minutes: 30 });
    expect((await stepUp(auth, await auth.newSession(ana))).status).toBe(201);
  });

  test('when the process died between counting and writing the block down, then the next try writes it, with its event', async () => {
    const ana = await blockedPerson();
    const users = auth.connection.collection('usuarios');
    const before = await users.findOne({ usuarioID: ana.id });
    await users.updateOne({ usuarioID: ana.id }, { $set: { 'pin.blocked_until': null } });
    expect(codeOf(await stepUp(auth, ana))).toBe('429 transaction_password_blocked');
    const after = await users.findOne({ usuarioID: ana.id });
    expect(after?.['pin'].blocked_until).toEqual(before?.['pin'].blocked_until);
    await heard.waitFor('security.transaction_password_blocked', ana.id, 2);
  });
});

describe('changing it', () => {
  const change = (who: { token: string }, body: Record<string, string>) =>
    auth.as(who)('PUT', '/security/transaction-password', {
      body: { transaction_password: otherPin, confirmation: otherPin, ...body },
    });

  test('when the current one is right, then the new one counts and its owner hears of it', async () => {
    const ana = await withPin();
    expect((await change(ana, { current: pin })).status).toBe(200);
    expect(codeOf(await stepUp(auth, ana))).toBe('403 transaction_password_invalid');
    expect((await stepUp(auth, ana, { transaction_password: otherPin })).status).toBe(201);
    await heard.waitFor('security.transaction_password_changed', ana.id);
  });

  test('when the current one is wrong, then it counts like any check', async () => {
    const ana = await withPin();
    expect((await change(ana, { current: wrongPin })).body.attempts_remaining).toBe(2);
    expect((await wrong(ana)).body.attempts_remaining).toBe(1);
    expect(codeOf(await change(ana, { current: wrongPin }))).toBe('429 transaction_password_blocked');
  });

  test('when the new one is weak, mistyped or the current one, then 422 and no try is counted', async () => {
    const ana = await withPin();
    const weak = { current: wrongPin, transaction_password: '111111', confirmation: '111111' };
    const same = { current: pin, transaction_password: pin, confirmation: pin };
    expect(codeOf(await change(ana, weak))).toBe('422 transaction_password_weak');
    expect(codeOf(await change(ana, { current: wrongPin, confirmation: pin }))).toBe('422 confirmation_mismatch');
    expect(codeOf(await change(ana, same))).toBe('422 transaction_password_weak');
    expect((await pinState(auth, ana)).attempts_remaining).toBe(3);
  });
});

describe('resetting it', () => {
  let manager: TestUser;
  beforeAll(async () => {
    manager = await auth.manager();
    await createPin(auth, manager);
  });
  /** With a sign-in of now, however much time has passed. */
  const managerWithPin = (): Promise<TestUser> => auth.newSession(manager);
  const approve = async (marta: TestUser, userId: number, headers: Record<string, string> = {}) =>
    auth.as(marta)('POST', `/users/${userId}/transaction-password-resets`, {
      headers: { 'x-step-up-token': await tokenFor(auth, marta, { endpoint_key: resetKey }), ...headers },
    });
  const reset = (who: { token: string }, body: Record<string, string> = {}) =>
    auth.as(who)('POST', '/security/transaction-password/reset', {
      body: { password, transaction_password: otherPin, confirmation: otherPin, ...body },
    });

  test('when a manager approves, then a blocked user sets a new PIN once, and the block is lifted', async () => {
    const [marta, ana] = [await managerWithPin(), await blockedPerson()];
    expect(codeOf(await reset(ana))).toBe('403 reset_not_approved');
    const approved = await approve(marta, ana.id);
    expect([approved.status, approved.body.expires_at]).toEqual([201, new Date(clock() + 15 * 60_000).toISOString()]);
    expect(codeOf(await reset(ana, { password: 'not-the-password' }))).toBe('403 password_invalid');
    expect((await reset(ana)).body).toMatchObject({ status: 'usable', attempts_remaining: 3 });
    expect((await stepUp(auth, ana, { transaction_password: otherPin })).status).toBe(201);
    expect(codeOf(await reset(ana))).toBe('403 reset_not_approved');
    await heard.waitFor('security.transaction_password_reset', ana.id);
  });

  test('when the approval is 15 minutes old, then it is none', async () => {
    const [marta, ana] = [await managerWithPin(), await withPin()];
    await approve(marta, ana.id);
    clock.advance({ minutes: 15 });
    expect(codeOf(await reset(await auth.newSession(ana)))).toBe('403 reset_not_approved');
  });

  test('when two resets use one approval at once, then one has it', async () => {
    const [marta, ana] = [await managerWithPin(), await withPin()];
    await approve(marta, ana.id);
    const answers = await Promise.all([reset(ana), reset(ana)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('when somebody else has set the password, then a reset has to wait 24 hours, even after it was changed', async () => {
    const [marta, ana] = [await managerWithPin(), await withPin()];
    const set = 'set-by-the-manager';
    await auth.as(marta)('PUT', `/users/${ana.id}`, { body: { password: set } });
    const first = await auth.signIn(ana.email, set);
    await auth.as(first)('PUT', '/auth/password', { body: { current: set, password: 'changed-by-oneself' } });
    const own = await auth.signIn(ana.email, 'changed-by-oneself');
    await approve(marta, ana.id);
    expect(codeOf(await reset(own, { password: 'changed-by-oneself' }))).toBe('403 reset_too_soon');
    clock.advance({ days: 1 });
    await approve(await managerWithPin(), ana.id);
    const later = await auth.signIn(ana.email, 'changed-by-oneself');
    expect((await reset(later, { password: 'changed-by-oneself' })).status).toBe(200);
  });

  test('when a manager approves for themselves, nobody, or someone without a PIN, then it is refused and the token unspent', async () => {
    const [marta, bia] = [await managerWithPin(), await auth.customer('Bia')];
    const token = await tokenFor(auth, marta, { endpoint_key: resetKey });
    const path = (id: number): string => `/users/${id}/transaction-password-resets`;
    const headers = { 'x-step-up-token': token };
    expect(codeOf(await auth.as(marta)('POST', path(marta.id), { headers }))).toBe('403 forbidden');
    expect(codeOf(await auth.as(marta)('POST', path(999_999), { headers }))).toBe('404 not_found');
    expect(codeOf(await auth.as(marta)('POST', path(bia.id), { headers }))).toBe('409 transaction_password_absent');
    const ana = await withPin();
    expect((await auth.as(marta)('POST', path(ana.id), { headers })).status).toBe(201);
    expect(codeOf(await auth.as(marta)('POST', path(ana.id), { headers }))).toBe('401 step_up_used');
  });

  test('when the same approval is asked for 20 times with one key, then there is one, and its answer is repeated', async () => {
    const [marta, ana] = [await managerWithPin(), await withPin()];
    const token = await tokenFor(auth, marta, { endpoint_key: resetKey });
    const headers = { 'x-step-up-token': token, 'idempotency-key': newEmail('key') };
    const path = `/users/${ana.id}/transaction-password-resets`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => auth.as(marta)('POST', path, { headers })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.expires_at}`)).size).toBe(1);
    expect(answers.filter(({ headers: sent }) => sent.get('idempotent-replayed') === null)).toHaveLength(1);
    const bia = await withPin('Bia');
    const elsewhere = await auth.as(marta)('POST', `/users/${bia.id}/transaction-password-resets`, { headers });
    expect(codeOf(elsewhere)).toBe('422 idempotency_key_reused');
    const unkeyed = await auth.as(marta)('POST', path, { headers: { 'x-step-up-token': token } });
    expect(codeOf(unkeyed)).toBe('401 step_up_used');
  });

  test('when no token, two tokens joined by a comma, or one for another endpoint comes, then it is refused', async () => {
    const [marta, ana] = [await managerWithPin(), await withPin()];
    const path = `/users/${ana.id}/transaction-password-resets`;
    const ask = (token?: string) =>
      auth.as(marta)('POST', path, token === undefined ? {} : { headers: { 'x-step-up-token': token } });
    const required = await ask();
    expect([codeOf(required), required.headers.get('www-authenticate')]).toEqual([
      '401 step_up_required',
      'Bearer error="insufficient_user_authentication", max_age="120"',
    ]);
    const [one, two] = [
      await tokenFor(auth, marta, { endpoint_key: resetKey }),
      await tokenFor(auth, marta, { endpoint_key: resetKey }),
    ];
    expect(codeOf(await ask(`${one}, ${two}`))).toBe('401 step_up_invalid');
    const other = await tokenFor(auth, marta, { endpoint_key: 'account_deposit.create' });
    expect(codeOf(await ask(other))).toBe('401 step_up_wrong_endpoint');
    expect((await ask(one)).status).toBe(201);
  });
});
