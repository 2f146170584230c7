import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness } from './support/harness.ts';
import type { GatewayHarness } from './support/harness.ts';
import { echo } from './support/peer.ts';

let gateway: GatewayHarness;
let token: string;
beforeAll(async () => {
  gateway = await startGatewayHarness();
  token = gateway.issuer.token({ sub: 5, role: 'manager' });
});
beforeEach(() => {
  gateway.peer.arrived = [];
  gateway.peer.answer = echo;
});
afterAll(() => gateway.close());

const H = 'Host: gateway\r\n';
const call = (bytes: string) => rawCall(gateway.url, bytes);
const refusedWith = (status: number, code: string) => ({
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

describe('a request that no honest client sends', () => {
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
    '/internal/step-up/consume',
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
  ])('when the target is %j, then it is 404 and no service hears of it', async (target) => {
    expect(await call(`GET ${target} HTTP/1.1\r\n${H}Authorization: Bearer ${token}\r\n\r\n`)).toMatchObject(
      refusedWith(404, 'not_found'),
    );
    expect(gateway.peer.arrived).toEqual([]);
  });
  test('when the target is absolute and its host is this one, then it is the path', async () => {
    expect(await call(`GET http://gateway/menu?a=1 HTTP/1.1\r\n${H}\r\n`)).toMatchObject({ status: 200 });
    expect(await call(`GET HTTP://Gateway/livez HTTP/1.1\r\n${H}\r\n`)).toMatchObject({ status: 200 });
    expect(gateway.peer.arrived).toMatchObject([{ url: '/menu?a=1' }]);
  });
  test.each(['/menu?a=\u0080', '/menu?a=\u00ff', '/menu?a=1#b'])(
    'when the query of %j is not escaped, then it is 400',
    async (target) => {
      expect(await call(`GET ${target} HTTP/1.1\r\n${H}\r\n`)).toMatchObject({
        status: 400,
        body: expect.stringContaining('malformed_request'),
      });
      expect(gateway.peer.arrived).toEqual([]);
    },
  );
  test.each([
    ['PATCH /menu', 'GET, HEAD, POST'],
    ['DELETE /orders', 'GET, HEAD, POST'],
    ['OPTIONS /menu', 'GET, HEAD, POST'],
    ['TRACE /menu', 'GET, HEAD, POST'],
    ['PROPFIND /menu', 'GET, HEAD, POST'],
    ['POST /livez', 'GET, HEAD'],
    ['DELETE /metrics', 'GET, HEAD'],
    ['PUT /openapi.json', 'GET, HEAD'],
    ['GET /auth/login', 'POST'],
    ['GET /orders/seen', 'POST'],
  ])('when %s is asked for, then it is 405 and says %s', async (line, allow) => {
    const answer = await call(`${line} HTTP/1.1\r\n${H}\r\n`);
    expect(answer).toMatchObject(refusedWith(405, 'method_not_allowed'));
    expect(answer.headers['allow']).toBe(allow);
    expect(gateway.peer.arrived).toEqual([]);
  });
  test.each(['DELETE /orders', 'GET /auth/login', 'OPTIONS /menu', 'HEAD /auth/login'])(
    'when %s comes with a body, then it is the method that is wrong',
    async (line) => {
      const { status } = await call(
        `${line} HTTP/1.1\r\n${H}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      );
      expect(status).toBe(405);
      expect(gateway.peer.arrived).toEqual([]);
    },
  );
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
    ['a body on GET for a page', 'GET /docs', 'Content-Length: 2\r\n\r\n'],
    ['a Connection token that takes a header away', 'GET /menu', 'Connection: keep-alive, X-Request-Id\r\n'],
    ['a Connection token that takes the token away', 'GET /menu', 'Connection: close, Authorization\r\n'],
    ['two Connection headers', 'GET /menu', 'Connection: close\r\nConnection: authorization\r\n'],
  ])('when %s come, then it is 400', async (_what, line, header) => {
    const answer = await call(`${line} HTTP/1.1\r\n${H}${header}\r\n`);
    expect(answer).toMatchObject(refusedWith(400, 'malformed_request'));
    expect(gateway.peer.arrived).toEqual([]);
  });
  test('when a body comes on HEAD, then it is 400 without a body', async () => {
    const bytes = `HEAD /menu HTTP/1.1\r\n${H}Connection: close\r\nContent-Length: 2\r\n\r\n{}`;
    expect(await rawCall(gateway.url, bytes, { until: 'close' })).toMatchObject({ status: 400, body: '' });
    expect(gateway.peer.arrived).toEqual([]);
  });
  test.each(['', 'Host: \r\n', 'Host: a b\r\n', 'Host: evil.example/x\r\n', 'Host: <script>\r\n'])(
    'when the host is %j, then it is 400',
    async (host) => {
      expect(await call(`GET /menu HTTP/1.1\r\n${host}\r\n`)).toMatchObject(refusedWith(400, 'malformed_request'));
    },
  );
  test.each([
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n\r\nhello'],
    ['a length beside chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['chunks beside a length', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['a coding spelled over', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
  ])('when a body comes with %s, then it is 400 and the connection ends', async (_what, rest) => {
    const answer = await rawCall(
      gateway.url,
      `POST /auth/login HTTP/1.1\r\n${H}Content-Type: application/json\r\n${rest}`,
      {
        until: 'close',
      },
    );
    expect(answer).toMatchObject({ status: 400, end: 'complete', headers: { connection: 'close' } });
    expect(answer.text.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
    expect(gateway.peer.arrived).toEqual([]);
  });
  test.each([
    ['none', ''],
    ['text', 'Content-Type: text/plain\r\n'],
    ['a form', 'Content-Type: application/x-www-form-urlencoded\r\n'],
    ['several parts', 'Content-Type: multipart/form-data; boundary=x\r\n'],
    ['another charset', 'Content-Type: application/json; charset=utf-16\r\n'],
    ['gzip', 'Content-Type: application/json\r\nContent-Encoding: gzip\r\n'],
  ])('when the body’s type is %s, then it is 415', async (_what, header) => {
    const answer = await call(`POST /auth/login HTTP/1.1\r\n${H}${header}Content-Length: 2\r\n\r\n{}`);
    expect(answer).toMatchObject(refusedWith(415, 'unsupported_media_type'));
    expect(gateway.peer.arrived).toEqual([]);
  });
  test('when a call without a body in its contract has one that is not JSON, then it is 415; without a body it passes', async () => {
    const line = `POST /tables/T-1/close HTTP/1.1\r\n${H}Authorization: Bearer ${token}\r\n`;
    expect(await call(`${line}Content-Length: 2\r\n\r\nhi`)).toMatchObject(refusedWith(415, 'unsupported_media_type'));
    expect(await call(`${line}Content-Length: 0\r\n\r\n`)).toMatchObject({ status: 200 });
    expect(await call(`${line}\r\n`)).toMatchObject({ status: 200 });
  });
  test('when the body says that it is larger than 32 KB, then it is 413 and the connection goes on', async () => {
    const body = 'a'.repeat(3_000_000);
    const head = `POST /auth/login HTTP/1.1\r\n${H}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { text } = await rawCall(gateway.url, `${head}${body}GET /livez HTTP/1.1\r\n${H}Connection: close\r\n\r\n`, {
      until: 'close',
    });
    expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*"body_too_large"[\s\S]*HTTP\/1\.1 200 OK/);
    expect(gateway.peer.arrived).toEqual([]);
  });
  test('when the body does not say so and is larger, then it is 413, and what reached the service was broken off', async () => {
    gateway.peer.answer = () => {
      // waits for the end of a body that has none
    };
    const chunk = (size: number): string => `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
    const answer = await rawCall(
      gateway.url,
      `POST /auth/login HTTP/1.1\r\n${H}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(1000)}`,
      {
        afterwards: (socket) =>
          void until(() => gateway.peer.arrived.length > 0, { what: 'the beginning to arrive' }).then(() =>
            socket.write(`${chunk(40_000)}0\r\n\r\n`),
          ),
      },
    );
    expect(answer).toMatchObject(refusedWith(413, 'body_too_large'));
    await until(() => gateway.peer.arrived[0]?.aborted, { what: 'the service to be told' });
  });
  test('when the headers are larger than 16 KB, then it is 400', async () => {
    const answer = await call(`GET /menu HTTP/1.1\r\n${H}X-A: ${'a'.repeat(17_000)}\r\n\r\n`);
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('16 KB') });
  });
  test('when headers say who the client is or where it comes from, then none of them reaches the service', async () => {
    const spoofed = [
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
    const text = await rawCall(
      gateway.url,
      `POST /auth/login HTTP/1.1\r\n${H}Connection: Upgrade, HTTP2-Settings, TE, close\r\n${spoofed.join('\r\n')}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\nUser-Agent: test\r\n\r\n',
      { until: 'close', afterwards: (socket) => socket.once('data', () => socket.write('{}')) },
    );
    expect(text.text).toContain('200 OK');
    const [arrived] = gateway.peer.arrived;
    expect(Object.keys(arrived?.headers ?? {}).toSorted()).toEqual([
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
    expect(arrived?.headers).toMatchObject({
      connection: ['keep-alive'],
      host: [new URL(gateway.peer.url).host],
      'x-forwarded-for': ['127.0.0.1'],
      'x-forwarded-proto': ['http'],
    });
  });
  test('when a token is sent to an endpoint for anyone and is none of ours, then the service does not get it', async () => {
    await call(`GET /menu HTTP/1.1\r\n${H}Authorization: Bearer a.b.c\r\n\r\n`);
    await call(`GET /menu HTTP/1.1\r\n${H}Authorization: Bearer ${token}\r\n\r\n`);
    expect(gateway.peer.arrived.map(({ headers }) => headers['authorization'])).toEqual([
      undefined,
      [`Bearer ${token}`],
    ]);
  });
  test('when it is HTTP/1.0, then it is answered and the connection ends', async () => {
    const answer = await rawCall(gateway.url, 'GET /menu HTTP/1.0\r\n\r\n', { until: 'close' });
    expect(answer).toMatchObject({ status: 200, end: 'complete' });
  });
  test('when requests come one behind the other, then each is answered in its turn', async () => {
    const { text } = await rawCall(
      gateway.url,
      `GET /menu/1 HTTP/1.1\r\n${H}\r\nGET /nothing HTTP/1.1\r\n${H}\r\nGET /menu/2 HTTP/1.1\r\n${H}Connection: close\r\n\r\n`,
      { until: 'close' },
    );
    expect(text).toMatch(/200 OK[\s\S]*"\/menu\/1"[\s\S]*404 Not Found[\s\S]*200 OK[\s\S]*"\/menu\/2"/);
  });
});
