import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { consume, managerWithPin, pinState, stepUp, storePin, tokenFor, wrongPin } from './support/pins.ts';
import { tabletsOf, wrongTabletPin } from './support/tablets.ts';

describe('Redis', () => {
  let redis: OwnServer;
  let auth: AuthStepupHarness;
  let ana: TestUser;
  beforeEach(async () => {
    ana = await auth.customer();
    await storePin(auth, ana);
  });
  beforeAll(async () => {
    redis = await startOwnServer('redis');
    auth = await startAuthStepupHarness({ servers: { ...(await isolatedServers('outage')), redisUrl: redis.url } });
  });
  afterAll(async () => {
    await auth.close();
    await redis.discard();
  });
  const untilRedisAnswers = () =>
    until(async () => (await auth.as(ana)('GET', '/security/transaction-password')).status === 200, {
      what: 'the state of the PIN to be read again',
    });

  test('makes the service not ready when it rejects scripts', async () => {
    const admin = new Redis(redis.url);
    const setRights = async (rights: string): Promise<void> => {
      await admin.call('ACL', 'SETUSER', 'default', rights);
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    };
    const untilHealthIs = (status: number) =>
      until(async () => (await fetch(`${auth.url}/readyz`)).status === status, { what: `health to be ${status}` });

    await setRights('-eval');
    await untilHealthIs(503);
    expect(codeOf(await stepUp(auth, ana))).toBe('503 service_unavailable');

    await setRights('+eval');
    await untilHealthIs(200);
    admin.disconnect();
    await untilRedisAnswers();
    expect((await stepUp(auth, ana)).status).toBe(201);
  });

  test.each(['frozen', 'down'])('causes a 503 for PIN checks when it is %s', async (how) => {
    const token = await tokenFor(auth, ana);
    const spentOrNot = await tokenFor(auth, ana);
    if (how === 'frozen') redis.kill('SIGSTOP');
    else await redis.stop();
    const asked = [
      () => auth.as(ana)('GET', '/security/transaction-password'),
      () => stepUp(auth, ana),
      () => stepUp(auth, ana, { transaction_password: wrongPin }),
      () => consume(auth, ana, { step_up_token: spentOrNot }),
    ];
    for (const ask of asked) {
      expect(codeOf(await ask())).toBe('503 service_unavailable');
    }
    const login = await auth.call('POST', '/auth/login', { body: { email: ana.email, password } });
    expect(login.status).toBe(200);
    const health = await (await fetch(`${auth.url}/readyz`)).json();
    expect(health).toMatchObject({ status: 'ready' });
    if (how === 'frozen') redis.kill('SIGCONT');
    else redis = await redis.startAgain();
    await untilRedisAnswers();
    expect((await consume(auth, ana, { step_up_token: token })).status).toBe(200);
    // Redis reserves the slots when it is no longer frozen. They expire after ten seconds and do not count as wrong PINs.
    await until(async () => (await stepUp(auth, ana)).status === 201, { what: 'a PIN check' });
    expect((await pinState(auth, ana)).attempts_remaining).toBe(3);
  });

  test.each(['frozen', 'down'])('prevents tablet sign-ins with a right or wrong PIN when it is %s', async (how) => {
    const tablets = tabletsOf(auth, await managerWithPin(auth));
    const [{ credential }, rui] = [await tablets.register(), await tablets.newWaiter()];
    const on = { credential, userId: rui.id };
    if (how === 'frozen') redis.kill('SIGSTOP');
    else await redis.stop();

    const responses = [await tablets.signIn(on), await tablets.signIn({ ...on, pin: wrongTabletPin })];

    expect(responses.map(codeOf)).toEqual(Array(2).fill('503 service_unavailable'));
    if (how === 'frozen') redis.kill('SIGCONT');
    else redis = await redis.startAgain();
    await untilRedisAnswers();
    await until(async () => (await tablets.signIn(on)).status === 200, { what: 'a sign-in on the tablet' });
    expect((await tablets.signIn({ ...on, pin: wrongTabletPin })).body.attempts_remaining).toBe(4);
  });

  test('causes a warning for each setting with which it may lose keys', async () => {
    await auth.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await auth.redis.config('SET', 'appendonly', 'no');
    const production = await startAuthStepupHarness({
      servers: { ...(await isolatedServers('outage')), redisUrl: redis.url },
      settings: { NODE_ENV: 'production', RABBITMQ_URL: 'amqp://nobody:none@127.0.0.1:9' },
    });
    const readiness = async () =>
      (await (await fetch(`${production.url}/readyz`)).json()) as { status: string; warnings?: string[] };
    try {
      await until(async () => (await readiness()).warnings !== undefined, { what: 'the warnings' });

      expect(await readiness()).toMatchObject({
        status: 'ready',
        warnings: [expect.stringContaining('maxmemory-policy'), expect.stringContaining('appendonly')],
      });
      expect(production.log()).toContain('Set maxmemory-policy to noeviction');
    } finally {
      await auth.redis.config('SET', 'maxmemory-policy', 'noeviction');
      await auth.redis.config('SET', 'appendonly', 'yes');
      await production.close();
    }
  });

  test.each(['frozen', 'down'])('leaves each instance to count sign-in attempts itself when it is %s', async (how) => {
    const limited = await startAuthStepupHarness({
      servers: { ...(await isolatedServers('outage')), redisUrl: redis.url },
      settings: {
        RATE_LIMIT_SIGN_IN: '2',
        RATE_LIMIT_SIGN_IN_ADDRESS: '3',
        RATE_LIMIT_SIGN_IN_FAILURES: '1',
        RATE_LIMIT_REGISTRATION: '1',
      },
    });
    const inTurn = async (...emails: string[]): Promise<string[]> => {
      const codes: string[] = [];
      for (const email of emails)
        codes.push(codeOf(await limited.call('POST', '/auth/login', { body: { email, password } })));
      return codes;
    };
    const register = async (): Promise<string> =>
      codeOf(await limited.call('POST', '/auth/register', { body: { name: 'Ana', email: newEmail('Ana'), password } }));
    try {
      const { email } = await limited.customer();
      if (how === 'frozen') redis.kill('SIGSTOP');
      else await redis.stop();

      expect(await inTurn(email, email, email)).toEqual(['200', '200', '429 rate_limited']);
      expect(await inTurn(newEmail('Bia'))).toEqual(['429 rate_limited']);
      expect([await register(), await register()]).toEqual(['201', '429 rate_limited']);
    } finally {
      if (how === 'frozen') redis.kill('SIGCONT');
      else redis = await redis.startAgain();
      await limited.close();
      await untilRedisAnswers();
    }
  });
});
