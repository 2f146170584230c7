import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0).toReversed()) await close();
});
const start = async (settings: Record<string, string>): Promise<GatewayHarness> => {
  const gateway = await startGatewayHarness(settings);
  opened.push(gateway);
  return gateway;
};
const bearer = (gateway: GatewayHarness, sub: number) => ({
  authorization: `Bearer ${gateway.issuer.token({ sub, role: 'customer' })}`,
});

const stepUp = async (gateway: GatewayHarness, sub: number) => {
  const response = await fetch(`${gateway.url}/security/step-up`, {
    method: 'POST',
    headers: { ...bearer(gateway, sub), 'content-type': 'application/json' },
    body: '{}',
  });
  await response.arrayBuffer();
  return response;
};
async function stepUpThreeTimes(gateway: GatewayHarness, sub: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < 3; index++) statuses.push((await stepUp(gateway, sub)).status);
  return statuses;
}
/** Repeats the request until it is rejected. On a busy machine, a request is not counted if counting takes longer than 50 ms. */
const untilRefused = (gateway: GatewayHarness, sub: number) =>
  until(
    async () => {
      const response = await stepUp(gateway, sub);
      return response.status === 429 ? response : null;
    },
    { what: `user ${sub} to be refused` },
  );
/** Waits until the log shows that Redis is up or down. Clients cannot see this. */
const untilRedisIs = (state: 'up' | 'down', { lines }: GatewayHarness) =>
  until(
    () => {
      const last = lines.findLast(({ msg }) => msg === 'Redis is ready' || msg === 'Redis connection error');
      return last?.['msg'] === (state === 'up' ? 'Redis is ready' : 'Redis connection error');
    },
    { what: `Redis to be ${state}` },
  );

describe('the step-up limit', () => {
  test('returns a 429 for too many PIN checks by one user', async () => {
    const gateway = await start({ RATE_LIMIT_STEP_UP: '3' });
    await untilRedisIs('up', gateway);

    const refused = await untilRefused(gateway, 5);

    expect(gateway.peer.arrived.length).toBeGreaterThanOrEqual(3);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/"general"; r=\d+; t=\d+, "step-up"; r=0; t=\d+/);
  });

  test("doesn't affect other users", async () => {
    const gateway = await start({ RATE_LIMIT_STEP_UP: '3' });
    await untilRedisIs('up', gateway);
    await untilRefused(gateway, 5);

    expect((await stepUp(gateway, 6)).status).toBe(200);
    expect((await fetch(`${gateway.url}/orders`, { headers: bearer(gateway, 5) })).status).toBe(200);
  });

  test.each([
    ['POST', '/security/transaction-password'],
    ['PUT', '/security/transaction-password'],
    ['POST', '/security/transaction-password/reset'],
    ['PUT', '/auth/password'],
    // The limit stops clients that look up the owners of all accounts one by one.
    ['GET', '/accounts/21/payee'],
  ])('counts %s %s as a PIN check', async (method, path) => {
    const gateway = await start({ RATE_LIMIT_STEP_UP: '1' });
    const send = () =>
      fetch(gateway.url + path, {
        method,
        headers: { ...bearer(gateway, 5), 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: '{}' }),
      });

    expect([(await send()).status, (await send()).status]).toEqual([200, 429]);
    expect((await stepUp(gateway, 5)).status).toBe(429);
    expect((await stepUp(gateway, 6)).status).toBe(200);
  });

  test('counts PIN checks through two gateways together', async () => {
    const shared = { RATE_LIMIT_STEP_UP: '20', REDIS_PREFIX: `step-up-${process.pid}-${Date.now()}:` };
    const first = await start(shared);
    const second = await start({ ...shared, JWKS_URL: first.issuer.jwksUrl });
    await Promise.all([untilRedisIs('up', first), untilRedisIs('up', second)]);

    await untilRefused(first, 5);
    await untilRefused({ ...second, issuer: first.issuer }, 5);

    expect(second.peer.arrived.length).toBeLessThan(20);
  });

  test("doesn't count requests without a token", async () => {
    const gateway = await start({ RATE_LIMIT_STEP_UP: '1' });
    const sendAnonymously = () =>
      fetch(`${gateway.url}/security/step-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });

    expect([(await sendAnonymously()).status, (await sendAnonymously()).status]).toEqual([401, 401]);
    expect((await stepUp(gateway, 5)).status).toBe(200);
  });
});

describe('the step-up limit when Redis fails', () => {
  let redis: OwnServer;
  beforeEach(async () => {
    redis = await startOwnServer('redis');
  });
  afterEach(() => redis.discard());
  const startWithOwnRedis = () => start({ RATE_LIMIT_STEP_UP: '2', REDIS_URL: redis.url });
  const stopRedis = async (): Promise<void> => {
    redis.kill('SIGKILL');
    await redis.stop();
  };

  test('is enforced by the gateway itself until Redis is up again', async () => {
    const gateway = await startWithOwnRedis();
    await untilRedisIs('up', gateway);
    expect((await stepUp(gateway, 5)).status).toBe(200);

    await stopRedis();
    await untilRedisIs('down', gateway);
    const statuses = [await stepUpThreeTimes(gateway, 5), await stepUpThreeTimes(gateway, 6)];
    redis = await redis.startAgain();
    await untilRedisIs('up', gateway);

    expect(statuses).toEqual([
      [200, 429, 429],
      [200, 200, 429],
    ]);
    await untilRefused(gateway, 7);
  });

  test('applies even if Redis starts later than the gateway', async () => {
    await stopRedis();
    const gateway = await startWithOwnRedis();
    await untilRedisIs('down', gateway);

    const statuses = await stepUpThreeTimes(gateway, 5);
    redis = await redis.startAgain();
    await untilRedisIs('up', gateway);

    expect(statuses).toEqual([200, 200, 429]);
    await untilRefused(gateway, 6);
  });

  test('still applies after Redis has lost the counting script', async () => {
    const gateway = await startWithOwnRedis();
    await untilRedisIs('up', gateway);
    expect((await stepUp(gateway, 5)).status).toBe(200);

    const client = new Redis(redis.url);
    await client.script('FLUSH');
    client.disconnect();

    await untilRefused(gateway, 5);
  });

  test.each(['-eval', '-evalsha'])(
    'is enforced by the gateway itself if Redis rejects counting (%s)',
    async (right) => {
      const admin = new Redis(redis.url);
      await admin.call('ACL', 'SETUSER', 'default', right);
      const gateway = await startWithOwnRedis();
      await untilRedisIs('up', gateway);

      expect(await stepUpThreeTimes(gateway, 5)).toEqual([200, 200, 429]);
      expect(gateway.lines.filter(({ level }) => level === 'warn')).toEqual([
        expect.objectContaining({ msg: 'Redis does not count; this gateway counts by itself' }),
      ]);
      admin.disconnect();
    },
  );

  test("is enforced by the gateway itself if Redis doesn't respond", async () => {
    const gateway = await startWithOwnRedis();
    await untilRedisIs('up', gateway);
    redis.kill('SIGSTOP');
    await stepUp(gateway, 5); // this opens the connections for the next requests

    const { status } = await stepUp(gateway, 5);
    const next = await stepUp(gateway, 5);
    redis.kill('SIGCONT');

    expect([status, next.status]).toEqual([200, 429]);
  });
});
