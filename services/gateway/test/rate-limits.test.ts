import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { startOwnServer } from '@comanda/testing/own-server';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { startGatewayHarness } from './support/harness.ts';
import type { GatewayHarness } from './support/harness.ts';

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0).toReversed()) await close();
});
const start = async (settings: Record<string, string>): Promise<GatewayHarness> => {
  const gateway = await startGatewayHarness(settings);
  opened.push(gateway);
  return gateway;
};
const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return answer;
};
const bearer = (gateway: GatewayHarness, sub: number) => ({
  authorization: `Bearer ${gateway.issuer.token({ sub, role: 'customer' })}`,
});

describe('the general limit', () => {
  test('when a user sends requests within the limit, then the answers say how many are left', async () => {
    const gateway = await start({ RATE_LIMIT_USER: '3' });

    for (const left of [2, 1, 0]) {
      const { status, headers } = await get(`${gateway.url}/orders`, bearer(gateway, 5));
      expect(status).toBe(200);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"general"; r=${left}; t=\\d+$`));
      expect(headers.get('ratelimit-policy')).toMatch(/^"general"; q=3; w=60/);
    }
  });

  test('when a user sends more, then the answer is 429 with Retry-After, and no service gets the request', async () => {
    const gateway = await start({ RATE_LIMIT_USER: '1' });
    const headers = bearer(gateway, 5);
    await get(`${gateway.url}/orders`, headers);
    gateway.peer.arrived = [];

    const refused = await fetch(`${gateway.url}/menu`, { headers });

    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(gateway.peer.arrived).toEqual([]);
  });

  test('when one user is over the limit, then another user and requests without a token go on', async () => {
    const gateway = await start({ RATE_LIMIT_USER: '1', RATE_LIMIT_ADDRESS: '1' });
    await get(`${gateway.url}/orders`, bearer(gateway, 5));

    expect((await get(`${gateway.url}/orders`, bearer(gateway, 5))).status).toBe(429);
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 6))).status).toBe(200);
    expect((await get(`${gateway.url}/menu`)).status).toBe(200);
  });

  test('when tokens are invalid or missing, then requests count for the address, and users there go on', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '3' });
    const invalid = { authorization: 'Bearer a.b.c' };
    const statuses: number[] = [];

    for (const headers of [invalid, {}, invalid, invalid, {}])
      statuses.push((await get(`${gateway.url}/orders`, headers)).status);

    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 5))).status).toBe(200);
  });

  test('when 200 phones of guests share one address, then none is refused', async () => {
    const gateway = await start({});
    const scanTable = () =>
      fetch(`${gateway.url}/auth/guest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"table_token":"t"}',
      });
    const usePhone = async (sub: number): Promise<number[]> => {
      const token = gateway.issuer.token({ sub, role: 'customer', table: String(sub), seating: sub });
      const statuses = [(await get(`${gateway.url}/menu`)).status];
      const scanned = await scanTable();
      await scanned.arrayBuffer();
      statuses.push(scanned.status);
      for (const path of ['/menu', '/ordering', '/orders', '/orders/1', '/menu', '/orders'])
        statuses.push((await get(gateway.url + path, { authorization: `Bearer ${token}` })).status);
      return statuses;
    };

    const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => usePhone(index + 1)));

    expect(new Set(statuses.flat())).toEqual(new Set([200]));
  });

  test('when local routes are requested, then they are not counted', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1' });
    const paths = [
      '/livez',
      '/readyz',
      '/metrics',
      '/docs',
      '/openapi.json',
      '/problems/not_found',
      '/kitchen/config.json',
    ];

    for (const path of [...paths, ...paths]) {
      const { status, headers } = await get(gateway.url + path);
      expect({ path, status, rateLimit: headers.get('ratelimit') }).toEqual({ path, status: 200, rateLimit: null });
    }
    expect((await get(`${gateway.url}/menu`)).status).toBe(200);
  });
});

describe('the address that is counted', () => {
  const statusFrom = async (gateway: GatewayHarness, address: string): Promise<number> =>
    (await get(`${gateway.url}/menu`, { 'x-forwarded-for': address })).status;

  test('when no proxy is trusted, then X-Forwarded-For is ignored', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1' });

    expect(await statusFrom(gateway, '192.0.2.1')).toBe(200);
    expect(await statusFrom(gateway, '192.0.2.2')).toBe(429);
  });

  test('when a proxy is trusted, then the last address that it names counts, and the service gets it', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1', TRUSTED_PROXIES: 'loopback' });

    expect(await statusFrom(gateway, '192.0.2.1')).toBe(200);
    expect(await statusFrom(gateway, '192.0.2.2')).toBe(200);
    expect(await statusFrom(gateway, '6.6.6.6, 192.0.2.2')).toBe(429);
    expect(gateway.peer.arrived.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      ['192.0.2.1'],
      ['192.0.2.2'],
    ]);
  });

  test('when addresses are IPv6, then those of one /56 network count together', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1', TRUSTED_PROXIES: 'loopback' });

    expect(await statusFrom(gateway, '2001:db8:0:1::1')).toBe(200);
    expect(await statusFrom(gateway, '2001:db8:0:2::2')).toBe(429);
    expect(await statusFrom(gateway, '2001:db8:1::1')).toBe(200);
    expect(gateway.peer.arrived.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      ['2001:db8:0:1::1'],
      ['2001:db8:1::1'],
    ]);
  });
});

const stepUp = async (gateway: GatewayHarness, sub: number) => {
  const answer = await fetch(`${gateway.url}/security/step-up`, {
    method: 'POST',
    headers: { ...bearer(gateway, sub), 'content-type': 'application/json' },
    body: '{}',
  });
  await answer.arrayBuffer();
  return answer;
};
async function stepUpThreeTimes(gateway: GatewayHarness, sub: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < 3; index++) statuses.push((await stepUp(gateway, sub)).status);
  return statuses;
}
/** Repeats the request until it is refused. On a busy machine a count may take longer than its 50 ms and be left out. */
const untilRefused = (gateway: GatewayHarness, sub: number) =>
  until(
    async () => {
      const answer = await stepUp(gateway, sub);
      return answer.status === 429 ? answer : null;
    },
    { what: `user ${sub} to be refused`, timeoutMs: 15_000 },
  );
const untilRedisIs = (state: 'up' | 'down', gateway: GatewayHarness) =>
  until(
    async () => {
      const answer = await fetch(`${gateway.url}/readyz`);
      expect(answer.status).toBe(200);
      const { dependencies } = (await answer.json()) as { dependencies: { redis: string } };
      return dependencies.redis === state;
    },
    { what: `Redis to be ${state}` },
  );

describe('the limit of step-up', () => {
  test('when a user makes too many PIN checks, then the answer is 429 with what is left', async () => {
    const gateway = await start({ RATE_LIMIT_STEP_UP: '3' });
    await untilRedisIs('up', gateway);

    const refused = await untilRefused(gateway, 5);

    expect(gateway.peer.arrived.length).toBeGreaterThanOrEqual(3);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/"general"; r=\d+; t=\d+, "step-up"; r=0; t=\d+/);
  });

  test('when a user makes too many PIN checks, then other users and other requests go on', async () => {
    const gateway = await start({ RATE_LIMIT_STEP_UP: '3' });
    await untilRedisIs('up', gateway);
    await untilRefused(gateway, 5);

    expect((await stepUp(gateway, 6)).status).toBe(200);
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 5))).status).toBe(200);
  });

  test('when PIN checks come through two gateways, then they are counted together', async () => {
    const shared = { RATE_LIMIT_STEP_UP: '3', REDIS_PREFIX: `step-up-${process.pid}-${Date.now()}:` };
    const first = await start(shared);
    const second = await start({ ...shared, JWKS_URL: first.issuer.jwksUrl });
    await Promise.all([untilRedisIs('up', first), untilRedisIs('up', second)]);

    await untilRefused(first, 5);
    await untilRefused({ ...second, issuer: first.issuer }, 5);

    expect(second.peer.arrived.length).toBeLessThan(3);
  });

  test('when requests have no token, then they are not counted', async () => {
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

describe('the limit of step-up when Redis fails', () => {
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

  test('when Redis stops and starts again, then there is no limit in between', async () => {
    const gateway = await startWithOwnRedis();
    await untilRedisIs('up', gateway);
    await untilRefused(gateway, 5);

    await stopRedis();
    await untilRedisIs('down', gateway);
    const statuses = await stepUpThreeTimes(gateway, 5);
    redis = await redis.startAgain();
    await untilRedisIs('up', gateway);

    expect(statuses).toEqual([200, 200, 200]);
    await untilRefused(gateway, 6);
  }, 30_000);

  test('when Redis starts after the gateway, then the limit holds from then on', async () => {
    await stopRedis();
    const gateway = await startWithOwnRedis();
    await untilRedisIs('down', gateway);

    const statuses = await stepUpThreeTimes(gateway, 5);
    redis = await redis.startAgain();
    await untilRedisIs('up', gateway);

    expect(statuses).toEqual([200, 200, 200]);
    await untilRefused(gateway, 5);
  }, 30_000);

  test('when Redis loses the script that counts, then the limit still holds', async () => {
    const gateway = await startWithOwnRedis();
    await untilRedisIs('up', gateway);
    expect((await stepUp(gateway, 5)).status).toBe(200);

    const client = new Redis(redis.url);
    await client.script('FLUSH');
    client.disconnect();

    await untilRefused(gateway, 5);
  }, 30_000);

  test('when Redis does not answer, then a request passes after 50 ms', async () => {
    const gateway = await startWithOwnRedis();
    await untilRedisIs('up', gateway);
    redis.kill('SIGSTOP');
    await stepUp(gateway, 5); // opens the connections that the next request uses

    const startedAt = performance.now();
    const { status } = await stepUp(gateway, 5);
    const elapsedMs = performance.now() - startedAt;
    redis.kill('SIGCONT');

    expect(status).toBe(200);
    expect(elapsedMs).toBeLessThan(250);
  }, 30_000);
});
