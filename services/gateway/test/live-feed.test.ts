import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness } from './support/harness.ts';
import type { GatewayHarness } from './support/harness.ts';
import { startRawPeer } from './support/peer.ts';

const H = 'Host: gateway\r\n';
const W =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const target = '/socket.io/?EIO=4&transport=websocket';
const handshake = (more = '', at = target): string => `GET ${at} HTTP/1.1\r\n${H}${W}${more}\r\n`;
const accepted =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n';

const opened: { close: () => Promise<void> }[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { close } of opened.splice(0).toReversed()) await close();
});

type Scene = {
  gateway: GatewayHarness;
  /** The handshakes that came through, each with its socket. */
  came: { head: string; socket: Socket }[];
};
/** A gateway before a peer that takes every handshake and then echoes, unless `talk` has it otherwise. */
async function stage(settings: Record<string, string> = {}, talk?: (socket: Socket) => void): Promise<Scene> {
  const came: Scene['came'] = [];
  const peer = await startRawPeer((socket, head) => {
    came.push({ head, socket });
    if (talk) return talk(socket);
    socket.write(accepted);
    socket.pipe(socket);
  });
  opened.push(peer);
  const gateway = await startGatewayHarness({ NOTIFIER_URL: peer.url, UPSTREAM_TIMEOUT_MS: '5000', ...settings });
  opened.push(gateway);
  return { gateway, came };
}
/** A client whose handshake is out. */
async function dial(gateway: GatewayHarness, bytes = handshake()): Promise<{ socket: Socket; text: () => string }> {
  const { port } = new URL(gateway.url);
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
  sockets.push(socket);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return { socket, text: () => text };
}
const open = async (gateway: GatewayHarness, bytes?: string) => {
  const client = await dial(gateway, bytes);
  await until(() => client.text().includes('\r\n\r\n'), { what: 'the answer to the handshake' });
  return client;
};
const feeds = async (gateway: GatewayHarness): Promise<number> => {
  const metrics = await fetch(`${gateway.url}/metrics`).then((answer) => answer.text());
  return Number(/^live_feeds\{.*\} (\d+)/m.exec(metrics)?.[1]);
};

describe('the live feed through the gateway', () => {
  test('when a WebSocket is asked for at /socket.io/, then it is through, both ways', async () => {
    const { gateway, came } = await stage();
    const { socket, text } = await open(gateway);
    expect(text()).toMatch(/^HTTP\/1\.1 101 /);
    socket.write('ping');
    await until(() => text().endsWith('ping'), { what: 'the echo' });
    came[0]?.socket.write('from behind');
    await until(() => text().endsWith('from behind'), { what: 'a message from behind' });
    expect(await feeds(gateway)).toBe(1);
  });
  test('when the client says more with the handshake, then nothing of it is lost', async () => {
    const { gateway } = await stage();
    const { text } = await open(gateway, `${handshake()}early`);
    await until(() => text().endsWith('early'), { what: 'the echo' });
  });
  test('when headers say who it is, then none of them comes through', async () => {
    const { gateway, came } = await stage();
    await open(
      gateway,
      handshake(
        'X-User-Id: 1\r\nX_User_Id: 1\r\nX-Forwarded-For: 6.6.6.6\r\nForwarded: for=6.6.6.6\r\nCookie: a=b\r\nAuthorization: Bearer x\r\nUser-Agent: test\r\n',
      ),
    );
    const names = (came[0]?.head ?? '')
      .split('\r\n')
      .slice(1, -2)
      .map((line) => line.split(':', 1).join('').toLowerCase());
    expect(names.toSorted()).toEqual([
      'connection',
      'host',
      'sec-websocket-key',
      'sec-websocket-version',
      'traceparent',
      'upgrade',
      'user-agent',
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-request-id',
    ]);
    expect(came[0]?.head).toContain('x-forwarded-for: 127.0.0.1\r\n');
    expect(came[0]?.head).toMatch(/^GET \/socket\.io\/\?EIO=4&transport=websocket HTTP\/1\.1\r\n/);
  });
  test('when it is no WebSocket, then it is 400 and says so', async () => {
    const { gateway, came } = await stage();
    const polling = `GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\n${H}\r\n`;
    const other = `GET ${target} HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    const posted = `POST ${target} HTTP/1.1\r\n${H}${W}Content-Length: 0\r\n\r\n`;
    for (const bytes of [polling, other, posted])
      expect(await rawCall(gateway.url, bytes)).toMatchObject({
        status: 400,
        end: 'complete',
        body: expect.stringContaining('"code":"upgrade_required"'),
      });
    expect(came).toEqual([]);
  });
  test.each([
    '/',
    '/socket.io',
    '/socket.io/x',
    '/socket.io//',
    '//socket.io/',
    '/socket.io/../socket.io/',
    '/socket%2eio/',
    '/v1/socket.io/',
    '/orders/1',
  ])('when a WebSocket is asked for at %s, then it is an ordinary request that finds no feed', async (at) => {
    const { gateway, came } = await stage();
    const answer = await rawCall(gateway.url, handshake('', `${at}?EIO=4&transport=websocket`));
    expect([401, 404]).toContain(answer.status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(came).toEqual([]);
  });
  test.each(['token=a.b.c', 'access_token=a.b.c', 'auth[token]=a.b.c', 'auth=a.b.c', '__proto__=1'])(
    'when the query has %s, then it is 400, and the token is in no log',
    async (more) => {
      const { gateway, came } = await stage();
      const answer = await rawCall(gateway.url, handshake('', `${target}&${more}`));
      expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('"code":"validation_failed"') });
      expect(came).toEqual([]);
      expect(JSON.stringify(gateway.lines) + answer.text).not.toContain('a.b.c');
    },
  );
  test.each([
    ['two Authorization headers', 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'],
    ['an unknown Connection token', 'Connection: X-Request-Id\r\n'],
    ['two hosts', 'Host: other\r\n'],
    ['a body', 'Content-Length: 5\r\n'],
  ])('when the handshake has %s, then it is 400', async (_what, more) => {
    const { gateway, came } = await stage();
    expect(await rawCall(gateway.url, handshake(more))).toMatchObject({ status: 400 });
    expect(came).toEqual([]);
  });
  test('when a page of another origin asks, then it is 403, unless its origin is named', async () => {
    const { gateway, came } = await stage({ ALLOWED_ORIGINS: 'https://menu.example.com' });
    const from = (origin: string) => rawCall(gateway.url, handshake(`Origin: ${origin}\r\n`), { timeoutMs: 300 });
    for (const origin of [
      'https://evil.example',
      'null',
      'https://menu.example.com.evil.example',
      'http://gateway.evil',
    ])
      expect(await from(origin)).toMatchObject({ status: 403, body: expect.stringContaining('"forbidden"') });
    expect(came).toEqual([]);
    for (const origin of ['https://menu.example.com', 'http://gateway', 'https://gateway'])
      expect(await from(origin)).toMatchObject({ status: 101 });
  });
});

describe('how many live feeds there may be', () => {
  test('when all places are taken, then the next is 503; when one is free again, then it is taken', async () => {
    const { gateway } = await stage({ FEED_LIMIT: '2' });
    const first = await open(gateway);
    await open(gateway);
    expect(await rawCall(gateway.url, handshake())).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    first.socket.destroy();
    await until(async () => (await feeds(gateway)) === 1, { what: 'a free place' });
    expect((await open(gateway)).text()).toContain('101');
  });
  test('when one address has all of its own, then it is 429 for that address alone', async () => {
    const { gateway } = await stage({ FEED_LIMIT_ADDRESS: '1', TRUSTED_PROXIES: 'loopback' });
    const from = (address: string) => handshake(`X-Forwarded-For: ${address}\r\n`);
    await open(gateway, from('192.0.2.1'));
    expect(await rawCall(gateway.url, from('192.0.2.1'))).toMatchObject({
      status: 429,
      body: expect.stringContaining('rate_limited'),
    });
    expect((await open(gateway, from('192.0.2.2'))).text()).toContain('101');
  });
  test('when handshakes are refused or fail, then they take no place', async () => {
    const { gateway } = await stage(
      {},
      (socket) => void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno'),
    );
    for (let index = 0; index < 5; index++) await rawCall(gateway.url, handshake(), { until: 'close' });
    await until(async () => (await feeds(gateway)) === 0, { what: 'no place to be taken' });
  });
});

describe('a notifier that fails', () => {
  const problemBody = (answer: { body: string }) => JSON.parse(answer.body) as Record<string, unknown>;
  test('when it is not there, then the handshake is 503', async () => {
    const { gateway } = await stage({ NOTIFIER_URL: 'http://127.0.0.1:1' });
    const answer = await rawCall(gateway.url, handshake(), { until: 'close' });
    expect(answer).toMatchObject({ status: 503, end: 'complete', headers: { connection: 'close' } });
    expect(problemBody(answer)).toMatchObject({
      code: 'service_unavailable',
      request_id: answer.headers['x-request-id'],
    });
  });
  test('when it says nothing, then the handshake is 504 in time', async () => {
    const { gateway } = await stage({ UPSTREAM_TIMEOUT_MS: '400' }, () => undefined);
    const answer = await rawCall(gateway.url, handshake(), { until: 'close' });
    expect(answer).toMatchObject({ status: 504, end: 'complete' });
    expect(problemBody(answer)).toMatchObject({ code: 'gateway_timeout' });
    expect(answer.text.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
  });
  test.each([
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
    ['closes', (socket: Socket) => void socket.end()],
    ['does not speak HTTP', (socket: Socket) => void socket.end('hello\r\n\r\n')],
  ])('when it %s, then the handshake is 502', async (_what, talk) => {
    const { gateway } = await stage({}, talk);
    const answer = await rawCall(gateway.url, handshake(), { until: 'close' });
    expect(answer).toMatchObject({ status: 502, end: 'complete' });
    expect(problemBody(answer)).toMatchObject({ code: 'bad_gateway' });
    expect(answer.text.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
  });
  test('when it refuses, then its answer comes through and the connection ends', async () => {
    const refusal =
      'HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nServer: secret\r\nContent-Length: 2\r\n\r\n{}';
    const { gateway } = await stage({}, (socket) => void socket.end(refusal));
    const answer = await rawCall(gateway.url, handshake(), { until: 'close' });
    expect(answer).toMatchObject({ status: 400, body: '{}', headers: { 'x-content-type-options': 'nosniff' } });
    expect(answer.text).not.toContain('secret');
  });
  test.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['goes away', (socket: Socket) => socket.destroy()],
    ['ends', (socket: Socket) => socket.end()],
  ])('when it %s later, then the client’s connection ends too', async (_what, leave) => {
    const { gateway, came } = await stage();
    const { socket } = await open(gateway);
    const ended = once(socket, 'close');
    socket.on('end', () => socket.end());
    const [first] = came;
    if (first) leave(first.socket);
    await ended;
    await until(async () => (await feeds(gateway)) === 0, { what: 'its place to be free' });
  });
});

describe('a client that leaves', () => {
  const ways: [string, (socket: Socket) => unknown][] = [
    ['resets', (socket) => socket.resetAndDestroy()],
    ['goes away', (socket) => socket.destroy()],
    ['ends', (socket) => socket.end()],
  ];
  test.each(ways)('when it %s, then the notifier is told and the place is free', async (_what, leave) => {
    const { gateway, came } = await stage();
    const { socket } = await open(gateway);
    const told = once(came[0]?.socket ?? socket, 'close');
    leave(socket);
    await told;
    await until(async () => (await feeds(gateway)) === 0, { what: 'its place to be free' });
    expect(gateway.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
  test.each(ways)(
    'when it %s before the handshake is answered, then the notifier is told in time',
    async (what, leave) => {
      // Only a reset is seen before anything is read or written.
      const { gateway, came } = await stage(
        { UPSTREAM_TIMEOUT_MS: what === 'resets' ? '60000' : '400' },
        () => undefined,
      );
      const { socket } = await dial(gateway);
      await until(() => came.length > 0, { what: 'the handshake to arrive' });
      const told = once(came[0]?.socket ?? socket, 'close');
      leave(socket);
      await told;
      await until(async () => (await feeds(gateway)) === 0, { what: 'its place to be free' });
      const failures = gateway.lines.filter(({ level }) => level === 'error');
      expect(failures).toHaveLength(what === 'resets' ? 0 : 1);
    },
  );
});

test('when the gateway closes, then its feeds end and it does not wait for them', async () => {
  const { gateway, came } = await stage();
  const { socket } = await open(gateway);
  const ended = Promise.all([once(socket, 'close'), once(came[0]?.socket ?? socket, 'close')]);
  opened.splice(opened.indexOf(gateway), 1);
  await gateway.close();
  await ended;
});
