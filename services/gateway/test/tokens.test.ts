import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { caller } from '@comanda/testing/call';
import { invalidTokens } from '@comanda/testing/invalid-tokens';
import { startGatewayHarness } from './support/harness.ts';
import type { GatewayHarness } from './support/harness.ts';

let gateway: GatewayHarness;
beforeAll(async () => {
  gateway = await startGatewayHarness();
});
beforeEach(() => {
  gateway.peer.arrived = [];
});
afterAll(() => gateway.close());

describe('the token at the gateway', () => {
  test('when it is right, then the call goes on with it', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'waiter' });
    const answer = await fetch(`${gateway.url}/orders`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    expect(gateway.peer.arrived).toMatchObject([{ headers: { authorization: [`Bearer ${token}`] } }]);
  });
  test('when anything is wrong with it, then it is 401, says so, and no service hears of it', async () => {
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
  test.each(['', 'Basic dTpw', 'Bearer', 'Bearer ', 'Bearer a b', 'Token x', 'Bearer a, Bearer b'])(
    'when the header is %j, then it is as if there were none',
    async (authorization) => {
      const { status, body, headers } = await caller(gateway.url)('GET', '/orders', { headers: { authorization } });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'authentication_required' });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    },
  );
  test('when it stands in the query or in a cookie, then it is not taken', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'waiter' });
    const answers = await Promise.all([
      fetch(`${gateway.url}/orders?access_token=${token}`),
      fetch(`${gateway.url}/orders`, { headers: { cookie: `access_token=${token}` } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
  test('when the password must be changed, then only the few calls for that go on', async () => {
    const token = gateway.issuer.token({ sub: 5, role: 'waiter', mustChangePassword: true });
    const call = (method: string, path: string, body?: string) =>
      fetch(gateway.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      });
    const refused = await call('GET', '/orders');
    expect(await refused.json()).toMatchObject({ status: 403, code: 'password_change_required' });
    expect((await call('GET', '/auth/me')).status).toBe(200);
    expect((await call('PUT', '/auth/password', '{}')).status).toBe(200);
    expect((await call('POST', '/auth/refresh', '{}')).status).toBe(200);
    expect((await call('POST', '/auth/logout', '{}')).status).toBe(200);
  });
  test('when keys cannot be had yet, then public calls go on and the others are 503', async () => {
    const cold = await startGatewayHarness({ JWKS_URL: 'http://127.0.0.1:1/jwks.json' });
    const token = cold.issuer.token({ sub: 5, role: 'waiter' });
    const headers = { authorization: `Bearer ${token}` };
    const orders = await fetch(`${cold.url}/orders`, { headers });
    expect(orders.headers.get('retry-after')).toBe('1');
    expect(await orders.json()).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect((await fetch(`${cold.url}/menu`, { headers })).status).toBe(200);
    expect((await fetch(`${cold.url}/orders`)).status).toBe(401);
    await cold.close();
  });
});
