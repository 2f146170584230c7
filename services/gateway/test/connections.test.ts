import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { startFeedHarness } from './support/live-feed-harness.ts';
import { echo, type Peer } from './support/peer.ts';

const opened: { close: () => Promise<void> }[] = [];
const sockets: Client[] = [];
afterEach(async () => {
  for (const { socket } of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});
async function start(settings: Record<string, string>): Promise<GatewayHarness> {
  const gateway = await startGatewayHarness(settings);
  opened.push(gateway);
  return gateway;
}

type Client = { socket: Socket; text: () => string; isClosed: () => boolean };
/** Connects from this loopback address and sends these bytes. */
async function send(gateway: GatewayHarness, { bytes, from = '127.0.0.1' }: { bytes: string; from?: string }) {
  const { port } = new URL(gateway.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from });
  let text = '';
  let isClosed = false;
  const client: Client = { socket, text: () => text, isClosed: () => isClosed };
  sockets.push(client);
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('error', () => socket.destroy()).once('close', () => (isClosed = true));
  await once(socket, 'connect');
  socket.write(bytes);
  return client;
}
const untilStatus = async ({ text, isClosed }: Client): Promise<number> => {
  await until(() => text().includes('\r\n\r\n') || isClosed(), { what: 'an answer' });
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text())?.[1] ?? 0);
};
const untilClosed = (client: Client) => until(client.isClosed, { what: 'the connection to be closed' });

const host = 'Host: gateway\r\n';
const read = `GET /menu HTTP/1.1\r\n${host}\r\n`;
const write = (headers = '') =>
  `POST /auth/login HTTP/1.1\r\n${host}${headers}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
const slowBody = write().slice(0, -1);
const slowHeaders = read.slice(0, -2);

describe('an incomplete body', () => {
  test("doesn't use one of the service's slots", async () => {
    const gateway = await start({ UPSTREAM_LIMIT: '1' });
    const slow = [await send(gateway, { bytes: slowBody }), await send(gateway, { bytes: slowBody })];

    const other = await rawCall(gateway.url, write());
    expect(other.status).toBe(200);
    for (const client of slow) {
      client.socket.write('}');
      expect(await untilStatus(client)).toBe(200);
    }
  });

  test('is cut off if it is among the oldest of 1,024 from one address', async () => {
    const gateway = await start({});
    const slow: Client[] = [];
    for (let index = 0; index < 1024; index++) slow.push(await send(gateway, { bytes: slowBody }));

    const others = await Promise.all(
      Array.from({ length: 50 }, async () => untilStatus(await send(gateway, { bytes: write(), from: '127.0.0.2' }))),
    );
    await until(() => slow.filter(({ isClosed }) => isClosed()).length >= 512, { what: 'half of them to be closed' });
    const neighbours = [await send(gateway, { bytes: write() }), await send(gateway, { bytes: read })];

    expect(new Set([...others, ...(await Promise.all(neighbours.map(untilStatus)))])).toEqual(new Set([200]));
    expect(slow.filter(({ isClosed }) => isClosed()).length).toBeGreaterThanOrEqual(512);
    expect(slow.slice(-400).filter(({ isClosed }) => isClosed())).toEqual([]);
    expect(gateway.peer.arrived).toHaveLength(52);
  });

  test("counts towards the client's own limit behind a trusted proxy", async () => {
    const gateway = await start({ UNFINISHED_LIMIT_ADDRESS: '2', TRUSTED_PROXIES: 'loopback' });
    const from = (address: string) => write(`X-Forwarded-For: ${address}\r\n`).slice(0, -1);
    const first = await send(gateway, { bytes: from('2001:db8::1') });
    const second = await send(gateway, { bytes: from('2001:db8::2') });
    for (let index = 0; index < 3; index++) await send(gateway, { bytes: slowHeaders });
    const other = await send(gateway, { bytes: from('2001:db8:0:1::1') });

    const third = await send(gateway, { bytes: from('2001:db8::3') });
    await untilClosed(first);

    for (const { socket } of [second, third, other]) socket.write('}');
    expect([await untilStatus(second), await untilStatus(third), await untilStatus(other)]).toEqual([200, 200, 200]);
    expect(first.text()).toBe('');
  });

  test('counts towards the limit on a kept-alive connection', async () => {
    const gateway = await start({ UNFINISHED_LIMIT_ADDRESS: '1' });
    const kept = await send(gateway, { bytes: read });
    await untilStatus(kept);
    const slow = await send(gateway, { bytes: slowBody });

    kept.socket.write(slowBody);
    await untilClosed(slow);
    kept.socket.write('}');
    await until(() => /200 [^]* 200 /.test(kept.text()), { what: 'the answer to the body' });
    const next = await send(gateway, { bytes: slowBody });
    kept.socket.write(read);
    await until(() => /200 [^]* 200 [^]* 200 /.test(kept.text()), { what: 'the answer without a body' });

    next.socket.write('}');
    expect(await untilStatus(next)).toBe(200);
    expect(slow.text()).toBe('');
  });
});

describe('incomplete headers', () => {
  test('are limited per address by closing the oldest connection', async () => {
    const gateway = await start({ UNFINISHED_LIMIT_ADDRESS: '2' });
    const slow = [await send(gateway, { bytes: slowHeaders }), await send(gateway, { bytes: '' })];

    const other = await send(gateway, { bytes: read });

    expect(await untilStatus(other)).toBe(200);
    await untilClosed(slow[0] as Client);
    slow[1]?.socket.write(read);
    expect(await untilStatus(slow[1] as Client)).toBe(200);
    expect(slow[0]?.text()).toBe('');
  });
});

test("a new connection at an address's limit replaces the connection that has been idle longest", async () => {
  const gateway = await start({ CONNECTION_LIMIT_ADDRESS: '3' });
  const kept = [await send(gateway, { bytes: read }), await send(gateway, { bytes: read })];
  await Promise.all(kept.map(untilStatus));
  // This connection has just sent another request, so it is not the longest-idle one.
  kept[0]?.socket.write(read);
  await until(() => /200 [^]* 200 /.test(kept[0]?.text() ?? ''), { what: 'the second answer' });
  const busy = await send(gateway, { bytes: slowBody });

  const next = await send(gateway, { bytes: read });

  expect(await untilStatus(next)).toBe(200);
  await untilClosed(kept[1] as Client);
  expect([kept[0]?.isClosed(), busy.isClosed()]).toEqual([false, false]);
  busy.socket.write('}');
  expect(await untilStatus(busy)).toBe(200);
});

test('a new connection is closed if its address is at the limit and has no idle connection', async () => {
  const gateway = await start({ CONNECTION_LIMIT_ADDRESS: '2' });
  const busy = [await send(gateway, { bytes: slowBody }), await send(gateway, { bytes: slowBody })];

  const refused = await send(gateway, { bytes: read });
  await untilClosed(refused);
  const other = await send(gateway, { bytes: read, from: '127.0.0.2' });

  expect(refused.text()).toBe('');
  expect(await untilStatus(other)).toBe(200);
  busy[0]?.socket.write('}');
  expect(await untilStatus(busy[0] as Client)).toBe(200);
  const statusOfNext = async () => untilStatus(await send(gateway, { bytes: read }));
  await until(async () => (await statusOfNext()) === 200, { what: 'the next connection to be taken' });
});

describe("a client that doesn't read its responses", () => {
  let sentAt = 0;
  /** Sends an endless response, so that the connection's buffers fill up. */
  const endless: Peer['response'] = (_req, res) => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const sendMore = (): void => {
      sentAt = performance.now();
      while (!res.destroyed && res.write(chunk));
      res.once('drain', sendMore);
    };
    res.writeHead(200);
    sendMore();
  };
  const arrivedOf = ({ peer }: GatewayHarness, name: string) =>
    peer.arrived.filter(({ url }) => url === `/menu?${name}`);
  const isAborted = (gateway: GatewayHarness, name: string) => arrivedOf(gateway, name).some(({ aborted }) => aborted);
  /** Opens a connection, requests an endless response `times` times and reads nothing. */
  async function askWithoutReading(gateway: GatewayHarness, name: string, { times = 1 } = {}): Promise<void> {
    const { socket } = await send(gateway, { bytes: read.replace('/menu', `/menu?${name}`).repeat(times) });
    socket.pause();
    await until(() => arrivedOf(gateway, name).length === times, { what: 'the requests to arrive' });
  }

  test.each([
    ['one response', 1],
    ['several responses', 3],
  ])('loses its oldest connection at the limit for its address (%s)', async (_what, times) => {
    const gateway = await start({ CONNECTION_LIMIT_ADDRESS: '2' });
    gateway.peer.response = endless;
    await askWithoutReading(gateway, 'first', { times });
    await askWithoutReading(gateway, 'second', { times });
    gateway.peer.response = echo;

    const next = await send(gateway, { bytes: read });

    expect(await untilStatus(next)).toBe(200);
    await until(() => isAborted(gateway, 'first'), { what: 'the oldest to be closed' });
    expect(isAborted(gateway, 'second')).toBe(false);
  });

  test('counts as idle once the gateway has responded, even if it is still sending its request body', async () => {
    const gateway = await start({ CONNECTION_LIMIT_ADDRESS: '1' });
    const refused = await send(gateway, { bytes: slowBody.replace('/auth/login', '/orders') });
    expect(await untilStatus(refused)).toBe(401);
    refused.socket.write('}');

    const statusOfNext = async () => untilStatus(await send(gateway, { bytes: read }));

    await until(async () => (await statusOfNext()) === 200, { what: 'the next connection to be taken' });
    await untilClosed(refused);
  });

  test('is disconnected if slow clients use all the slots', async () => {
    const gateway = await start({ UPSTREAM_LIMIT: '2' });
    gateway.peer.response = endless;
    await askWithoutReading(gateway, 'first');
    await askWithoutReading(gateway, 'second');
    // A connection counts as a slow reader after one second, so after 1.5 s both do.
    await until(() => performance.now() - sentAt > 1500, { what: 'both connections to be full' });
    gateway.peer.response = echo;
    const statusOfOther = async () => untilStatus(await send(gateway, { bytes: read, from: '127.0.0.2' }));

    await until(async () => (await statusOfOther()) === 200, { what: 'a slot' });

    await until(() => isAborted(gateway, 'first'), { what: 'the oldest to be closed' });
    expect(isAborted(gateway, 'second')).toBe(false);
  });
});

test("a live feed doesn't count as an unfinished request", async () => {
  const feed = await startFeedHarness({ UNFINISHED_LIMIT_ADDRESS: '1' });
  opened.push(feed);
  const first = await feed.open();
  let isClosed = false;
  first.socket.once('close', () => (isClosed = true));

  const second = await feed.open();

  expect(second.text()).toMatch(/^HTTP\/1\.1 101 /);
  expect(isClosed).toBe(false);
});
