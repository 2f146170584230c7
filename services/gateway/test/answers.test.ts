import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness } from './support/harness.ts';
import type { GatewayHarness } from './support/harness.ts';
import { echo } from './support/peer.ts';

let gateway: GatewayHarness;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'comanda-apps-'));
  for (const app of ['table', 'kitchen']) {
    mkdirSync(join(folder, app, 'assets'), { recursive: true });
    writeFileSync(join(folder, app, 'index.html'), `<!doctype html><title>${app}</title>`);
    writeFileSync(join(folder, app, 'assets', 'app-B1x_9.js'), `// ${app}\n${'console.log(1);\n'.repeat(200)}`);
    writeFileSync(join(folder, app, 'bell.mp3'), Buffer.from([1, 2, 3]));
    writeFileSync(join(folder, app, '.secret'), 'canary');
    writeFileSync(join(folder, app, 'notes.bak'), 'canary');
  }
  writeFileSync(join(folder, 'outside.txt'), 'canary');
  gateway = await startGatewayHarness({
    ALLOWED_ORIGINS: 'https://menu.example.com,http://192.168.0.9:5173',
    TRUSTED_PROXIES: 'loopback',
    NOTIFIER_PUBLIC_URL: 'http://192.168.0.5:3004',
    TABLE_APP_FOLDER: join(folder, 'table'),
    KITCHEN_APP_FOLDER: join(folder, 'kitchen'),
  });
});
beforeEach(() => {
  gateway.peer.arrived = [];
  gateway.peer.answer = echo;
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});
const H = 'Host: gateway\r\n';

describe('the security headers', () => {
  test.each(['/menu', '/livez', '/', '/docs', '/nothing', '/orders', '/socket.io/'])(
    'when %s is answered, then they are there, and nothing that only TLS can keep',
    async (path) => {
      const { headers } = await fetch(gateway.url + path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy':
          "default-src 'self';base-uri 'none';connect-src 'self' http://192.168.0.5:3004 ws://192.168.0.5:3004;" +
          "form-action 'self';frame-ancestors 'none';img-src 'self' https: data:;object-src 'none';script-src-attr 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(headers.has('strict-transport-security')).toBe(false);
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.has('server')).toBe(false);
    },
  );
  test('when a trusted proxy spoke TLS with the client, then HSTS and upgrade-insecure-requests are there too', async () => {
    const { headers } = await fetch(`${gateway.url}/menu`, {
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' },
    });
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}; includeSubDomains$/);
    expect(headers.get('content-security-policy')).toContain(';upgrade-insecure-requests');
    expect(gateway.peer.arrived).toMatchObject([{ headers: { 'x-forwarded-proto': ['https'] } }]);
  });
  test('when anybody else says that it was TLS, then it is not believed', async () => {
    const plain = await startGatewayHarness();
    const { headers } = await fetch(`${plain.url}/menu`, { headers: { 'x-forwarded-proto': 'https' } });
    expect(headers.has('strict-transport-security')).toBe(false);
    expect(plain.peer.arrived).toMatchObject([{ headers: { 'x-forwarded-proto': ['http'] } }]);
    await plain.close();
  });
});

describe('consent for other origins', () => {
  const cors = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control'));
  test('when the origin is named, then it may read the answer, errors too', async () => {
    for (const path of ['/menu', '/orders', '/nothing']) {
      const { headers } = await fetch(gateway.url + path, { headers: { origin: 'https://menu.example.com' } });
      expect(headers.get('access-control-allow-origin')).toBe('https://menu.example.com');
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
      expect(headers.get('vary')).toContain('Origin');
    }
  });
  test.each(['https://evil.example', 'null', 'https://menu.example.com.evil.example', 'http://menu.example.com'])(
    'when the origin is %s, then there is no consent',
    async (origin) => {
      const answer = await fetch(`${gateway.url}/menu`, { headers: { origin } });
      expect(answer.status).toBe(200);
      expect(cors(answer.headers)).toEqual([]);
      expect(answer.headers.get('vary')).toContain('Origin');
    },
  );
  const preflight = (origin: string, path = '/orders/7') =>
    fetch(gateway.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' },
    });
  test('when a named origin asks first, then it is told the methods of that path and the headers that are taken', async () => {
    const answer = await preflight('http://192.168.0.9:5173');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PUT');
    expect(answer.headers.get('access-control-allow-headers')).toMatch(
      /Authorization.*Idempotency-Key.*X-Step-Up-Token/,
    );
    expect(gateway.peer.arrived).toEqual([]);
  });
  test('when another asks first, or for no path of ours, then there is no consent', async () => {
    const other = await preflight('https://evil.example');
    expect(other.status).toBe(405);
    expect(cors(other.headers)).toEqual([]);
    expect((await preflight('http://192.168.0.9:5173', '/nothing')).status).toBe(404);
  });
  test('when no origin is named, then nobody has consent', async () => {
    const closed = await startGatewayHarness();
    const answer = await fetch(`${closed.url}/menu`, { headers: { origin: closed.url } });
    expect(cors(answer.headers)).toEqual([]);
    await closed.close();
  });
});

describe('the web apps', () => {
  const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });
  test('when / and /kitchen are asked for, then they are the apps, to be asked for again each time', async () => {
    for (const [path, app] of [
      ['/', 'table'],
      ['/index.html', 'table'],
      ['/?t=a-table-token', 'table'],
      ['/kitchen', 'kitchen'],
    ] as const) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toContain(`<title>${app}</title>`);
    }
  });
  test('when a file with a hash in its name is asked for, then it is kept for ever, and compressed', async () => {
    const answer = await get('/kitchen/assets/app-B1x_9.js');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    expect(await answer.text()).toMatch(/^\/\/ kitchen\n/);
    const plain = await get('/kitchen/assets/app-B1x_9.js', { 'accept-encoding': 'identity' });
    expect(plain.headers.has('content-encoding')).toBe(false);
    expect(await plain.text()).toMatch(/^\/\/ kitchen\n/);
  });
  test('when the client has the file, then it is 304', async () => {
    const etag = (await get('/')).headers.get('etag') ?? '';
    const answer = await get('/', { 'if-none-match': etag });
    expect(answer.status).toBe(304);
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });
  test('when HEAD is asked, then the headers come alone', async () => {
    const answer = await fetch(`${gateway.url}/bell.mp3`, { method: 'HEAD' });
    expect(answer.headers.get('content-length')).toBe('3');
    expect(answer.headers.get('content-type')).toBe('audio/mpeg');
  });
  test.each([
    '/.secret',
    '/notes.bak',
    '/../outside.txt',
    '/kitchen/../index.html',
    '/assets',
    '/assets/',
    '/kitchen/index',
    '/Index.html',
    '/assets/app-B1x_9.js%00',
    '//index.html',
  ])('when %s is asked for, then it is 404', async (path) => {
    const answer = await rawCall(gateway.url, `GET ${path} HTTP/1.1\r\n${H}\r\n`);
    expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json' } });
    expect(answer.text).not.toContain('canary');
  });
  test('when something else is done to a file, then it is 405', async () => {
    const answer = await fetch(`${gateway.url}/index.html`, { method: 'PUT' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
  test('when the kitchen app asks, then it is told where the notifier is', async () => {
    expect(await (await get('/kitchen/config.json')).json()).toEqual({ notifier_url: 'http://192.168.0.5:3004' });
  });
  test('when an app was not built, then it is 404 problem+json and the log says why', async () => {
    const bare = await startGatewayHarness({ TABLE_APP_FOLDER: join(folder, 'not-built') });
    for (const path of ['/', '/kitchen']) {
      const answer = await fetch(bare.url + path);
      expect(await answer.json()).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(bare.lines).toContainEqual(expect.objectContaining({ level: 'warn', at: '/' }));
    await bare.close();
  });
});

describe('what the gateway says of itself', () => {
  test('when it is asked, then it lives, is ready, and names Redis', async () => {
    expect(await (await fetch(`${gateway.url}/livez`)).json()).toEqual({ status: 'ok' });
    await until(
      async () => {
        const answer = await fetch(`${gateway.url}/readyz`);
        const body = (await answer.json()) as { dependencies: { redis: string } };
        return answer.status === 200 && body.dependencies.redis === 'up';
      },
      { what: 'Redis to be up' },
    );
  });
  test('when requests were answered, then they are measured by route, never by path', async () => {
    await fetch(`${gateway.url}/menu/4711`);
    const metrics = await fetch(`${gateway.url}/metrics`).then((answer) => answer.text());
    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{service="gateway",route="GET \/menu\/\{id\}",status="200"\}/,
    );
    expect(metrics).not.toMatch(/="[^"]*4711/); // in a label: a value may have any digits
  });
});

test('when secrets pass through, then none of them is in a log line, a metric or an answer that is not theirs', async () => {
  const token = gateway.issuer.token({ sub: 5, role: 'manager' });
  gateway.peer.answer = (_req, res) => void res.writeHead(500).end('{}');
  const secrets = ['canary-password', 'canary-query', 'canary-step-up', 'canary-bad-token', token];
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'a@b.test', password: 'canary-password' });
  const answers = await Promise.all([
    fetch(`${gateway.url}/auth/login?x=canary-query`, { method: 'POST', headers: json, body }),
    fetch(`${gateway.url}/auth/login`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body }),
    fetch(`${gateway.url}/orders`, { headers: { authorization: 'Bearer canary-bad-token' } }),
    fetch(`${gateway.url}/accounts/internal-transfers`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}`, 'x-step-up-token': 'canary-step-up' },
      body,
    }),
    fetch(`${gateway.url}/canary-query`),
  ]);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  await until(() => gateway.lines.filter(({ msg }) => msg === 'request').length >= answers.length, {
    what: 'the lines',
  });
  const metrics = await fetch(`${gateway.url}/metrics`).then((answer) => answer.text());
  const written = JSON.stringify(gateway.lines) + metrics + texts.join('');
  for (const secret of secrets) expect(written.includes(secret)).toBe(false);
});
