import { afterEach, describe, expect, test } from '@jest/globals';
import { untilReady } from '@comanda/testing/until-ready';
import type { Role } from '@comanda/contracts/endpoint';
import { rawCall, type RawResponse } from '@comanda/testing/raw-socket';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { handshake } from './support/live-feed-harness.ts';

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
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response;
};
const postTo = async (gateway: GatewayHarness, path: string, body: object = {}): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
};
const bearer = (gateway: GatewayHarness, sub: number, role: Role = 'customer') => ({
  authorization: `Bearer ${gateway.issuer.token({ sub, role })}`,
});

describe('the general limit', () => {
  test('reports the number of remaining requests', async () => {
    const gateway = await start({ RATE_LIMIT_USER: '3' });

    for (const left of [2, 1, 0]) {
      const { status, headers } = await get(`${gateway.url}/orders`, bearer(gateway, 5));
      expect(status).toBe(200);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"general"; r=${left}; t=\\d+$`));
      expect(headers.get('ratelimit-policy')).toMatch(/^"general"; q=3; w=60/);
    }
  });

  test('returns a 429 to a user who exceeds it', async () => {
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

  test('is higher for staff, because kitchen screens share an account', async () => {
    const gateway = await start({ RATE_LIMIT_USER: '1', RATE_LIMIT_STAFF: '2' });
    const statuses: number[] = [];

    for (let call = 0; call < 3; call++)
      statuses.push((await get(`${gateway.url}/orders`, bearer(gateway, 2, 'waiter'))).status);

    expect(statuses).toEqual([200, 200, 429]);
  });

  test("doesn't affect other users when one user exceeds it", async () => {
    const gateway = await start({ RATE_LIMIT_USER: '1', RATE_LIMIT_ADDRESS: '1' });
    await get(`${gateway.url}/orders`, bearer(gateway, 5));

    expect((await get(`${gateway.url}/orders`, bearer(gateway, 5))).status).toBe(429);
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 6))).status).toBe(200);
    expect((await get(`${gateway.url}/menu`)).status).toBe(200);
  });

  test('counts requests with invalid tokens by address', async () => {
    const gateway = await start({ RATE_LIMIT_REFUSED: '3' });
    const invalid = { authorization: 'Bearer a.b.c' };
    const statuses: number[] = [];

    for (const headers of [invalid, {}, invalid, invalid, {}])
      statuses.push((await get(`${gateway.url}/orders`, headers)).status);

    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await get(`${gateway.url}/orders`, bearer(gateway, 5))).status).toBe(200);
  });

  test("is high enough for 200 guests' phones at one address", async () => {
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

  test("doesn't count requests to local routes", async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1' });
    await untilReady(gateway.metricsUrl);
    const paths = ['/livez', '/readyz', '/docs', '/openapi.json', '/problems/not_found', '/kitchen/config.json'];

    for (const path of [...paths, ...paths]) {
      const { status, headers } = await get(gateway.url + path);
      expect({ path, status, rateLimit: headers.get('ratelimit') }).toEqual({ path, status: 200, rateLimit: null });
    }
    expect((await get(`${gateway.url}/menu`)).status).toBe(200);
  });
});

describe('rejected requests', () => {
  const invalid: [string, string, number][] = [
    ['an unknown path', 'GET /nothing HTTP/1.1\r\nHost: gateway\r\n\r\n', 404],
    ['an escaped path', 'GET /%6denu HTTP/1.1\r\nHost: gateway\r\n\r\n', 404],
    ['a wrong method', 'DELETE /menu HTTP/1.1\r\nHost: gateway\r\n\r\n', 405],
    ['a wrong method of a local route', 'DELETE /livez HTTP/1.1\r\nHost: gateway\r\n\r\n', 405],
    ['two hosts', 'GET /menu HTTP/1.1\r\nHost: gateway\r\nHost: other\r\n\r\n', 400],
    ['a body on GET', 'GET /menu HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\n\r\n{}', 400],
    ['polling of the feed', 'GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: gateway\r\n\r\n', 400],
  ];

  test.each(invalid)("count towards the address's limit if they are for %s", async (_what, bytes, status) => {
    const gateway = await start({ RATE_LIMIT_REFUSED: '2' });
    const responses: RawResponse[] = [];

    for (let index = 0; index < 3; index++) responses.push(await rawCall(gateway.url, bytes));

    expect(responses.map((response) => response.status)).toEqual([status, status, 429]);
    expect(responses[0]?.headers['ratelimit']).toMatch(/^"refused"; r=1; t=\d+$/);
    expect(responses[2]?.body).toContain('"code":"rate_limited"');
    expect((await get(`${gateway.url}/menu`)).status).toBe(200);
    expect((await get(`${gateway.url}/livez`)).status).toBe(200);
  });

  test("don't block other phones at the same address", async () => {
    const gateway = await start({ RATE_LIMIT_REFUSED: '5', RATE_LIMIT_ADDRESS: '1' });
    const post = (path: string, body?: object) => postTo(gateway, path, body);
    const refused = new Set<number>();
    for (const path of ['/nothing', '/orders', '/%6denu', '/nothing', '/orders', '/nothing', '/nothing'])
      refused.add((await get(gateway.url + path)).status);
    expect(refused).toEqual(new Set([404, 401, 429]));

    expect((await get(`${gateway.url}/menu`)).status).toBe(200);
    expect((await get(`${gateway.url}/menu`)).status).toBe(429);
    expect([await post('/auth/guest'), await post('/auth/guest')]).toEqual([200, 429]);
    expect([await post('/auth/login'), await post('/auth/login')]).toEqual([200, 429]);
    const token = { refresh_token: 'c2Vzc2lvbg' };
    expect([await post('/auth/refresh', token), await post('/auth/refresh', token)]).toEqual([200, 200]);
  });

  test.each([
    ['/auth/refresh', { refresh_token: 'c2Vzc2lvbg' }],
    ['/auth/seat', { refresh_token: 'c2Vzc2lvbg', table_token: 'dGFibGU' }],
  ])("count towards the address's limit if they lack a refresh token (%s)", async (path, body) => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1' });

    const statuses = [await postTo(gateway, path), await postTo(gateway, path), await postTo(gateway, path, body)];

    expect(statuses).toEqual([200, 429, 200]);
  });

  test("include a repeated preflight above the address's limit", async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1', ALLOWED_ORIGINS: 'https://menu.example.com' });
    const ask = () =>
      fetch(`${gateway.url}/menu`, {
        method: 'OPTIONS',
        headers: { origin: 'https://menu.example.com', 'access-control-request-method': 'POST' },
      });

    expect([(await ask()).status, (await ask()).status]).toEqual([204, 429]);
  });

  test("include a repeated feed handshake above the network's limit", async () => {
    const gateway = await start({ RATE_LIMIT_FEED: '2', TRUSTED_PROXIES: 'loopback' });
    const connectFrom = async (address: string) =>
      (await rawCall(gateway.url, handshake(`X-Forwarded-For: ${address}\r\nOrigin: https://evil.example\r\n`))).status;

    const statuses: number[] = [];
    for (const host of [1, 2, 3]) statuses.push(await connectFrom(`2001:db8::${host}`));

    expect(statuses).toEqual([403, 403, 429]);
    expect(await connectFrom('2001:db8:0:1::1')).toBe(403);
    expect((await get(`${gateway.url}/menu`, { 'x-forwarded-for': '2001:db8::1' })).status).toBe(200);
  });
});

describe('the users at one address', () => {
  test('get a 429 above the limit that they share', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS_USERS: '3', TRUSTED_PROXIES: 'loopback' });
    const statusOf = async (sub: number, address = '192.0.2.1'): Promise<number> =>
      (await get(`${gateway.url}/orders`, { ...bearer(gateway, sub), 'x-forwarded-for': address })).status;

    expect([await statusOf(5), await statusOf(5), await statusOf(6), await statusOf(7)]).toEqual([200, 200, 200, 429]);
    expect(await statusOf(7, '192.0.2.2')).toBe(200);
    expect((await get(`${gateway.url}/menu`, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200);
  });

  test("don't use up the limit for staff, even if one phone pretends to be many guests", async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS_USERS: '3' });
    const statusOf = async (sub: number, role: Role = 'customer'): Promise<number> =>
      (await get(`${gateway.url}/orders`, bearer(gateway, sub, role))).status;
    for (const guest of [1, 2, 3]) expect(await statusOf(guest)).toBe(200);

    expect([await statusOf(4), await statusOf(8, 'waiter'), await statusOf(9, 'manager')]).toEqual([429, 200, 200]);
  });

  test("aren't affected when one user exceeds the user's own limit", async () => {
    const gateway = await start({ RATE_LIMIT_USER: '1', RATE_LIMIT_ADDRESS_USERS: '2' });
    const statuses: number[] = [];

    for (const sub of [5, 5, 5, 6]) statuses.push((await get(`${gateway.url}/orders`, bearer(gateway, sub))).status);

    expect(statuses).toEqual([200, 429, 429, 200]);
  });
});

describe('the address that a limit counts', () => {
  const statusFrom = async (gateway: GatewayHarness, address: string): Promise<number> =>
    (await get(`${gateway.url}/menu`, { 'x-forwarded-for': address })).status;

  test("doesn't come from X-Forwarded-For without a trusted proxy", async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1' });

    expect(await statusFrom(gateway, '192.0.2.1')).toBe(200);
    expect(await statusFrom(gateway, '192.0.2.2')).toBe(429);
  });

  test("is the last one in a trusted proxy's header", async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1', TRUSTED_PROXIES: 'loopback' });

    expect(await statusFrom(gateway, '192.0.2.1')).toBe(200);
    expect(await statusFrom(gateway, '192.0.2.2')).toBe(200);
    expect(await statusFrom(gateway, '6.6.6.6, 192.0.2.2')).toBe(429);
    expect(gateway.peer.arrived.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      ['192.0.2.1'],
      ['192.0.2.2'],
    ]);
  });

  test('is a /64 network for IPv6', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: '1', TRUSTED_PROXIES: 'loopback' });

    expect(await statusFrom(gateway, '2001:db8:0:1::1')).toBe(200);
    expect(await statusFrom(gateway, '2001:db8:0:1:ffff::2')).toBe(429);
    expect(await statusFrom(gateway, '2001:db8:0:2::1')).toBe(200);
    expect(gateway.peer.arrived.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
      ['2001:db8:0:1::1'],
      ['2001:db8:0:2::1'],
    ]);
  });
});
