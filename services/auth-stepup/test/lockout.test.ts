import { createHmac } from 'node:crypto';
import { hashSync } from 'bcryptjs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf, type Called } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import { createTestClock } from '@comanda/testing/test-clock';
import { until } from '@comanda/testing/until';
import { productionHashCost } from '../src/passwords/hasher.ts';
import { attemptsKey } from '../src/pin/redis-keys.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { createPin, pin, pinState, stepUp, storePin, testHashCost, wrongPin } from './support/pins.ts';

const clock = createTestClock();
/** Hashing takes half as long as in production, so other requests can still arrive during a hash. */
const hashCost = productionHashCost - 1;
let auth: AuthStepupHarness;
const others: AuthStepupHarness[] = [];
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock, hashCost });
});
afterEach(async () => {
  await Promise.all(others.splice(0).map((instance) => instance.close()));
});
afterAll(() => auth.close());

/** Starts another instance on the same servers, with other settings. It is closed after the test. */
async function startInstance(settings: Record<string, string> = {}): Promise<AuthStepupHarness> {
  const instance = await startAuthStepupHarness({
    clock,
    hashCost,
    servers: auth.servers,
    settings: { ...auth.env, ...settings },
  });
  others.push(instance);
  return instance;
}
async function customerWithPin(instance = auth): Promise<TestUser> {
  const customer = await instance.customer();
  await storePin(instance, customer);
  return customer;
}
/** Creates a customer with a slow PIN hash, so that other requests arrive during a check. */
async function customerWithSlowPin(instance = auth): Promise<TestUser> {
  const customer = await instance.customer();
  await createPin(instance, customer);
  return customer;
}
const tryWrongPin = (instance: AuthStepupHarness, user: TestUser): Promise<Called> =>
  stepUp(instance, user, { transaction_password: wrongPin });
async function block(instance: AuthStepupHarness, user: TestUser): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) await tryWrongPin(instance, user);
}
async function startedHashes(...instances: AuthStepupHarness[]): Promise<number> {
  const counts = instances.map(async ({ url }) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^comanda_hashes_total\{.*hashed="pin".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
const countByCode = (responses: readonly Called[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(responses, codeOf)].map(([code, all]) => [code, all.length]));
const withStatus = (responses: readonly Called[], status: number): Called[] =>
  responses.filter((response) => response.status === status);

describe('concurrent PIN checks', () => {
  test('hash only three of 200 wrong PINs', async () => {
    const other = await startInstance();
    const ana = await customerWithSlowPin();
    const hashesBefore = await startedHashes(auth, other);

    const responses = await Promise.all(
      Array.from({ length: 200 }, (_each, index) => tryWrongPin(index % 2 ? auth : other, ana)),
    );

    expect((await startedHashes(auth, other)) - hashesBefore).toBe(3);
    const {
      '429 transaction_password_blocked': blocked = 0,
      '429 transaction_password_busy': busy = 0,
      ...rest
    } = countByCode(responses);
    expect({ ...rest, 429: blocked + busy }).toEqual({ '403 transaction_password_invalid': 2, 429: 198 });
    const remaining = withStatus(responses, 403).map(({ body }) => body.attempts_remaining);
    // The first response may already count the second wrong PIN.
    expect([
      [1, 1],
      [1, 2],
    ]).toContainEqual(remaining.toSorted((a, b) => a - b));
    expect((await pinState(auth, ana)).status).toBe('blocked');
  });

  test('accept up to three right PINs at the same time', async () => {
    const ana = await customerWithSlowPin();

    const responses = await Promise.all(Array.from({ length: 10 }, () => stepUp(auth, ana)));

    expect(countByCode(responses)).toEqual({ '201': 3, '429 transaction_password_busy': 7 });
    expect(withStatus(responses, 429)[0]?.headers.get('retry-after')).toBe('1');
    expect(await pinState(auth, ana)).toMatchObject({ status: 'usable', attempts_remaining: 3 });
  });

  test('succeed even while the password queue is full', async () => {
    const small = await startInstance({ HASH_QUEUE: '20', HASH_WORKERS: '1' });
    const ana = await customerWithSlowPin(small); // the call above started a thread for PINs
    const signIn = () => small.call('POST', '/auth/login', { body: { email: newEmail('Nobody'), password } });
    let answered = 0;
    const signIns = Array.from({ length: 20 }, () => signIn().finally(() => answered++));
    // At least 14 of the 20 sign-ins are rejected immediately. One thread needs about a second for five or six hashes.
    await until(() => answered >= 14, { what: 'the queue to be full' });

    const checked = await stepUp(small, ana);

    expect(codeOf(checked)).toBe('201');
    expect(answered).toBeLessThan(20);
    expect(withStatus(await Promise.all(signIns), 503).length).toBeGreaterThanOrEqual(14);
  });

  test('return a 503 and release their slots if the hashing queue is full', async () => {
    const small = await startInstance({ PIN_HASH_QUEUE: '1', PIN_HASH_WORKERS: '1' });
    const users = [await customerWithSlowPin(), await customerWithSlowPin(), await customerWithSlowPin()];

    const responses = await Promise.all([...users, ...users].map((user) => stepUp(small, user)));

    expect(withStatus(responses, 503)).not.toEqual([]);
    for (const user of users) expect(codeOf(await stepUp(small, user))).toBe('201');
  });

  test('succeed for established customers, even if new ones fill the queue from the same address', async () => {
    const small = await startInstance({ PIN_HASH_QUEUE: '8', PIN_HASH_WORKERS: '1' });
    const [waiter, regular] = [await small.waiter(), await customerWithPin(small)];
    await storePin(small, waiter);
    const aDayAgo = new Date(clock() - 24 * 3_600_000);
    const users = small.connection.collection('usuarios');
    await users.updateOne({ usuarioID: regular.id }, { $set: { 'pin.created_at': aDayAgo } });
    const newcomers = [await customerWithSlowPin(), await customerWithSlowPin(), await customerWithSlowPin()];
    let answered = 0;
    const flood = [...newcomers, ...newcomers, ...newcomers].map((user) =>
      stepUp(small, user).finally(() => answered++),
    );
    // One PIN is being hashed and two are waiting. The other six requests were rejected immediately.
    await until(() => answered >= 6, { what: 'the places of newcomers to be taken' });

    const checked = await Promise.all([waiter, regular].map((user) => stepUp(small, user)));

    expect(checked.map(codeOf)).toEqual(['201', '201']);
    // A request that arrives late may find a free place in the queue.
    expect(withStatus(await Promise.all(flood), 503).length).toBeGreaterThanOrEqual(4);
  });
});

describe('lockout metrics', () => {
  test('count wrong PINs and blocked PINs', async () => {
    const instance = await startInstance();
    const count = async (type: string): Promise<number> => {
      const text = await (await fetch(`${instance.url}/metrics`)).text();
      return Number(new RegExp(`^comanda_security_events_total\\{.*type="${type}".*\\} (\\d+)$`, 'm').exec(text)?.[1]);
    };
    const ana = await customerWithPin(instance);
    expect(await count('transaction_password_blocked')).toBe(0);

    await block(instance, ana);

    expect(await count('transaction_password_wrong')).toBe(3);
    expect(await count('transaction_password_blocked')).toBe(1);
  });
});

describe("an attacker with another user's session and write access to Redis", () => {
  const blocked = '429 transaction_password_blocked';

  test("can't avoid the block at the third wrong PIN by resetting the counter", async () => {
    const ana = await customerWithPin();
    const codes: string[] = [];
    for (let guess = 0; guess < 8; guess++) {
      codes.push(codeOf(await tryWrongPin(auth, ana)));
      await auth.redis.del(attemptsKey(ana.id));
      await auth.redis.hset(attemptsKey(ana.id), 'wrong', 0);
    }

    expect(codes).toEqual([...Array<string>(2).fill('403 transaction_password_invalid'), ...Array(6).fill(blocked)]);
    expect(codeOf(await stepUp(auth, ana))).toBe(blocked);
    expect(await pinState(auth, ana)).toMatchObject({ status: 'blocked' });
    clock.advance({ minutes: 29 });
    expect(codeOf(await stepUp(auth, await auth.newSession(ana)))).toBe(blocked);
    clock.advance({ minutes: 2 });
    expect((await stepUp(auth, await auth.newSession(ana))).status).toBe(201);
  });

  test("can't avoid the block at the sixth wrong PIN by removing running checks", async () => {
    const ana = await customerWithSlowPin();
    const codes: string[] = [];
    const outcomes: unknown[] = [];
    for (let guess = 0; guess < 7; guess++) {
      let response: Called | null = null;
      const attempt = tryWrongPin(auth, ana).then((answered) => (response = answered));
      const isAnswered = async (): Promise<boolean> => {
        await auth.redis.del(attemptsKey(ana.id));
        return response !== null;
      };
      await until(isAnswered, { what: 'an answer', timeoutMs: 20_000 });
      const answered = await attempt;
      codes.push(codeOf(answered));
      outcomes.push(answered.body.outcome);
    }

    expect(codes).toEqual([...Array<string>(5).fill('503 service_unavailable'), ...Array(2).fill(blocked)]);
    expect(outcomes).toEqual([...Array<string>(5).fill('unknown'), undefined, undefined]);
  });
});

describe('PIN_SIGN_IN_AFTER_BLOCK', () => {
  let strict: AuthStepupHarness;
  beforeAll(async () => {
    strict = await startAuthStepupHarness({ clock, settings: { PIN_SIGN_IN_AFTER_BLOCK: 'true' } });
  });
  afterAll(() => strict.close());

  /** Creates a customer whose block has ended. The customer has a new access token but signed in before the block. */
  async function customerAfterBlock(): Promise<TestUser> {
    const customer = await customerWithPin(strict);
    clock.advance({ minutes: 5 });
    await block(strict, customer);
    clock.advance({ minutes: 31 });
    const { body } = await strict.call('POST', '/auth/refresh', { body: { refresh_token: customer.refreshToken } });
    return { ...customer, token: body.access_token };
  }

  test('rejects an attempt if the sign-in is older than the block', async () => {
    const oldSession = await customerAfterBlock();

    const refused = await stepUp(strict, oldSession);

    expect(codeOf(refused)).toBe('401 reauthentication_required');
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age="0"',
    );
    expect((await pinState(strict, oldSession)).attempts_remaining).toBe(3);
  });

  test('accepts a PIN if the sign-in is newer than the block', async () => {
    const newSession = await strict.newSession(await customerAfterBlock());

    expect(codeOf(await stepUp(strict, newSession))).toBe('201');
  });
});

describe('the limit PIN_LIFETIME_FAILURES', () => {
  /** Creates a user with one attempt left of four, after a first block. */
  async function afterFirstBlock(): Promise<{ strict: AuthStepupHarness; ana: TestUser }> {
    const strict = await startInstance({ PIN_LIFETIME_FAILURES: '4' });
    const customer = await customerWithPin(strict);
    await block(strict, customer);
    clock.advance({ minutes: 31 });
    return { strict, ana: await strict.newSession(customer) };
  }

  test('counts wrong PINs across blocks, and blocks the PIN until a reset once it is reached', async () => {
    const { strict, ana } = await afterFirstBlock();
    expect((await pinState(strict, ana)).attempts_remaining).toBe(1);

    const last = await tryWrongPin(strict, ana);
    clock.advance({ days: 1 });
    const later = await strict.newSession(ana);

    expect([codeOf(last), last.body.blocked_until]).toEqual(['429 transaction_password_blocked', null]);
    expect(codeOf(await stepUp(strict, later))).toBe('429 transaction_password_blocked');
    expect(await pinState(strict, later)).toEqual({ status: 'blocked', created_at: expect.any(String) });
  });

  test('starts counting from zero after a right PIN', async () => {
    const { strict, ana } = await afterFirstBlock();

    expect(codeOf(await stepUp(strict, ana))).toBe('201');
    expect((await pinState(strict, ana)).attempts_remaining).toBe(3);
  });
});

describe('a new pepper in PIN_PEPPER', () => {
  const [oldPepper, newPepper] = ['old:b2xkLXBlcHBlci1vbGQtcGVwcGVy', 'new:bmV3LXBlcHBlci1uZXctcGVwcGVy'];
  const storedPepper = async ({ id }: TestUser): Promise<string> => {
    const document = await auth.connection.collection('usuarios').findOne({ usuarioID: id });
    return document?.['pin'].pepper_id;
  };

  test('is applied to an old PIN the next time that PIN is entered correctly', async () => {
    const before = await startInstance({ PIN_PEPPER: oldPepper });
    const ana = await customerWithPin(before);
    const both = await startInstance({ PIN_PEPPER: `${newPepper},${oldPepper}` });

    expect((await tryWrongPin(both, ana)).body.attempts_remaining).toBe(2);
    expect(await storedPepper(ana)).toBe('old');
    expect(codeOf(await stepUp(both, ana))).toBe('201');
    expect(await storedPepper(ana)).toBe('new');
  });
});

describe('the hash of a PIN', () => {
  const users = () => auth.connection.collection('usuarios');

  test('is renewed the next time the PIN is entered correctly if an older release stored it', async () => {
    const ana = await customerWithPin();
    const pepper = Buffer.from((auth.env['PIN_PEPPER'] ?? '').split(':')[1] ?? '', 'base64');
    const hash = hashSync(createHmac('sha256', pepper).update(pin).digest('base64'), testHashCost);
    await users().updateOne(
      { usuarioID: ana.id },
      { $set: { 'pin.hash': hash }, $unset: { 'pin.is_bound_to_user': '' } },
    );

    expect(codeOf(await tryWrongPin(auth, ana))).toBe('403 transaction_password_invalid');
    expect((await users().findOne({ usuarioID: ana.id }))?.['pin']).toMatchObject({ hash });
    expect(codeOf(await stepUp(auth, ana))).toBe('201');
    expect((await users().findOne({ usuarioID: ana.id }))?.['pin']).toMatchObject({ is_bound_to_user: true });
    expect(codeOf(await stepUp(auth, ana))).toBe('201');
  });
});
