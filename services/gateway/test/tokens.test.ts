import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { caller } from '@comanda/testing/call';
import { invalidTokens } from '@comanda/testing/invalid-tokens';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

let gateway: GatewayHarness;
beforeAll(async () => {
  gateway = await startGatewayHarness();
});
beforeEach(() => {
  gateway.peer.arrived = [];
});
afterAll(() => gateway.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the access token', () => {
  test('reaches the service if it is valid', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'waiter' });

    const response = await fetch(`${gateway.url}/orders`, { headers: bearer(token) });

    expect(response.status).toBe(200);
    expect(gateway.peer.arrived).toMatchObject([{ headers: { authorization: [`Bearer ${token}`] } }]);
  });

  test('returns a 401 if it is invalid in any way', async () => {
    const call = caller(gateway.url);

    for (const [what, token] of Object.entries(await invalidTokens(gateway.issuer))) {
      const { status, body, headers } = await call('GET', '/orders', { token });
      expect({ what, status, code: body.code, challenge: headers.get('www-authenticate') }).toEqual({
        what,
        status: 401,
        code: 'invalid_token',
        challenge: 'Bearer error="invalid_token"',
      });
      expect(JSON.stringify(body)).not.toContain(token);
    }
    expect(gateway.peer.arrived).toEqual([]);
  });

  test('gives access only to public endpoints if its role is unknown', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'courier' as 'waiter' });

    const orders = await caller(gateway.url)('GET', '/orders', { token });
    const menu = await fetch(`${gateway.url}/menu`, { headers: bearer(token) });

    expect({ status: orders.status, code: orders.body.code }).toEqual({ status: 403, code: 'forbidden' });
    expect(menu.status).toBe(200);
    expect(gateway.peer.arrived).toMatchObject([{ url: '/menu' }]);
  });

  test.each(['', 'Basic dTpw', 'Bearer', 'Bearer ', 'Bearer a b', 'Token x', 'Bearer a, Bearer b'])(
    'counts as missing if the Authorization header is %j',
    async (authorization) => {
      const { status, body, headers } = await caller(gateway.url)('GET', '/orders', { headers: { authorization } });

      expect({ status, code: body.code }).toEqual({ status: 401, code: 'authentication_required' });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  test('counts as missing if it is sent in the query', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'waiter' });

    expect((await fetch(`${gateway.url}/orders?access_token=${token}`)).status).toBe(401);
  });

  test('counts as missing if it is sent in a cookie', async () => {
    const cookie = `access_token=${gateway.issuer.token({ sub: 5, role: 'waiter' })}`;

    expect((await fetch(`${gateway.url}/orders`, { headers: { cookie } })).status).toBe(401);
  });
});

describe('a user who must change their password', () => {
  const send = (method: string, path: string) =>
    fetch(gateway.url + path, {
      method,
      headers: {
        ...bearer(gateway.issuer.token({ sub: 5, role: 'waiter', mustChangePassword: true })),
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
      },
      ...(method !== 'GET' && { body: '{}' }),
    });

  test.each([
    ['GET', '/auth/me'],
    ['PUT', '/auth/password'],
    ['POST', '/auth/refresh'],
    ['POST', '/auth/logout'],
  ])('can call %s %s', async (method, path) => {
    expect((await send(method, path)).status).toBe(200);
  });

  test('gets a 403 for any other request', async () => {
    const response = await send('GET', '/orders');

    expect(await response.json()).toMatchObject({ status: 403, code: 'password_change_required' });
  });
});

describe('a lack of keys for checking tokens', () => {
  let cold: GatewayHarness;
  beforeAll(async () => {
    cold = await startGatewayHarness({ JWKS_URL: 'http://127.0.0.1:1/jwks.json' });
  });
  afterAll(() => cold.close());
  const headers = () => bearer(cold.issuer.token({ sub: 5, role: 'waiter' }));

  test('causes a 503 where a token is required', async () => {
    const response = await fetch(`${cold.url}/orders`, { headers: headers() });

    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ status: 503, code: 'service_unavailable' });
  });

  test("doesn't affect public endpoints", async () => {
    expect((await fetch(`${cold.url}/menu`, { headers: headers() })).status).toBe(200);
  });

  test('causes a 401 where a required token is missing', async () => {
    expect((await fetch(`${cold.url}/orders`)).status).toBe(401);
  });
});
