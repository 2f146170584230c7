import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import {
  acceptClient,
  feedTarget,
  handshake,
  startFeedHarness,
  switchingProtocols,
  websocketHeaders,
  type FeedHarness,
} from './support/live-feed-harness.ts';

let feed: FeedHarness;
beforeAll(async () => {
  feed = await startFeedHarness({ ALLOWED_ORIGINS: 'https://menu.example.com' });
});
beforeEach(() => {
  feed.handshakes.length = 0;
});
afterAll(() => feed.close());

const opened: FeedHarness[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});
async function startOther(
  settings: Record<string, string> = {},
  talk?: (socket: Socket) => void,
): Promise<FeedHarness> {
  const other = await startFeedHarness(settings, talk);
  opened.push(other);
  return other;
}

describe('the WebSocket at /socket.io/', () => {
  test('forwards bytes in both directions', async () => {
    const { open, handshakes, countFeeds } = await startOther();

    const { socket, text } = await open();
    socket.write('from the client');
    await until(() => text().endsWith('from the client'), { what: 'the echo' });
    handshakes[0]?.socket.write('from the notifier');
    await until(() => text().endsWith('from the notifier'), { what: 'a message of the notifier' });

    expect(text()).toMatch(/^HTTP\/1\.1 101 /);
    expect(await countFeeds()).toBe(1);
  });

  test('forwards bytes that the client sent together with its handshake', async () => {
    const { text } = await feed.open(`${handshake()}early`);

    await until(() => text().endsWith('early'), { what: 'the echo' });
  });

  test("doesn't forward headers that describe the client", async () => {
    await feed.open(
      handshake(
        'X-User-Id: 1\r\nX_User_Id: 1\r\nX-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Host: evil.example\r\nForwarded: for=6.6.6.6\r\nCookie: a=b\r\n' +
          'Authorization: Bearer x\r\nExpect: 100-continue\r\nVia: 1.1 evil\r\nUser-Agent: test\r\n',
      ),
    );

    const head = feed.handshakes[0]?.head ?? '';
    const [requestLine, ...headers] = head.split('\r\n').slice(0, -2);
    expect(requestLine).toBe('GET /socket.io/?EIO=4&transport=websocket HTTP/1.1');
    expect(headers.map((line) => line.split(':', 1).join('').toLowerCase()).toSorted()).toEqual([
      'connection',
      'host',
      'sec-websocket-key',
      'sec-websocket-version',
      'traceparent',
      'upgrade',
      'user-agent',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-request-id',
    ]);
    expect(head).toContain('x-forwarded-for: 127.0.0.1\r\n');
    expect(head).toContain('x-forwarded-host: gateway\r\n');
  });

  test('ends its feeds one after another when the gateway closes', async () => {
    const { open, gateway, closeGateway } = await startOther();
    const clients = await Promise.all(Array.from({ length: 40 }, () => open()));
    const firstEnd = Promise.race(clients.map(({ socket }) => once(socket, 'close')));

    const closed = closeGateway();
    const late = await rawCall(gateway.url, handshake());
    await firstEnd;
    for (const { socket } of clients) if (!socket.destroyed) socket.write('still served');
    await until(() => clients.some(({ text }) => text().endsWith('still served')), { what: 'an echo of another feed' });
    await closed;

    expect(late).toMatchObject({ end: 'reset', status: 0 });
    await until(() => clients.every(({ socket }) => socket.destroyed), { what: 'all feeds to end' });
  });

  test('ends all feeds at the end of the closing window', async () => {
    const { open, handshakes, closeGateway } = await startOther({ DRAIN_WINDOW_MS: '0' });
    const { socket } = await open();
    const ended = Promise.all([once(socket, 'close'), once(handshakes[0]?.socket ?? socket, 'close')]);

    await closeGateway();

    await ended;
  });
});

describe('a feed handshake', () => {
  test.each([
    ['HTTP long polling', 'GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: gateway\r\n\r\n'],
    ['another protocol', `GET ${feedTarget} HTTP/1.1\r\nHost: gateway\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
    ['POST', `POST ${feedTarget} HTTP/1.1\r\nHost: gateway\r\n${websocketHeaders}Content-Length: 0\r\n\r\n`],
  ])('returns a 400 upgrade_required if it uses %s', async (_what, bytes) => {
    const response = await rawCall(feed.gateway.url, bytes);

    expect(response).toMatchObject({
      status: 400,
      end: 'complete',
      body: expect.stringContaining('"code":"upgrade_required"'),
    });
    expect(response.body).toContain("set `transports: ['websocket']`");
    expect(feed.handshakes).toEqual([]);
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
  ])('is treated as an ordinary request at %s', async (path) => {
    const response = await rawCall(feed.gateway.url, handshake('', `${path}?EIO=4&transport=websocket`));

    expect([401, 404]).toContain(response.status);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(feed.handshakes).toEqual([]);
  });

  test.each(['token=a.b.c', 'access_token=a.b.c', 'auth[token]=a.b.c', 'auth=a.b.c', '__proto__=1'])(
    'returns a 400 with %s in the query',
    async (parameter) => {
      const response = await rawCall(feed.gateway.url, handshake('', `${feedTarget}&${parameter}`));

      expect(response).toMatchObject({ status: 400, body: expect.stringContaining('"code":"validation_failed"') });
      expect(JSON.stringify(feed.gateway.lines) + response.text).not.toContain('a.b.c');
      expect(feed.handshakes).toEqual([]);
    },
  );

  test.each([
    ['EIO=3&transport=websocket', 'Socket.IO 3 or newer'],
    ['transport=websocket', 'Socket.IO 3 or newer'],
    ['EIO=4&transport=polling', 'WebSocket only'],
    ['EIO=4&transport=websocket&sid=AAAA', 'is not allowed'],
  ])('returns a 400 with advice for %s', async (query, detail) => {
    const response = await rawCall(feed.gateway.url, handshake('', `/socket.io/?${query}`));

    expect(response).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/problem+json' },
      body: expect.stringContaining(detail),
    });
    expect(feed.handshakes).toEqual([]);
  });

  test.each([
    ['two Authorization headers', 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'],
    ['an unknown Connection token', 'Connection: X-Request-Id\r\n'],
    ['two hosts', 'Host: other\r\n'],
    ['a body', 'Content-Length: 5\r\n'],
  ])('returns a 400 with %s', async (_what, headers) => {
    expect(await rawCall(feed.gateway.url, handshake(headers))).toMatchObject({ status: 400 });
    expect(feed.handshakes).toEqual([]);
  });

  test.each(['https://evil.example', 'null', 'https://menu.example.com.evil.example', 'http://gateway.evil'])(
    'returns a 403 for the origin %s',
    async (origin) => {
      const response = await rawCall(feed.gateway.url, handshake(`Origin: ${origin}\r\n`));

      expect(response).toMatchObject({ status: 403, body: expect.stringContaining('"forbidden"') });
      expect(feed.handshakes).toEqual([]);
    },
  );
});

test.each(['https://menu.example.com', 'http://gateway', 'https://gateway', 'http://gateway:81'])(
  'a page from %s can open the feed',
  async (origin) => {
    expect((await feed.open(handshake(`Origin: ${origin}\r\n`))).text()).toContain('101');
  },
);

describe('limits for live feeds', () => {
  test('reject the next feed with a 503 at the total limit', async () => {
    const { gateway, open, countFeeds } = await startOther({ FEED_LIMIT: '2' }, acceptClient);
    const first = await open();
    await open();

    const refused = await rawCall(gateway.url, handshake());
    first.socket.destroy();
    await until(async () => (await countFeeds()) === 1, { what: 'the first feed to end' });
    const next = await open();

    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(next.text()).toContain('101');
  });

  test.each([
    { address: '192.0.2.1', sameNetwork: '192.0.2.1', otherNetwork: '192.0.2.2' },
    { address: '2001:db8::1', sameNetwork: '2001:db8::2', otherNetwork: '2001:db8:0:1::1' },
  ])(
    'reject $sameNetwork with a 429 at the limit for $address, but accept $otherNetwork',
    async ({ address, sameNetwork, otherNetwork }) => {
      const settings = { FEED_LIMIT_ADDRESS: '1', TRUSTED_PROXIES: 'loopback' };
      const { gateway, open } = await startOther(settings, acceptClient);
      const from = (client: string) => handshake(`X-Forwarded-For: ${client}\r\n`);
      await open(from(address));

      const refused = await rawCall(gateway.url, from(sameNetwork));
      const other = await open(from(otherNetwork));

      expect(refused).toMatchObject({ status: 429, body: expect.stringContaining('rate_limited') });
      expect(other.text()).toContain('101');
    },
  );

  test('let clients without a token displace only each other', async () => {
    // Accepts only the first client.
    let accepted = 0;
    const talk = (socket: Socket) => (accepted++ === 0 ? acceptClient(socket) : void socket.write(switchingProtocols));
    const settings = { FEED_PENDING_LIMIT_ADDRESS: '2', FEED_LIMIT_ADDRESS: '2', TRUSTED_PROXIES: 'loopback' };
    const { open, countFeeds } = await startOther(settings, talk);
    const from = (client: string) => handshake(`X-Forwarded-For: ${client}\r\n`);
    const live = await open(from('192.0.2.1'));
    const elsewhere = await open(from('192.0.2.2'));
    const silent = [await open(from('192.0.2.1')), await open(from('192.0.2.1'))];
    const closed = once(silent[0]?.socket as Socket, 'close');

    const next = await open(from('192.0.2.1'));
    await closed;

    expect(next.text()).toContain('101');
    expect(await until(async () => (await countFeeds()) === 4, { what: 'four sockets' })).toBe(true);
    expect([live, elsewhere, next].map(({ socket }) => socket.readyState)).toEqual(['open', 'open', 'open']);
  });

  test('close the oldest connection without a token at the total limit', async () => {
    const settings = { FEED_PENDING_LIMIT: '1', TRUSTED_PROXIES: 'loopback' };
    const { open } = await startOther(settings, (socket) => void socket.write(switchingProtocols));
    const first = await open(handshake('X-Forwarded-For: 192.0.2.1\r\n'));
    const closed = once(first.socket, 'close');

    const second = await open(handshake('X-Forwarded-For: 192.0.2.2\r\n'));
    await closed;

    expect(second.socket.readyState).toBe('open');
  });
});
