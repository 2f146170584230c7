import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { problems } from '@comanda/contracts/problems';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { echo, startRawPeer } from './support/peer.ts';

const timeoutMs = 400;
let gateway: GatewayHarness;
beforeAll(async () => {
  gateway = await startGatewayHarness({ UPSTREAM_TIMEOUT_MS: String(timeoutMs) });
});
beforeEach(() => {
  gateway.peer.arrived = [];
  gateway.peer.response = echo;
  gateway.lines.length = 0;
});
afterAll(() => gateway.close());

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});
async function startOther(settings: Record<string, string>): Promise<GatewayHarness> {
  const other = await startGatewayHarness(settings);
  opened.push(other);
  return other;
}

const host = 'Host: gateway\r\n';
const read = `GET /menu HTTP/1.1\r\n${host}\r\n`;
const write = `POST /auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
const errorLines = () => gateway.lines.filter(({ level }) => level === 'error');
const neverAnswer = (): void => undefined;

test('the gateway closes an idle connection within seconds, even if the service would keep it open', async () => {
  const closed = Promise.withResolvers<void>();
  const peer = await startRawPeer((socket) => {
    socket.once('close', () => closed.resolve());
    socket.write(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nKeep-Alive: timeout=65\r\nContent-Length: 2\r\n\r\n[]',
    );
  });
  opened.push(peer);
  const other = await startOther({ ORDERS_URL: peer.url });
  let isClosed = false;
  void closed.promise.then(() => (isClosed = true));

  const response = await fetch(`${other.url}/menu`);

  expect(response.status).toBe(200);
  await until(() => isClosed, { what: 'the gateway to end the idle connection' });
});

describe('a service that fails before its response', () => {
  /** Called with each new connection to the service. Each test sets its own way to fail. */
  let talk: (socket: Socket) => void;
  let peer: Awaited<ReturnType<typeof startRawPeer>>;
  let broken: GatewayHarness;
  beforeAll(async () => {
    peer = await startRawPeer((socket) => talk(socket));
    const settings = { ORDERS_URL: peer.url, AUTH_STEPUP_URL: peer.url, UPSTREAM_TIMEOUT_MS: '2000' };
    broken = await startGatewayHarness(settings);
  });
  afterAll(async () => {
    await broken.close();
    await peer.close();
  });

  const failures: [string, (socket: Socket) => void][] = [
    ['resets the connection', (socket) => void socket.resetAndDestroy()],
    ['ends the connection', (socket) => void socket.end()],
    ['ends the connection in the headers', (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['does not speak HTTP', (socket) => void socket.write('hello\r\n\r\n')],
    [
      'responds with two lengths',
      (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    ],
    ['responds with status 99', (socket) => void socket.write('HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nab')],
    ['responds with status 999', (socket) => void socket.write('HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nab')],
    [
      'switches protocols',
      (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'responds with 20 KB of headers',
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`),
    ],
  ];

  test.each(failures)('causes a 502 if it %s during a read', async (_what, failure) => {
    talk = failure;

    const response = await rawCall(broken.url, read);

    expect(response).toMatchObject({
      status: 502,
      end: 'complete',
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(JSON.parse(response.body)).toEqual({
      type: '/problems/bad_gateway',
      title: problems.bad_gateway.title,
      status: 502,
      code: 'bad_gateway',
      request_id: response.headers['x-request-id'],
    });
  });

  test.each(failures)('causes a 502 with an unknown outcome if it %s during a write', async (_what, failure) => {
    talk = failure;

    const response = await rawCall(broken.url, write);

    expect(JSON.parse(response.body)).toMatchObject({ code: 'bad_gateway', outcome: 'unknown' });
    expect(broken.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        upstream: 'auth-stepup',
        request_id: response.headers['x-request-id'],
      }),
    );
  });
});

describe('an unavailable service', () => {
  test.each([
    ['a read', read],
    ['a write', write],
  ])('causes a 503 for %s if nothing listens at its address', async (_what, bytes) => {
    const { url } = await startOther({
      ORDERS_URL: 'http://127.0.0.1:1',
      AUTH_STEPUP_URL: 'http://no-such-host.invalid',
    });

    const response = await rawCall(url, bytes);

    expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(JSON.parse(response.body)).toMatchObject({ code: 'service_unavailable' });
    expect(JSON.parse(response.body)).not.toHaveProperty('outcome');
    // The response must not contain hosts, paths or system errors.
    expect(response.body).not.toMatch(/127\.0\.0|invalid|menu|ECONN|ENOTFOUND/);
  });

  test('gets no more requests once its limit for requests in flight is reached', async () => {
    const { url, peer } = await startOther({ UPSTREAM_LIMIT: '3' });
    const waiting: (() => void)[] = [];
    peer.response = (req, res) => void waiting.push(() => echo(req, res));
    const responses = [1, 2, 3].map(() => rawCall(url, read));
    await until(() => waiting.length === 3, { what: 'three requests in flight' });

    const refused = await rawCall(url, read);

    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    for (const response of waiting) response();
    expect(await Promise.all(responses)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
    peer.response = echo;
    expect(await rawCall(url, read)).toMatchObject({ status: 200 });
  });
});

describe("a service that doesn't respond", () => {
  beforeEach(() => {
    gateway.peer.response = neverAnswer;
  });

  test('causes a 504 for a read', async () => {
    const response = await rawCall(gateway.url, read);

    expect(JSON.parse(response.body)).toMatchObject({ code: 'gateway_timeout', status: 504 });
    expect(JSON.parse(response.body)).not.toHaveProperty('outcome');
  });

  test('causes a 504 with an unknown outcome for a write', async () => {
    const response = await rawCall(gateway.url, write);

    expect(JSON.parse(response.body)).toMatchObject({ code: 'gateway_timeout', outcome: 'unknown' });
  });

  test('has its request aborted at the time limit', async () => {
    await rawCall(gateway.url, read);

    await until(() => gateway.peer.arrived[0]?.aborted, { what: 'the service to see the abort' });
  });

  test('makes the gateway disconnect the client if it stops in the middle of a response', async () => {
    gateway.peer.response = (_req, res) => void res.writeHead(200).write('half of it');

    const response = await rawCall(gateway.url, read, { until: 'close' });

    expect(['closed', 'reset']).toContain(response.end);
    expect(response.text).toContain('half of it');
    expect(errorLines()).toMatchObject([{ upstream: 'orders' }]);
  });
});

describe('a service that fails during its response', () => {
  test.each([
    ['with a length', { 'content-length': '100' }],
    ['in chunks', {}],
  ])('leaves the client without a complete response, sent %s', async (_what, headers) => {
    gateway.peer.response = (_req, res) => {
      res.writeHead(200, headers);
      res.write('half of it', () => res.destroy());
    };

    const response = await rawCall(gateway.url, read, { until: 'close' });

    expect(['closed', 'reset']).toContain(response.end);
    expect(response.text).not.toMatch(/0\r\n\r\n$/);
    await until(() => errorLines().length > 0, { what: 'the error in the log' });
    const line = await until(() => gateway.lines.find(({ msg }) => msg === 'request'), { what: 'the request line' });
    expect(line).toMatchObject({ status: 200, aborted: true });
  });
});

test('a response that the service sends before reading the body reaches the client', async () => {
  gateway.peer.response = (_req, res) => void res.writeHead(409).end('early');
  const body = 'a'.repeat(30_000);
  const first = `POST /auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const next = `GET /livez HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;

  const { text } = await rawCall(gateway.url, first + next, { until: 'close' });

  expect(text).toMatch(/^HTTP\/1\.1 409 [\s\S]*early[\s\S]*HTTP\/1\.1 200 OK/);
});

describe('a service that closes a kept-alive connection when the next request arrives', () => {
  /** Starts a service that responds to the first request on each connection. The second request resets the connection. */
  async function startWithResets(): Promise<{ url: string; requests: () => number }> {
    let requests = 0;
    const peer = await startRawPeer((socket) => {
      requests++;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      socket.once('data', () => {
        requests++;
        socket.resetAndDestroy();
      });
    });
    opened.push(peer);
    const { url } = await startOther({ ORDERS_URL: peer.url, AUTH_STEPUP_URL: peer.url });
    return { url, requests: () => requests };
  }

  test('receives the request again if it is a read', async () => {
    const { url, requests } = await startWithResets();

    expect(await rawCall(url, read)).toMatchObject({ status: 200 });
    expect(await rawCall(url, read)).toMatchObject({ status: 200 });

    expect(requests()).toBe(3);
  });

  test("doesn't receive the request again if it is a write", async () => {
    const { url, requests } = await startWithResets();

    expect(await rawCall(url, write)).toMatchObject({ status: 200 });
    const response = await rawCall(url, write);

    expect(response).toMatchObject({ status: 502, body: expect.stringContaining('"outcome":"unknown"') });
    expect(requests()).toBe(2);
  });
});
