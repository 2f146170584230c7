import { afterEach, describe, expect, test } from '@jest/globals';
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
  test('when a user asks too often, then it is 429 with Retry-After, and no service hears of it', async () => {
    const gateway = await start({ RATE_LIMIT_USER: '3' });
    const headers = bearer(gateway, 5);
    for (const left of [2, 1, 0]) {
      const answer = await get(`${gateway.url}/orders`, headers);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"general"; r=${left}; t=\\d+$`));
      expect(answer.headers.get('ratelimit-policy')).toMatch(/^"general"; q=3; w=60/);
    }
    gateway.peer.arrived = [];
    const refused = await fetch(`${gateway.url}/menu`, { headers });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(gateway.peer.arrived).toEqual([]);
  });
  test('when a user has asked too often, then another at the same address, and the address itself, go on', async () => {
    const gateway = await start({ RATE_LIMIT_USER: '1', RATE_LIMIT_ADDRESS: '1' });
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 5))).status).toBe(200);
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 5))).status).toBe(429);
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 6))).status).toBe(200);
    expect((await get(`${gateway.url}/menu`)).status).toBe(200);
    expect((await get(`${gateway.url}/menu`)).status).toBe(429);
  });
  test('when tokens are bad or missing, then they count against the address, and users there go on', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '3' });
    const bad = { authorization: 'Bearer a.b.c' };
    const statuses: number[] = [];
    for (const headers of [bad, {}, bad, bad, {}]) statuses.push((await get(`${gateway.url}/orders`, headers)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 5))).status).toBe(200);
  });
  test('when 200 phones come from one address, then none is refused', async () => {
    const gateway = await start({});
    const phone = async (sub: number): Promise<number[]> => {
      const guest = {
        authorization: `Bearer ${gateway.issuer.token({ sub, role: 'customer', table: String(sub), seating: sub })}`,
      };
      const statuses = [(await get(`${gateway.url}/menu`)).status];
      const scan = await fetch(`${gateway.url}/auth/guest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"table_token":"t"}',
      });
      await scan.arrayBuffer();
      statuses.push(scan.status);
      for (const path of ['/menu', '/ordering', '/orders', '/orders/1', '/menu', '/orders'])
        statuses.push((await get(gateway.url + path, guest)).status);
      return statuses;
    };
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => phone(index + 1)));
    expect(new Set(statuses.flat())).toEqual(new Set([200]));
  });
  test('when files, documents and health are asked for, then they are not counted', async () => {
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
      const answer = await get(gateway.url + path);
      expect({ path, status: answer.status, counted: answer.headers.get('ratelimit') }).toEqual({
        path,
        status: 200,
        counted: null,
      });
    }
    expect((await get(`${gateway.url}/menu`)).status).toBe(200);
  });
  test('when X-Forwarded-For says another address, then it counts from a trusted proxy only', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const alone = await start({ RATE_LIMIT_ADDRESS: '1' });
    expect((await get(`${alone.url}/menu`, from('192.0.2.1'))).status).toBe(200);
    expect((await get(`${alone.url}/menu`, from('192.0.2.2'))).status).toBe(429);

    const behind = await start({ RATE_LIMIT_ADDRESS: '1', TRUSTED_PROXIES: 'loopback' });
    expect((await get(`${behind.url}/menu`, from('192.0.2.1'))).status).toBe(200);
    expect((await get(`${behind.url}/menu`, from('192.0.2.2'))).status).toBe(200);
    expect((await get(`${behind.url}/menu`, from('6.6.6.6, 192.0.2.2'))).status).toBe(429);
    // One customer has a whole /56 of IPv6.
    expect((await get(`${behind.url}/menu`, from('2001:db8:0:1::1'))).status).toBe(200);
    expect((await get(`${behind.url}/menu`, from('2001:db8:0:2::2'))).status).toBe(429);
    expect((await get(`${behind.url}/menu`, from('2001:db8:1::1'))).status).toBe(200);
    expect(behind.peer.arrived.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      ['192.0.2.1'],
      ['192.0.2.2'],
      ['2001:db8:0:1::1'],
      ['2001:db8:1::1'],
    ]);
  });
});

describe('the limit of step-up', () => {
  const stepUp = async (gateway: GatewayHarness, sub: number) => {
    const answer = await fetch(`${gateway.url}/security/step-up`, {
      method: 'POST',
      headers: { ...bearer(gateway, sub), 'content-type': 'application/json' },
      body: '{}',
    });
    await answer.arrayBuffer();
    return answer;
  };
  const many = async (gateway: GatewayHarness, { sub, count }: { sub: number; count: number }): Promise<number[]> => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index++) statuses.push((await stepUp(gateway, sub)).status);
    return statuses;
  };

  const ready = (gateway: GatewayHarness, state: string) =>
    until(
      async () => {
        const answer = await fetch(`${gateway.url}/readyz`);
        expect(answer.status).toBe(200);
        const { dependencies } = (await answer.json()) as { dependencies: { redis: string } };
        return dependencies.redis === state;
      },
      { what: `Redis to be ${state}` },
    );
  /** Asks until it is refused. Under load a single count may take longer than its 50 ms, and is then not made. */
  const untilRefused = (gateway: GatewayHarness, sub: number) =>
    until(
      async () => {
        const answer = await stepUp(gateway, sub);
        return answer.status === 429 ? answer : null;
      },
      { what: `user ${sub} to be refused`, timeoutMs: 15_000 },
    );

  test('when a user asks too often, through any gateway, then it is 429; others and other calls go on', async () => {
    const shared = { RATE_LIMIT_STEP_UP: '3', REDIS_PREFIX: `step-up-${process.pid}-${Date.now()}:` };
    const one = await start(shared);
    const two = await start({ ...shared, JWKS_URL: one.issuer.jwksUrl });
    await Promise.all([ready(one, 'up'), ready(two, 'up')]);
    const refused = await untilRefused(one, 5);
    expect(one.peer.arrived.length).toBeGreaterThanOrEqual(3);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/"general"; r=\d+; t=\d+, "step-up"; r=0; t=\d+/);
    await untilRefused({ ...two, issuer: one.issuer }, 5);
    expect(two.peer.arrived.length).toBeLessThan(3);
    expect((await stepUp(one, 6)).status).toBe(200);
    expect((await get(`${one.url}/orders`, bearer(one, 5))).status).toBe(200);
  });
  test('when nobody is signed in, then nothing is counted in Redis', async () => {
    const gateway = await start({ RATE_LIMIT_STEP_UP: '1' });
    const anonymous = () =>
      fetch(`${gateway.url}/security/step-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
    expect([(await anonymous()).status, (await anonymous()).status]).toEqual([401, 401]);
    expect((await stepUp(gateway, 5)).status).toBe(200);
  });

  const withRedis = async (): Promise<{ redis: OwnServer; gateway: GatewayHarness }> => {
    const redis = await startOwnServer('redis');
    opened.push({ close: redis.discard });
    return { redis, gateway: await start({ RATE_LIMIT_STEP_UP: '2', REDIS_URL: redis.url }) };
  };
  test('when Redis is away, then it is open; when Redis is back, then it counts again', async () => {
    const { redis, gateway } = await withRedis();
    await ready(gateway, 'up');
    await untilRefused(gateway, 5);
    redis.kill('SIGKILL');
    await redis.stop();
    await ready(gateway, 'down');
    expect(await many(gateway, { sub: 5, count: 3 })).toEqual([200, 200, 200]);
    const again = await redis.startAgain();
    opened.splice(0, 1, { close: again.discard });
    await ready(gateway, 'up');
    await untilRefused(gateway, 6);
  }, 30_000);
  test('when Redis was not there when the gateway started, then it counts as soon as it is', async () => {
    const redis = await startOwnServer('redis');
    redis.kill('SIGKILL');
    await redis.stop();
    const gateway = await start({ RATE_LIMIT_STEP_UP: '2', REDIS_URL: redis.url });
    await ready(gateway, 'down');
    expect(await many(gateway, { sub: 5, count: 3 })).toEqual([200, 200, 200]);
    const again = await redis.startAgain();
    opened.unshift({ close: again.discard });
    await ready(gateway, 'up');
    await untilRefused(gateway, 5);
  }, 30_000);
  test('when Redis has forgotten the script, then it counts on', async () => {
    const { gateway, redis } = await withRedis();
    await ready(gateway, 'up');
    expect((await stepUp(gateway, 5)).status).toBe(200);
    const { Redis } = await import('ioredis');
    const client = new Redis(redis.url);
    await client.script('FLUSH');
    client.disconnect();
    await untilRefused(gateway, 5);
  }, 30_000);
  test('when Redis is frozen, then it is open after 50 ms', async () => {
    const { redis, gateway } = await withRedis();
    await ready(gateway, 'up');
    redis.kill('SIGSTOP');
    await stepUp(gateway, 5); // the first also warms the way
    const begun = performance.now();
    expect((await stepUp(gateway, 5)).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(250);
    redis.kill('SIGCONT');
  }, 30_000);
});
