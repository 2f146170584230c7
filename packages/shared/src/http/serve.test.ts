import { once } from 'node:events';
import { connect } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { sendRawResponse } from './raw-response.ts';
import { problem } from '@comanda/contracts/problem';
import { createDrain } from '../runtime/drain.ts';
import { serve, type Listening } from './serve.ts';

const listenOptions = { port: 0, host: '127.0.0.1' };
const problemResponse = (detail: string) => ({
  status: 400,
  end: 'complete',
  headers: expect.objectContaining({
    'content-type': 'application/problem+json',
    connection: 'close',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  }),
  body: expect.stringContaining(detail),
});

describe('the HTTP server', () => {
  let server: Listening;
  let requests = 0;
  beforeAll(async () => {
    server = await serve(
      (req: IncomingMessage, res: ServerResponse) => {
        requests++;
        if (req.url === '/early') {
          res.end('early');
          return;
        }
        req.on('end', () => res.end(`${req.method} ${req.url}`)).resume();
      },
      { ...listenOptions, requestTimeoutMs: 300 },
    );
  });
  afterAll(() => server.close());

  test.each([
    ['text that is not HTTP', 'hello\r\n\r\n', 'not valid HTTP/1.1'],
    [
      'two different lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nhello',
      'not valid HTTP',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'not valid HTTP',
    ],
    [
      'an unknown transfer coding',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
      'not valid HTTP',
    ],
    [
      'chunked as the first of two codings',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
      'not valid HTTP',
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 'not valid HTTP'],
    ['a length in hexadecimal', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello', 'not valid HTTP'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 'not valid HTTP'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n 2\r\n\r\n', 'not valid HTTP'],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: a\n\n', 'not valid HTTP'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: \0\r\n\r\n', 'not valid HTTP'],
    [
      'a chunk without a size',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
      'not valid HTTP',
    ],
    ['20 KB of headers', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, '16 KB'],
    ['a target of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, '16 KB'],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'CONNECT is not supported'],
  ])('returns 400 problem+json for %s and closes the connection', async (_what, bytes, detail) => {
    expect(await rawCall(server.url, bytes)).toMatchObject(problemResponse(detail));
  });
  test('returns 400 problem+json when Expect is not 100-continue', async () => {
    const response = await rawCall(server.url, 'GET / HTTP/1.1\r\nHost: a\r\nExpect: something\r\n\r\n');

    expect(response).toMatchObject({ status: 400, body: expect.stringContaining('malformed_request') });
  });
  test('requests the body when Expect is 100-continue', async () => {
    const bytes =
      'POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n';
    const { text } = await rawCall(server.url, bytes, {
      until: 'close',
      afterwards: (socket) => socket.once('data', () => socket.write('hello')),
    });

    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*POST \/x$/);
  });
  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel'],
    ['chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n'],
  ])("returns 400 and closes the connection if the client doesn't complete %s in time", async (_what, bytes) => {
    expect(await rawCall(server.url, bytes)).toMatchObject(problemResponse('not complete in time'));
  });
  test("doesn't send a second response if it responded before the body was complete", async () => {
    const bytes = 'POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel';
    const { text } = await rawCall(server.url, bytes, { until: 'close' });

    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
  test('responds to a request that comes before invalid bytes, and then closes the connection', async () => {
    const { text, end } = await rawCall(server.url, 'GET /first HTTP/1.1\r\nHost: a\r\n\r\nhello\r\n\r\n', {
      until: 'close',
    });

    expect(end).toBe('complete');
    expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200']);
    expect(text).toContain('GET /first');
  });
  test('keeps serving other clients after one resets its connection', async () => {
    const before = requests;
    await rawCall(server.url, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel', {
      afterwards: (socket) => setImmediate(() => socket.resetAndDestroy()),
      timeoutMs: 50,
    });
    await until(() => requests > before, { what: 'the request to arrive' });

    expect(await rawCall(server.url, 'GET /alive HTTP/1.1\r\nHost: a\r\n\r\n')).toMatchObject({ body: 'GET /alive' });
  });
  test('treats an upgrade that no handler accepts like an ordinary request', async () => {
    const bytes = 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

    expect(await rawCall(server.url, bytes)).toMatchObject({ status: 200, body: 'GET /x' });
  });
});

describe('an HTTP server with an upgrade handler', () => {
  test('passes accepted connections to the handler and treats other requests as ordinary', async () => {
    const server = await serve((_req, res) => res.end('ordinary'), {
      ...listenOptions,
      upgrade: {
        accepts: (req) => req.url === '/feed',
        handle: (_req, socket) => sendRawResponse(socket, problem('forbidden'), 'the-request-id'),
      },
    });
    const upgradeTo = (target: string): string =>
      `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await rawCall(server.url, upgradeTo('/feed'))).toMatchObject({
      status: 403,
      headers: { 'x-request-id': 'the-request-id' },
    });
    expect(await rawCall(server.url, upgradeTo('/else'))).toMatchObject({ status: 200, body: 'ordinary' });

    await server.close();
  });
});

describe('a stopping HTTP server', () => {
  test('sends its remaining responses and closes their connections while it drains', async () => {
    const drain = createDrain();
    const server = await serve((_req, res) => res.end('answered'), { ...listenOptions, drain });
    const get = (): Promise<object> => rawCall(server.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await get()).toMatchObject({ headers: { connection: 'keep-alive' } });

    drain.begin();

    expect(await get()).toMatchObject({ status: 200, body: 'answered', headers: { connection: 'close' } });
    expect(drain.dependency.isUp()).toBe(false);
    await server.close();
  });
  test('finishes requests in flight, closes idle connections and rejects new ones', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const server = await serve((_req, res) => held.resolve(res), listenOptions);
    const { port } = new URL(server.url);
    const idle = connect(Number(port), '127.0.0.1');
    await once(idle, 'connect');
    const response = rawCall(server.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', { until: 'close' });
    const res = await held.promise;
    const idleEnd = once(idle.resume(), 'close');
    const closed = server.close();
    const late = connect(Number(port), '127.0.0.1');

    expect(await once(late, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);

    res.end('done');

    expect(await response).toMatchObject({ status: 200, end: 'complete', text: expect.stringContaining('done') });

    await closed;
    idle.end();
    await idleEnd;
  });
});
