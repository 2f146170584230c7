import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness } from './support/harness.ts';
import type { GatewayHarness } from './support/harness.ts';
import { echo, startRawPeer } from './support/peer.ts';

let gateway: GatewayHarness;
let token: string;
const timeoutMs = 400;
beforeAll(async () => {
  gateway = await startGatewayHarness({ UPSTREAM_TIMEOUT_MS: String(timeoutMs) });
  token = gateway.issuer.token({ sub: 5, role: 'manager' });
});
beforeEach(() => {
  gateway.peer.arrived = [];
  gateway.peer.answer = echo;
  gateway.lines.length = 0;
});
const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});
afterAll(() => gateway.close());
const another = async (settings: Record<string, string> = {}): Promise<GatewayHarness> => {
  const own = await startGatewayHarness(settings);
  opened.push(own);
  return own;
};
const rawPeer = async (talk: (socket: Socket) => void) => {
  const peer = await startRawPeer(talk);
  opened.push(peer);
  return peer;
};

const H = 'Host: gateway\r\n';
const get = `GET /menu HTTP/1.1\r\n${H}\r\n`;
const post = `POST /auth/login HTTP/1.1\r\n${H}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
const errors = () => gateway.lines.filter(({ level }) => level === 'error');
const arrived = (count = 1) =>
  until(() => (gateway.peer.arrived.length >= count ? gateway.peer.arrived : null), { what: 'the request to arrive' });

describe('a request that is let through', () => {
  test('when it has a body, then target, method and body arrive as they were sent', async () => {
    const body = JSON.stringify({ items: [{ item_id: 7, quantity: 2, remarks: 'sem pimenta, já ção' }] });
    const answer = await fetch(`${gateway.url}/v1/orders?x=%2F..%2F&y=a+b`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json; charset=utf-8',
        'idempotency-key': 'key-1',
        'x-step-up-token': 'a.b.c',
        'if-match': '"3"',
        'if-none-match': '"4"',
        'x-request-id': 'request-1234',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
      body,
    });
    expect(answer.status).toBe(200);
    const [call] = await arrived();
    expect(call).toMatchObject({ method: 'POST', url: '/v1/orders?x=%2F..%2F&y=a+b' });
    expect(Buffer.from(call?.body ?? '', 'latin1').toString()).toBe(body);
    expect(call?.headers).toMatchObject({
      authorization: [`Bearer ${token}`],
      'content-type': ['application/json; charset=utf-8'],
      'idempotency-key': ['key-1'],
      'x-step-up-token': ['a.b.c'],
      'if-match': ['"3"'],
      'if-none-match': ['"4"'],
      'x-request-id': ['request-1234'],
      traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    });
    expect(answer.headers.get('x-request-id')).toBe('request-1234');
  });
  test('when the body comes in chunks, then it arrives whole, and its end is said in one way', async () => {
    await rawCall(
      gateway.url,
      `POST /auth/login HTTP/1.1\r\n${H}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
    );
    const [call] = await arrived();
    expect(call).toMatchObject({ body: '{}' });
    const { 'content-length': length = [], 'transfer-encoding': coding = [] } = call?.headers ?? {};
    expect([...length, ...coding]).toHaveLength(1);
  });
  test('when the service answers, then status, headers and body are its own, and its connection stays its own', async () => {
    gateway.peer.answer = (_req, res) =>
      res
        .writeHead(201, 'Whatever', {
          'content-type': 'application/json',
          etag: '"1"',
          location: '/orders/1',
          link: '</orders?cursor=a>; rel="next"',
          'idempotent-replayed': 'true',
          connection: 'keep-alive, x-internal',
          'x-internal': 'secret',
          'keep-alive': 'timeout=3',
          server: 'secret/1.0',
          'x-powered-by': 'secret',
          via: '1.1 secret',
          'proxy-authenticate': 'Basic',
          'access-control-allow-origin': '*',
          'x-frame-options': 'ALLOWALL',
          'x-request-id': 'secret-of-the-service',
        })
        .end('{"id":1}');
    const answer = await rawCall(gateway.url, get);
    expect(answer).toMatchObject({
      status: 201,
      headers: {
        'content-type': 'application/json',
        etag: '"1"',
        location: '/orders/1',
        link: '</orders?cursor=a>; rel="next"',
        'idempotent-replayed': 'true',
        'x-frame-options': 'SAMEORIGIN',
      },
    });
    expect(answer.text).toContain('{"id":1}');
    expect(answer.text).not.toMatch(/secret|basic|allow-origin/i);
  });
  test.each([
    ['HEAD', 200],
    ['GET', 304],
    ['DELETE', 204],
  ])(
    'when %s is answered with %i, then no body comes and the connection is ready for the next',
    async (method, status) => {
      gateway.peer.answer = (req, res) => {
        if (req.url === '/menu/2') return echo(req, res);
        res.writeHead(status, { etag: '"1"', ...(status === 200 && { 'content-length': '1000' }) }).end();
      };
      const auth = `Authorization: Bearer ${token}\r\n`;
      const { text } = await rawCall(
        gateway.url,
        `${method} /menu/1 HTTP/1.1\r\n${H}${auth}\r\nGET /menu/2 HTTP/1.1\r\n${H}Connection: close\r\n\r\n`,
        { until: 'close' },
      );
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*\\r\\n\\r\\nHTTP/1.1 200 OK[\\s\\S]*"/menu/2"`));
    },
  );
  test('when the client wants its connection closed, then it is, and the one to the service is kept', async () => {
    await rawCall(gateway.url, get);
    const before = gateway.peer.connections();
    const closing = `GET /menu HTTP/1.1\r\n${H}Connection: close\r\n\r\n`;
    expect(await rawCall(gateway.url, closing, { until: 'close' })).toMatchObject({ status: 200, end: 'complete' });
    expect(await rawCall(gateway.url, closing, { until: 'close' })).toMatchObject({ status: 200, end: 'complete' });
    expect(gateway.peer.connections()).toBe(before);
  });
});

describe('a service that fails', () => {
  const reset = (socket: Socket): void => void socket.resetAndDestroy();
  const broken: [string, (socket: Socket) => void][] = [
    ['resets before it answers', reset],
    ['ends before it answers', (socket) => void socket.end()],
    ['ends in the headers', (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['does not speak HTTP', (socket) => void socket.write('hello\r\n\r\n')],
    [
      'answers with two lengths',
      (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    ],
    ['answers with status 99', (socket) => void socket.write('HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nab')],
    ['answers with status 999', (socket) => void socket.write('HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nab')],
    [
      'switches protocols',
      (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'answers with 20 KB of headers',
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`),
    ],
  ];
  test.each(broken)('when it %s, then it is 502, and for a write that it may have happened', async (_what, talk) => {
    const peer = await rawPeer(talk);
    const own = await another({
      ORDERS_URL: peer.url,
      AUTH_STEPUP_URL: peer.url,
      UPSTREAM_TIMEOUT_MS: '2000',
    });
    const read = await rawCall(own.url, get);
    expect(read).toMatchObject({
      status: 502,
      end: 'complete',
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(JSON.parse(read.body)).toEqual({
      type: '/problems/bad_gateway',
      title: 'Bad gateway',
      status: 502,
      code: 'bad_gateway',
      request_id: read.headers['x-request-id'],
    });
    const write = await rawCall(own.url, post);
    expect(JSON.parse(write.body)).toMatchObject({ code: 'bad_gateway', outcome: 'unknown' });
    expect(own.lines).toContainEqual(
      expect.objectContaining({ level: 'error', upstream: 'auth-stepup', request_id: write.headers['x-request-id'] }),
    );
  });
  test('when nothing listens, then it is 503 with Retry-After, definite, and names neither host nor path', async () => {
    const own = await another({
      ORDERS_URL: 'http://127.0.0.1:1',
      AUTH_STEPUP_URL: 'http://no-such-host.invalid',
    });
    for (const bytes of [get, post]) {
      const answer = await rawCall(own.url, bytes);
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'service_unavailable' });
      expect(JSON.parse(answer.body)).not.toHaveProperty('outcome');
      expect(answer.body).not.toMatch(/127\.0\.0|invalid|menu|ECONN|ENOTFOUND/);
    }
  });
  test('when it does not answer in time, then it is 504, its work is ended, and for a write it may have happened', async () => {
    gateway.peer.answer = () => {
      // never
    };
    const begun = performance.now();
    expect(JSON.parse((await rawCall(gateway.url, get)).body)).toMatchObject({ code: 'gateway_timeout', status: 504 });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(timeoutMs - 10);
    expect(JSON.parse((await rawCall(gateway.url, post)).body)).toMatchObject({
      code: 'gateway_timeout',
      outcome: 'unknown',
    });
    await until(() => gateway.peer.arrived.every(({ aborted }) => aborted), { what: 'the service to be told' });
  });
  const pieces = { 'with a length': { 'content-length': '100' }, 'in chunks': {} };
  test.each(Object.entries(pieces))(
    'when it breaks off an answer %s, then the client’s is broken off too, never completed',
    async (_what, headers) => {
      gateway.peer.answer = (_req, res) => {
        res.writeHead(200, headers);
        res.write('half of it', () => res.destroy());
      };
      const answer = await rawCall(gateway.url, get, { until: 'close' });
      expect(['closed', 'reset']).toContain(answer.end);
      expect(answer.text).not.toMatch(/0\r\n\r\n$/);
      await until(() => errors().length > 0, { what: 'the error in the log' });
      const line = await until(() => gateway.lines.find(({ msg }) => msg === 'request'), { what: 'the line' });
      expect(line).toMatchObject({ status: 200, aborted: true });
    },
  );
  test('when it falls silent in mid-answer, then the client’s is broken off in time', async () => {
    gateway.peer.answer = (_req, res) => void res.writeHead(200).write('half of it');
    const answer = await rawCall(gateway.url, get, { until: 'close' });
    expect(['closed', 'reset']).toContain(answer.end);
    expect(answer.text).toContain('half of it');
    expect(errors()).toMatchObject([{ upstream: 'orders' }]);
  });
  test('when it answers before it has read the body, then its answer comes through and the connection goes on', async () => {
    gateway.peer.answer = (_req, res) => void res.writeHead(409).end('early');
    const body = 'a'.repeat(30_000);
    const { text } = await rawCall(
      gateway.url,
      `POST /auth/login HTTP/1.1\r\n${H}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        `GET /livez HTTP/1.1\r\n${H}Connection: close\r\n\r\n`,
      { until: 'close' },
    );
    expect(text).toMatch(/^HTTP\/1\.1 409 [\s\S]*early[\s\S]*HTTP\/1\.1 200 OK/);
  });
  test('when it closed a kept connection in the same moment, then a read is sent again and a write is not', async () => {
    let requests = 0;
    // Answers the first request of each connection and resets at the second.
    const peer = await rawPeer((socket) => {
      requests++;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      socket.once('data', () => {
        requests++;
        socket.resetAndDestroy();
      });
    });
    const own = await another({ ORDERS_URL: peer.url, AUTH_STEPUP_URL: peer.url });
    expect(await rawCall(own.url, get)).toMatchObject({ status: 200 });
    expect(await rawCall(own.url, get)).toMatchObject({ status: 200 });
    expect(requests).toBe(3);
    expect(await rawCall(own.url, post)).toMatchObject({ status: 200 });
    expect(await rawCall(own.url, post)).toMatchObject({
      status: 502,
      body: expect.stringContaining('"outcome":"unknown"'),
    });
  });
  test('when more requests are under way than it may have, then the next is 503 at once, definite', async () => {
    const own = await another({ UPSTREAM_LIMIT: '3' });
    const held: (() => void)[] = [];
    own.peer.answer = (req, res) => void held.push(() => echo(req, res));
    const answers = [1, 2, 3].map(() => rawCall(own.url, get));
    await until(() => held.length === 3, { what: 'three under way' });
    expect(await rawCall(own.url, get)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    for (const answer of held) answer();
    expect(await Promise.all(answers)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
    own.peer.answer = echo;
    expect(await rawCall(own.url, get)).toMatchObject({ status: 200 });
  });
});

describe('a client that fails', () => {
  test.each([
    ['goes away', (socket: Socket) => socket.destroy()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'when it %s before the answer, then the service is told and nothing is logged as an error',
    async (_what, leave) => {
      gateway.peer.answer = () => {
        // never
      };
      for (const bytes of [get, post, post.slice(0, -1)]) {
        const { port } = new URL(gateway.url);
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
        socket.on('error', () => socket.destroy());
        await arrived();
        leave(socket);
        await until(() => gateway.peer.arrived.every(({ aborted }) => aborted), { what: 'the service to be told' });
        gateway.peer.arrived = [];
      }
      await until(() => gateway.lines.filter(({ msg }) => msg === 'request').length === 3, { what: 'the lines' });
      expect(errors()).toEqual([]);
    },
  );
  test('when it goes away in mid-answer, then the service is told and nothing is logged as an error', async () => {
    gateway.peer.answer = (_req, res) => void res.writeHead(200).write('half of it');
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(get));
    await once(socket, 'data');
    socket.destroy();
    await until(() => gateway.peer.arrived[0]?.aborted, { what: 'the service to be told' });
    await until(() => gateway.lines.some(({ msg }) => msg === 'request'), { what: 'the line' });
    expect(errors()).toEqual([]);
  });
  test('when it is slow to send its body, then the service is not blamed', async () => {
    const answer = await rawCall(gateway.url, post.slice(0, -1), {
      afterwards: (socket) => void setTimeout(() => socket.write('}'), timeoutMs * 2.5),
    });
    expect(answer).toMatchObject({ status: 200 });
  });
  test('when it reads 64 MB slowly, then the gateway holds little of it and the service waits', async () => {
    const size = 64 * 1024 * 1024;
    const chunk = Buffer.alloc(64 * 1024, 'a');
    let sent = 0;
    gateway.peer.answer = (_req, res) => {
      res.writeHead(200, { 'content-length': size });
      const more = (): void => {
        while (sent < size) {
          sent += chunk.length;
          if (!res.write(chunk)) return void res.once('drain', more);
        }
        res.end();
      };
      more();
    };
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(get));
    const before = process.memoryUsage().arrayBuffers;
    await once(socket, 'readable');
    // Nothing is read until the service has been held up for longer than it has to answer.
    let last = -1;
    await until(
      () => {
        const still = sent === last;
        last = sent;
        return still && sent > 0;
      },
      { what: 'the service to be held up' },
    );
    await new Promise((resolve) => setTimeout(resolve, timeoutMs * 1.5));
    expect(sent).toBeLessThan(size / 2);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * 1024 * 1024);
    let received = 0;
    socket.on('data', (data) => (received += data.length));
    await until(() => received > size, { what: 'all of it', timeoutMs: 15_000 });
    socket.destroy();
    expect(errors()).toEqual([]);
  });
  test('when it stops reading for good, then it is cut off', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    gateway.peer.answer = (_req, res) => {
      res.writeHead(200);
      const more = (): void => {
        while (!res.destroyed && res.write(chunk));
        res.once('drain', more);
      };
      more();
    };
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(get));
    socket.on('error', () => socket.destroy());
    await until(() => gateway.peer.arrived[0]?.aborted, { what: 'the cut', timeoutMs: 10_000 });
    socket.destroy();
  });
});

describe('the end of the gateway', () => {
  test('when it closes while a request is under way, then that is answered, and nothing new is taken', async () => {
    const own = await another();
    let finish = (): void => undefined;
    own.peer.answer = (req, res) => void (finish = () => echo(req, res));
    const answer = rawCall(own.url, get, { until: 'close' });
    await until(() => own.peer.arrived.length > 0, { what: 'the request to arrive' });
    opened.pop();
    const closed = own.close();
    expect(await rawCall(own.url, get)).toMatchObject({ end: 'reset' });
    finish();
    expect(await answer).toMatchObject({ status: 200, end: 'complete' });
    await closed;
  });
});
