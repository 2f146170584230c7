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
  test('when it is valid, then the service gets the request with it', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'waiter' });

    const answer = await fetch(`${gateway.url}/orders`, { headers: bearer(token) });

    expect(answer.status).toBe(200);
    expect(gateway.peer.arrived).toMatchObject([{ headers: { authorization: [`Bearer ${token}`] } }]);
  });

  test('when it is invalid in any way, then the answer is 401 invalid_token, and no service gets the request', async () => {
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

  test('when its role is of a newer release, then it may do what anyone may, and nothing else', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'courier' as 'waiter' });

    const orders = await caller(gateway.url)('GET', '/orders', { token });
    const menu = await fetch(`${gateway.url}/menu`, { headers: bearer(token) });

    expect({ status: orders.status, code: orders.body.code }).toEqual({ status: 403, code: 'forbidden' });
    expect(menu.status).toBe(200);
    expect(gateway.peer.arrived).toMatchObject([{ url: '/menu' }]);
  });

  test.each(['', 'Basic dTpw', 'Bearer', 'Bearer ', 'Bearer a b', 'Token x', 'Bearer a, Bearer b'])(
    'when the Authorization header is %j, then it counts as no token',
    async (authorization) => {
      const { status, body, headers } = await caller(gateway.url)('GET', '/orders', { headers: { authorization } });

      expect({ status, code: body.code }).toEqual({ status: 401, code: 'authentication_required' });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  test('when it is sent in the query, then it counts as no token', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'waiter' });

    expect((await fetch(`${gateway.url}/orders?access_token=${token}`)).status).toBe(401);
  });

  test('when it is sent in a cookie, then it counts as no token', async () => {
    const cookie = `access_token=${gateway.issuer.token({ sub: 5, role: 'waiter' })}`;

    expect((await fetch(`${gateway.url}/orders`, { headers: { cookie } })).status).toBe(401);
  });
});

describe('a user who must change the password', () => {
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
  ])('when the request is %s %s, then the service answers', async (method, path) => {
    expect((await send(method, path)).status).toBe(200);
  });

  test('when the request is any other, then the answer is 403', async () => {
    const answer = await send('GET', '/orders');

    expect(await answer.json()).toMatchObject({ status: 403, code: 'password_change_required' });
  });
});

describe('token keys that are not available yet', () => {
  let cold: GatewayHarness;
  beforeAll(async () => {
    cold = await startGatewayHarness({ JWKS_URL: 'http://127.0.0.1:1/jwks.json' });
  });
  afterAll(() => cold.close());
  const headers = () => bearer(cold.issuer.token({ sub: 5, role: 'waiter' }));

  test('when a token is needed, then the answer is 503', async () => {
    const answer = await fetch(`${cold.url}/orders`, { headers: headers() });

    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({ status: 503, code: 'service_unavailable' });
  });

  test('when an endpoint is for anyone, then the service answers', async () => {
    expect((await fetch(`${cold.url}/menu`, { headers: headers() })).status).toBe(200);
  });

  test('when no token is sent where one is needed, then the answer is 401', async () => {
    expect((await fetch(`${cold.url}/orders`)).status).toBe(401);
  });
});
