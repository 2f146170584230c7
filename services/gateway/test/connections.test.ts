import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { startFeedHarness } from './support/live-feed-harness.ts';

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
/** A client at this address of the loopback network that has sent these bytes. */
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

describe('a body that is not complete', () => {
  test('when as many bodies as a service has slots are not complete, then other requests still get a slot', async () => {
    const gateway = await start({ UPSTREAM_LIMIT: '1' });
    const slow = [await send(gateway, { bytes: slowBody }), await send(gateway, { bytes: slowBody })];

    const other = await rawCall(gateway.url, write());
    expect(other.status).toBe(200);
    for (const client of slow) {
      client.socket.write('}');
      expect(await untilStatus(client)).toBe(200);
    }
  });

  test('when 1,024 slow bodies come from one address, then nobody else is refused, and half of them wait at most', async () => {
    const gateway = await start({});
    const slow: Client[] = [];
    for (let index = 0; index < 1024; index++) slow.push(await send(gateway, { bytes: slowBody }));

    const others = await Promise.all(
      Array.from({ length: 50 }, async () => untilStatus(await send(gateway, { bytes: write(), from: '127.0.0.2' }))),
    );
    await until(() => slow.filter(({ isClosed }) => isClosed()).length >= 512, { what: 'half of them to be closed' });

    expect(new Set(others)).toEqual(new Set([200]));
    expect(slow.filter(({ isClosed }) => isClosed())).toHaveLength(512);
    expect(gateway.peer.arrived).toHaveLength(50);
  }, 30_000);

  test('when a proxy is trusted, then its connections are not counted, but the bodies of each client are', async () => {
    const gateway = await start({ UNFINISHED_LIMIT_ADDRESS: '2', TRUSTED_PROXIES: 'loopback' });
    const from = (address: string) => write(`X-Forwarded-For: ${address}\r\n`).slice(0, -1);
    const first = await send(gateway, { bytes: from('2001:db8::1') });
    const second = await send(gateway, { bytes: from('2001:db8::2') });
    for (let index = 0; index < 3; index++) await send(gateway, { bytes: slowHeaders });

    const refused = await send(gateway, { bytes: from('2001:db8::3') });
    const status = await untilStatus(refused);
    await untilClosed(refused);
    const other = await send(gateway, { bytes: `${from('2001:db8:0:1::1')}}` });

    expect(status).toBe(429);
    expect(refused.text()).toContain('"code":"rate_limited"');
    expect(await untilStatus(other)).toBe(200);
    for (const { socket } of [first, second]) socket.write('}');
    expect([await untilStatus(first), await untilStatus(second)]).toEqual([200, 200]);
    expect(await untilStatus(await send(gateway, { bytes: `${from('2001:db8::3')}}` }))).toBe(200);
  });

  test('when a kept connection sends a body that is not complete, then it is counted, until the body is complete', async () => {
    const gateway = await start({ UNFINISHED_LIMIT_ADDRESS: '1' });
    const kept = await send(gateway, { bytes: read });
    await untilStatus(kept);
    const slow = await send(gateway, { bytes: slowBody });

    const refused = await send(gateway, { bytes: read });
    await untilClosed(refused);
    kept.socket.write(slowBody);
    await untilClosed(kept);
    slow.socket.write('}');

    expect(refused.text()).toBe('');
    expect(kept.text()).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 429 [^]*Connection: close/);
    expect(await untilStatus(slow)).toBe(200);
    expect(await untilStatus(await send(gateway, { bytes: read }))).toBe(200);
  });
});

describe('headers that are not complete', () => {
  test('when an address has too many, then its next connection is closed, and other addresses go on', async () => {
    const gateway = await start({ UNFINISHED_LIMIT_ADDRESS: '2' });
    const slow = [await send(gateway, { bytes: slowHeaders }), await send(gateway, { bytes: '' })];

    const refused = await send(gateway, { bytes: read });
    await untilClosed(refused);
    const other = await send(gateway, { bytes: read, from: '127.0.0.2' });

    expect(refused.text()).toBe('');
    expect(await untilStatus(other)).toBe(200);
    for (const [index, client] of slow.entries()) client.socket.write(index === 0 ? '\r\n' : read);
    expect([await untilStatus(slow[0] as Client), await untilStatus(slow[1] as Client)]).toEqual([200, 200]);
    expect(await untilStatus(await send(gateway, { bytes: read }))).toBe(200);
  });

  test('when a connection with incomplete headers is closed, then it is not counted any more', async () => {
    const gateway = await start({ UNFINISHED_LIMIT_ADDRESS: '1' });
    const slow = await send(gateway, { bytes: slowHeaders });

    slow.socket.destroy();

    const statusOfNext = async () => untilStatus(await send(gateway, { bytes: read }));
    await until(async () => (await statusOfNext()) === 200, { what: 'the next connection to be taken' });
  });
});

test('when an address has as many connections as allowed, then its next one is closed, until one ends', async () => {
  const gateway = await start({ CONNECTION_LIMIT_ADDRESS: '2' });
  const kept = [await send(gateway, { bytes: read }), await send(gateway, { bytes: read })];
  await Promise.all(kept.map(untilStatus));

  const refused = await send(gateway, { bytes: read });
  await untilClosed(refused);
  const other = await send(gateway, { bytes: read, from: '127.0.0.2' });

  expect(refused.text()).toBe('');
  expect(await untilStatus(other)).toBe(200);
  kept[0]?.socket.destroy();
  const statusOfNext = async () => untilStatus(await send(gateway, { bytes: read }));
  await until(async () => (await statusOfNext()) === 200, { what: 'the next connection to be taken' });
});

test('when a live feed is open, then it is not counted as an unfinished request', async () => {
  const feed = await startFeedHarness({ UNFINISHED_LIMIT_ADDRESS: '1' });
  opened.push(feed);
  await feed.open();

  const second = await feed.open();

  expect(second.text()).toMatch(/^HTTP\/1\.1 101 /);
});
