import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

let gateway: GatewayHarness;
beforeAll(async () => {
  gateway = await startGatewayHarness({
    ALLOWED_ORIGINS: 'https://menu.example.com,http://192.168.0.9:5173',
    TRUSTED_PROXIES: 'loopback',
    NOTIFIER_PUBLIC_URL: 'http://192.168.0.5:3004',
  });
});
beforeEach(() => {
  gateway.peer.arrived = [];
});
afterAll(() => gateway.close());

describe('security headers', () => {
  test.each(['/menu', '/livez', '/', '/kitchen', '/nothing', '/orders', '/socket.io/'])(
    'are complete for %s, except for those that require TLS',
    async (path) => {
      const { headers } = await fetch(gateway.url + path);

      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy':
          "default-src 'self';base-uri 'none';connect-src 'self' http://192.168.0.5:3004 ws://192.168.0.5:3004;" +
          "font-src 'self';form-action 'self';frame-ancestors 'none';img-src 'self' https: data:;object-src 'none';" +
          "script-src 'self';script-src-attr 'none';style-src 'self'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      for (const name of ['strict-transport-security', 'x-powered-by', 'server']) expect(headers.has(name)).toBe(false);
    },
  );

  test('allow inline styles on /docs', async () => {
    const { headers } = await fetch(`${gateway.url}/docs`);

    const policy = headers.get('content-security-policy');
    expect(policy).toContain(";img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';");
    expect(policy).toContain("style-src 'self' 'unsafe-inline'");
  });

  test('include HSTS if a trusted proxy uses TLS with the client', async () => {
    const { headers } = await fetch(`${gateway.url}/menu`, {
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' },
    });

    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}; includeSubDomains$/);
    expect(headers.get('content-security-policy')).toContain(';upgrade-insecure-requests');
    expect(gateway.peer.arrived).toMatchObject([{ headers: { 'x-forwarded-proto': ['https'] } }]);
  });

  test("don't change if an untrusted client claims to use TLS", async () => {
    const withoutProxies = await startGatewayHarness();

    const { headers } = await fetch(`${withoutProxies.url}/menu`, { headers: { 'x-forwarded-proto': 'https' } });

    expect(headers.has('strict-transport-security')).toBe(false);
    expect(withoutProxies.peer.arrived).toMatchObject([{ headers: { 'x-forwarded-proto': ['http'] } }]);
    await withoutProxies.close();
  });
});

describe('with CORS', () => {
  const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control'));

  test.each(['/menu', '/orders', '/nothing'])(
    'a page from an allowed origin can read the response to %s',
    async (path) => {
      const { headers } = await fetch(gateway.url + path, { headers: { origin: 'https://menu.example.com' } });

      expect(headers.get('access-control-allow-origin')).toBe('https://menu.example.com');
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
      expect(headers.get('access-control-expose-headers')).toContain(' Date,');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
      expect(headers.get('vary')).toContain('Origin');
    },
  );

  test.each(['https://evil.example', 'null', 'https://menu.example.com.evil.example', 'http://menu.example.com'])(
    'there are no headers for the origin %s',
    async (origin) => {
      const response = await fetch(`${gateway.url}/menu`, { headers: { origin } });

      expect(response.status).toBe(200);
      expect(corsHeaders(response.headers)).toEqual([]);
      expect(response.headers.get('vary')).toContain('Origin');
    },
  );

  test('there are no headers if no origins are allowed', async () => {
    const withoutOrigins = await startGatewayHarness();

    const response = await fetch(`${withoutOrigins.url}/menu`, { headers: { origin: withoutOrigins.url } });

    expect(corsHeaders(response.headers)).toEqual([]);
    await withoutOrigins.close();
  });

  describe('a preflight', () => {
    const preflight = (origin: string, path = '/orders/7') =>
      fetch(gateway.url + path, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' },
      });

    test('from an allowed origin returns the allowed methods and headers', async () => {
      const response = await preflight('http://192.168.0.9:5173');

      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PUT');
      expect(response.headers.get('access-control-allow-headers')).toMatch(
        /Authorization.*Idempotency-Key.*X-Step-Up-Token/,
      );
      expect(gateway.peer.arrived).toEqual([]);
    });

    test('from another origin returns a 405', async () => {
      const response = await preflight('https://evil.example');

      expect(response.status).toBe(405);
      expect(corsHeaders(response.headers)).toEqual([]);
    });

    test('for an unknown path returns a 404', async () => {
      expect((await preflight('http://192.168.0.9:5173', '/nothing')).status).toBe(404);
    });
  });
});
