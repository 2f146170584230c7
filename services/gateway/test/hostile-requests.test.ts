import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { internalEndpoints } from '@comanda/contracts/internal';
import { rawCall } from '@comanda/testing/raw-socket';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

let gateway: GatewayHarness;
let token: string;
beforeAll(async () => {
  gateway = await startGatewayHarness();
  token = gateway.issuer.token({ sub: 5, role: 'manager' });
});
beforeEach(() => {
  gateway.peer.arrived = [];
});
afterAll(() => gateway.close());

const host = 'Host: gateway\r\n';
const send = (bytes: string) => rawCall(gateway.url, bytes);
const problemResponse = (status: number, code: string) => ({
  status,
  end: 'complete',
  headers: expect.objectContaining({
    'content-type': 'application/problem+json',
    'x-request-id': expect.any(String),
    'content-security-policy': expect.any(String),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }),
  body: expect.stringContaining(`"code":"${code}"`),
});

describe('a request target', () => {
  test.each([
    '/orders/../admin',
    '/orders/..',
    '/orders/.',
    '/./orders',
    '/orders/%2e%2e/admin',
    '/orders%2f7',
    '/orders/%37',
    '/%6denu',
    '//menu',
    '//evil.example/menu',
    '/orders//7',
    '/menu/',
    '/menu;v=1',
    '/menu\\..\\x',
    '/menu%00',
    '/menu#x',
    '/menu%zz',
    '/MENU',
    '*',
    'http://evil.example/menu',
    'https://gateway/menu',
    'http://user@gateway/menu',
    'http://gateway.evil.example/menu',
    '/nothing',
    ...internalEndpoints.map(({ path }) => path),
    '/v1/internal/step-up/consume',
    '/v1/livez',
    '/v1/v1/menu',
    '/v1',
    '/livez/',
    '/%6civez',
    '/../livez',
    '/LIVEZ',
    '/docs/../livez',
    '/constructor',
    '/__proto__',
    '/orders/7/toString',
  ])('returns a 404 if it is %j', async (target) => {
    const response = await send(`GET ${target} HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`);

    expect(response).toMatchObject(problemResponse(404, 'not_found'));
    expect(gateway.peer.arrived).toEqual([]);
  });

  test('can be an absolute URL with the requested host', async () => {
    const response = await send(`GET http://gateway/menu?a=1 HTTP/1.1\r\n${host}\r\n`);

    expect(response).toMatchObject({ status: 200 });
    expect(gateway.peer.arrived).toMatchObject([{ url: '/menu?a=1' }]);
  });

  test('can be an absolute URL for a local route', async () => {
    expect(await send(`GET HTTP://Gateway/livez HTTP/1.1\r\n${host}\r\n`)).toMatchObject({ status: 200 });
  });

  test.each(['/menu?a=\u0080', '/menu?a=\u00ff', '/menu?a=1#b'])(
    "returns a 400 if it is %j, because its query isn't percent-encoded",
    async (target) => {
      const response = await send(`GET ${target} HTTP/1.1\r\n${host}\r\n`);

      expect(response).toMatchObject({ status: 400, body: expect.stringContaining('malformed_request') });
      expect(gateway.peer.arrived).toEqual([]);
    },
  );
});

describe('a wrong method', () => {
  test.each([
    ['PATCH /menu', 'GET, HEAD, POST'],
    ['DELETE /orders', 'GET, HEAD, POST'],
    ['OPTIONS /menu', 'GET, HEAD, POST'],
    ['TRACE /menu', 'GET, HEAD, POST'],
    ['PROPFIND /menu', 'GET, HEAD, POST'],
    ['POST /livez', 'GET, HEAD'],
    ['DELETE /readyz', 'GET, HEAD'],
    ['PUT /openapi.json', 'GET, HEAD'],
    ['GET /auth/login', 'POST'],
    ['GET /orders/seen', 'POST'],
  ])('returns a 405 for %s and lists the allowed methods: %s', async (line, allow) => {
    const response = await send(`${line} HTTP/1.1\r\n${host}\r\n`);

    expect(response).toMatchObject(problemResponse(405, 'method_not_allowed'));
    expect(response.headers['allow']).toBe(allow);
    expect(gateway.peer.arrived).toEqual([]);
  });

  test.each(['DELETE /orders', 'GET /auth/login', 'OPTIONS /menu', 'HEAD /auth/login'])(
    'returns a 405 for %s, even if there is a body',
    async (line) => {
      const { status } = await send(
        `${line} HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      );

      expect(status).toBe(405);
      expect(gateway.peer.arrived).toEqual([]);
    },
  );
});

describe('hostile headers', () => {
  test.each([
    ['two Authorization headers', 'GET /menu', `Authorization: Bearer a\r\nAuthorization: Bearer b\r\n`],
    ['two step-up tokens', 'GET /menu', 'X-Step-Up-Token: a\r\nX-Step-Up-Token: b\r\n'],
    ['two idempotency keys', 'GET /menu', 'Idempotency-Key: a\r\nIdempotency-Key: b\r\n'],
    ['two content types', 'GET /menu', 'Content-Type: application/json\r\nContent-Type: text/plain\r\n'],
    ['two hosts', 'GET /menu', 'Host: other\r\n'],
    ['a body on GET', 'GET /menu', 'Content-Length: 2\r\n\r\n'],
    ['a chunked body on GET', 'GET /menu', 'Transfer-Encoding: chunked\r\n\r\n0\r\n'],
    ['a body on DELETE', 'DELETE /menu/7', 'Content-Length: 2\r\n\r\n'],
    ['a chunked body on DELETE', 'DELETE /menu/7', 'Transfer-Encoding: chunked\r\n\r\n0\r\n'],
    ['a body on GET of a local route', 'GET /docs', 'Content-Length: 2\r\n\r\n'],
    ['a Connection token that removes a header', 'GET /menu', 'Connection: keep-alive, X-Request-Id\r\n'],
    ['a Connection token that removes the access token', 'GET /menu', 'Connection: close, Authorization\r\n'],
    ['two Connection headers', 'GET /menu', 'Connection: close\r\nConnection: authorization\r\n'],
  ])('a request with %s returns a 400', async (_what, line, header) => {
    const response = await send(`${line} HTTP/1.1\r\n${host}${header}\r\n`);

    expect(response).toMatchObject(problemResponse(400, 'malformed_request'));
    expect(gateway.peer.arrived).toEqual([]);
  });

  test.each(['', 'Host: \r\n', 'Host: a b\r\n', 'Host: evil.example/x\r\n', 'Host: <script>\r\n'])(
    'the Host header %j causes a 400',
    async (hostHeader) => {
      const response = await send(`GET /menu HTTP/1.1\r\n${hostHeader}\r\n`);

      expect(response).toMatchObject(problemResponse(400, 'malformed_request'));
    },
  );

  test('headers larger than 16 KB cause a 400', async () => {
    const response = await send(`GET /menu HTTP/1.1\r\n${host}X-A: ${'a'.repeat(17_000)}\r\n\r\n`);

    expect(response).toMatchObject({ status: 400, body: expect.stringContaining('16 KB') });
  });
});

describe('the headers sent to a service', () => {
  const spoofedHeaders = [
    'X-Forwarded-For: 6.6.6.6',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'X-Forwarded-User: admin',
    'Forwarded: for=6.6.6.6',
    'X-Real-IP: 6.6.6.6',
    'X-Client-IP: 6.6.6.6',
    'True-Client-IP: 6.6.6.6',
    'X-User-Id: 1',
    'X_User_Id: 1',
    'X-Role: manager',
    'X_Forwarded_For: 6.6.6.6',
    'Idempotency_Key: a',
    'X-Http-Method-Override: DELETE',
    'X-Original-Url: /internal',
    'Cookie: session=1',
    'TE: trailers',
    'Keep-Alive: timeout=9',
    'Proxy-Authorization: Basic eDp4',
    'Proxy-Connection: keep-alive',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
    'Expect: 100-continue',
    'Via: 1.1 evil',
    'Max-Forwards: 1',
  ];

  test("don't include any that describe the client or its connection", async () => {
    const { text } = await rawCall(
      gateway.url,
      `POST /auth/login HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings, TE, close\r\n${spoofedHeaders.join('\r\n')}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\nUser-Agent: test\r\n\r\n',
      { until: 'close', afterwards: (socket) => socket.once('data', () => socket.write('{}')) },
    );

    expect(text).toContain('200 OK');
    const [request] = gateway.peer.arrived;
    expect(Object.keys(request?.headers ?? {}).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'traceparent',
      'user-agent',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-request-id',
    ]);
    expect(request?.headers).toMatchObject({
      connection: ['keep-alive'],
      host: [new URL(gateway.peer.url).host],
      'x-forwarded-for': ['127.0.0.1'],
      'x-forwarded-proto': ['http'],
    });
  });

  test("don't include an invalid token at a public endpoint", async () => {
    await send(`GET /menu HTTP/1.1\r\n${host}Authorization: Bearer a.b.c\r\n\r\n`);

    expect(gateway.peer.arrived.map(({ headers }) => headers['authorization'])).toEqual([undefined]);
  });

  test('include a valid token at a public endpoint', async () => {
    await send(`GET /menu HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`);

    expect(gateway.peer.arrived.map(({ headers }) => headers['authorization'])).toEqual([[`Bearer ${token}`]]);
  });
});

describe("a client's connection", () => {
  test('ends after a response to an HTTP/1.0 request', async () => {
    const response = await rawCall(gateway.url, 'GET /menu HTTP/1.0\r\n\r\n', { until: 'close' });

    expect(response).toMatchObject({ status: 200, end: 'complete' });
  });

  test('returns the responses to pipelined requests in order', async () => {
    const { text } = await rawCall(
      gateway.url,
      `GET /menu/1 HTTP/1.1\r\n${host}\r\nGET /nothing HTTP/1.1\r\n${host}\r\nGET /menu/2 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      { until: 'close' },
    );

    expect(text).toMatch(/200 OK[\s\S]*"\/menu\/1"[\s\S]*404 Not Found[\s\S]*200 OK[\s\S]*"\/menu\/2"/);
  });
});
