import { randomUUID } from 'node:crypto';
import { noTraces } from '@comanda/shared/tracing/tracer';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { askAuthStepup } from '@comanda/shared/http/ask-auth-stepup';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { caller, codeOf } from '@comanda/testing/call';
import { testService } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { recordEvents } from '@comanda/testing/recorded-events';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { newEmail, password } from '@comanda/testing/credentials';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { createPin, pin, pinState, stepUp, storePin, tokensFor, transferKey, wrongPin } from './support/pins.ts';

describe("MongoDB's outage", () => {
  let mongodb: OwnServer;
  let auth: AuthStepupHarness;
  let ana: TestUser;
  let blocked: TestUser;
  const signIn = () => auth.call('POST', '/auth/login', { body: { email: ana.email, password } });
  const untilSignInWorks = () => until(async () => (await signIn()).status === 200, { what: 'a sign-in' });
  beforeAll(async () => {
    mongodb = await startOwnServer('mongodb');
    auth = await startAuthStepupHarness({
      servers: { ...(await isolatedServers('outage')), mongodbUri: mongodb.url },
    });
    ana = await auth.customer();
    blocked = await auth.customer();
    await storePin(auth, blocked);
    for (let attempt = 0; attempt < 3; attempt++) await stepUp(auth, blocked, { transaction_password: wrongPin });
  });
  afterAll(async () => {
    await auth.close();
    await mongodb.discard();
  });
  // Each test stops MongoDB, so the order of tests does not matter.
  beforeEach(() => mongodb.stop());
  afterEach(async () => {
    mongodb = await mongodb.startAgain();
    await untilSignInWorks();
  });

  test('causes a 503 for sign-ins', async () => {
    expect(codeOf(await signIn())).toBe('503 service_unavailable');
  });

  test('makes the service not ready', async () => {
    await until(async () => (await fetch(`${auth.url}/readyz`)).status === 503, { what: 'unreadiness' });

    expect((await auth.call('GET', '/.well-known/jwks.json')).status).toBe(200);
  });

  test("doesn't change the response for a blocked PIN", async () => {
    expect(codeOf(await stepUp(auth, blocked))).toBe('429 transaction_password_blocked');
  });

  test('no longer prevents sign-ins once it is over', async () => {
    mongodb = await mongodb.startAgain();

    await untilSignInWorks();

    await mongodb.stop();
  });
});

test("a wrong password and an unknown e-mail address get the same response while MongoDB can't write", async () => {
  const mongodb = await startOwnServer('mongodb');
  const auth = await startAuthStepupHarness({
    servers: { ...(await isolatedServers('outage')), mongodbUri: mongodb.url },
  });
  try {
    const { email } = await auth.customer();
    const admin = auth.connection.getClient().db('admin');
    const wrong = { email, password: 'not-the-password' };
    await admin.command({ fsync: 1, lock: true });
    try {
      const ofUser = auth.call('POST', '/auth/login', { body: wrong });
      const ofNobody = auth.call('POST', '/auth/login', { body: { ...wrong, email: newEmail('Nobody') } });

      expect(codeOf(await ofUser)).toBe('401 invalid_credentials');
      // The user's event is still waiting to be written.
      expect(auth.log()).not.toContain('a security event could not be stored');
      expect(codeOf(await ofNobody)).toBe('401 invalid_credentials');
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
  } finally {
    await auth.close();
    await mongodb.discard();
  }
});

describe("RabbitMQ's outage", () => {
  test('delays the event for a new PIN', async () => {
    const port = await freePort();
    const own = await isolatedServers('outage');
    const without = await startAuthStepupHarness({
      servers: own,
      settings: { RABBITMQ_URL: `amqp://127.0.0.1:${port}` },
    });
    const ana = await without.customer();
    expect((await createPin(without, ana)).status).toBe(201);
    await without.close();
    const heard = await recordEvents(own.rabbitmqUrl);
    const { RABBITMQ_URL: _url, ...env } = without.env;
    const auth = await startAuthStepupHarness({ servers: own, settings: env });
    try {
      await heard.waitFor('security.transaction_password_created', ana.id);
    } finally {
      await heard.close();
      await auth.close();
    }
  });
});

describe('the auth-stepup process', () => {
  let auth: AuthStepupHarness;
  let instance: ServiceProcess;
  beforeAll(async () => {
    auth = await startAuthStepupHarness();
    instance = await startServiceProcess('auth-stepup', {
      ...auth.env,
      PORT: String(await freePort()),
      LOG_LEVEL: 'info',
    });
    await instance.ready();
  });
  afterAll(async () => {
    await instance.end('SIGKILL');
    await auth.close();
  });

  test('causes a 503 for each token that a service tries to spend while it is frozen', async () => {
    const ana = await auth.customer();
    await storePin(auth, ana);
    const tokens = await tokensFor(auth, ana, 5);
    const ask = askAuthStepup(instance.url, { service: testService('transfers'), tracer: noTraces });
    const spend = (token: string) =>
      ask(
        { step_up_token: token, endpoint_key: transferKey },
        {
          caller: { userId: ana.id },
          header: (name) => (name === 'authorization' ? `Bearer ${ana.token}` : undefined),
          context: { requestId: randomUUID(), traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
        },
      );
    const refusal = (token: string) =>
      spend(token).then(
        () => null,
        (error: { code: string }) => error.code,
      );
    try {
      // This request opens the connection that the next requests use.
      await expect(spend('a.b.c')).rejects.toMatchObject({ code: 'step_up_invalid' });
      process.kill(instance.pid(), 'SIGSTOP');
      const [atOnce, alone, ...late] = tokens;
      const refused = [refusal(atOnce ?? '')];
      // The second token is sent alone in the next call. The other tokens wait and are sent together.
      await setTimeout(50);
      refused.push(refusal(alone ?? ''));
      await setTimeout(700);
      refused.push(...late.map(refusal));
      // Every request gets a response while the instance is stopped.
      expect(new Set(await Promise.all(refused))).toEqual(new Set(['service_unavailable']));
      process.kill(instance.pid(), 'SIGCONT');
      await instance.ready();
      for (const token of tokens) expect(await spend(token)).toMatchObject({ pinVersion: 1, first: true });
    } finally {
      ask.close();
    }
  });

  test("doesn't count an attempt if it is killed during the check", async () => {
    const ana = await auth.customer();
    await createPin(auth, ana);
    const viaProcess = caller(instance.url, { token: ana.token });
    const body = { endpoint_key: transferKey, transaction_password: wrongPin };
    const lost = viaProcess('POST', '/security/step-up', { body }).then(
      () => 'answered',
      () => 'lost',
    );
    await until(async () => (await auth.redis.hlen(`attempts:{${ana.id}}`)) > 0, { what: 'the reserved check' });
    await instance.end('SIGKILL');
    expect(await lost).toBe('lost');
    const responses = await Promise.all([stepUp(auth, ana), stepUp(auth, ana), stepUp(auth, ana)]);
    expect(responses.map(codeOf).toSorted()).toEqual(['201', '201', '429 transaction_password_busy']);
    expect((await pinState(auth, ana)).attempts_remaining).toBe(3);
    await instance.start();
    await instance.ready();
    const again = await viaProcess('POST', '/security/step-up', { body: { ...body, transaction_password: pin } });
    expect(again.status).toBe(201);
  });
});
