import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderingChanged } from '@comanda/testing/event-factories';
import type { FeedClient } from '@comanda/testing/feed-client';
import type { TestClaims } from '@comanda/testing/test-issuer';
import { startTcpProxy } from '@comanda/testing/tcp-proxy';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness({ SOCKETS_PER_USER: '3', ALLOWED_ORIGINS: 'https://kitchen.example' });
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

/** Connects like a browser on a page with this origin. */
const connectFrom = (origin: string): FeedClient =>
  harness.connectWith({ token: harness.token(staff) }, { extraHeaders: { origin } });

describe('the token', () => {
  test('is required for a connection', async () => {
    const refusal = await harness.connectWith({}).untilRefused();

    expect(refusal).toMatchObject({ code: 'authentication_required', status: 401 });
  });

  test('must be a string', async () => {
    const refusal = await harness.connectWith({ token: { $gt: '' } }).untilRefused();

    expect(refusal).toMatchObject({ code: 'authentication_required', status: 401 });
  });

  test.each([
    ['is not a JWT', () => 'not-a-jwt'],
    ['has expired', () => harness.token({ ...staff, lifetimeS: -10 })],
    ['comes from another issuer', () => harness.sign({ iss: 'other', aud: 'comanda', sub: '1', role: 'manager' })],
    ['is a step-up token', () => harness.sign({ sub: '1', endpoint_key: 'internal_transfer.create' })],
  ])('is rejected if it %s', async (_what, makeToken) => {
    const token = makeToken();

    const refusal = await harness.connectWith({ token }).untilRefused();

    expect(refusal).toMatchObject({ code: 'invalid_token', status: 401 });
    expect(JSON.stringify(refusal)).not.toContain(token);
  });

  test("is rejected if it's in the query string", async () => {
    const token = harness.token(staff);

    const refusal = await harness.connectWith({ token }, { query: { token } }).untilRefused();

    expect(refusal).toMatchObject({ code: 'invalid_token' });
  });

  test('is rejected if its user must first change their password', async () => {
    const refusal = await harness.connect({ ...staff, mustChangePassword: true }).untilRefused();

    expect(refusal).toMatchObject({ code: 'password_change_required', status: 403 });
  });
});

describe('the cursor', () => {
  test.each(['', 'x', 'a.b', '!', 'x'.repeat(5000), 7, {}, [], Buffer.from('12').toString('base64url')])(
    'is rejected if it is %p',
    async (after) => {
      const refusal = await harness.connect(staff, { after }).untilRefused();

      expect(refusal).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/after' }] });
    },
  );
});

describe("a page's origin", () => {
  test.each([
    ['this host on another port', 'http://127.0.0.1:3000'],
    ['in ALLOWED_ORIGINS', 'https://kitchen.example'],
  ])('is accepted if it is %s', async (_what, origin) => {
    const client = connectFrom(origin);

    await client.untilStatus('live');

    expect(client.refusals).toEqual([]);
  });

  test.each(['https://evil.example', 'http://kitchen.example', 'null'])('is rejected if it is %s', async (origin) => {
    const refusal = await connectFrom(origin).untilRefused();

    expect(refusal).toMatchObject({ code: 'forbidden', status: 403 });
  });
});

describe('a user at the limit of open sockets', () => {
  // Each test has its own user, because the service may not yet have noticed that sockets from an earlier test are closed.
  const first = { sub: 77, role: 'customer' } as const;
  const second = { ...first, sub: 78 };
  const other = { ...first, sub: 79 };
  const connectAsManyAsAllowed = async (user: TestClaims): Promise<FeedClient[]> => {
    const clients = [1, 2, 3].map(() => harness.connect(user));
    await Promise.all(clients.map((client) => client.untilStatus('live')));
    return clients;
  };

  test("can't open another one", async () => {
    await connectAsManyAsAllowed(first);

    const refusal = await harness.connect(first).untilRefused();

    expect(refusal).toMatchObject({ code: 'rate_limited' });
    await harness.connect(other).untilStatus('live');
  });

  test('can open another one after closing one of them', async () => {
    const clients = await connectAsManyAsAllowed(second);

    clients[0]?.close();

    const mayConnect = async (): Promise<boolean> => {
      const next = harness.connect(second);
      await until(() => next.notices.length > 0 || next.refusals.length > 0, { what: 'an answer' });
      return next.notices.length > 0;
    };
    await until(mayConnect, { what: 'a connection to be accepted' });
  });

  test('can replace unresponsive ones immediately', async () => {
    const user = { sub: 80, role: 'waiter' } as const;
    const network = await startTcpProxy(harness.url);
    const screen = harness.connect(user);
    const silent = [1, 2].map(() => harness.connect(user, { from: { ...harness, url: network.url } }));
    await Promise.all([screen, ...silent].map((client) => client.untilStatus('live')));
    network.freeze(true);

    const back = [1, 2].map(() => harness.connect(user));
    await Promise.all(back.map((client) => client.untilStatus('live', 3000)));

    expect(await harness.connect(user).untilRefused()).toMatchObject({ code: 'rate_limited' });
    expect([screen, ...back].map(({ socket, refusals }) => [socket.connected, refusals])).toEqual(
      [1, 2, 3].map(() => [true, []]),
    );
    await network.close();
  });
});

describe("a request that isn't a WebSocket handshake", () => {
  test.each(
    ['/socket.io/?EIO=4&transport=polling', '/socket.io', '/socket.io/?EIO=4&transport=websocket'].flatMap((path) => [
      ['GET', path],
      ['POST', path],
    ]),
  )('gets a 400 (%s %s)', async (method, path) => {
    const response = await fetch(harness.url + path, { method });

    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(await response.json()).toMatchObject({ code: 'upgrade_required', request_id: expect.any(String) });
  });

  test('gets an error if it uses polling', async () => {
    const socketOptions = { transports: ['polling'], reconnection: false };
    const client = harness.connectWith({ token: harness.token(staff) }, socketOptions);

    const error = await new Promise<Error>((resolve) => client.socket.on('connect_error', resolve));

    expect(error.message).toContain('xhr poll error');
  });

  test('gets a 404 if its path is unknown', async () => {
    const response = await fetch(`${harness.url}/socket.iox`);

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });
});

describe('hostile clients', () => {
  test('are disconnected after a packet larger than 16 KB', async () => {
    const other = harness.connect({ sub: 2, role: 'waiter' });
    const client = harness.connect({ sub: 3, role: 'waiter' });
    await Promise.all([other.untilStatus('live'), client.untilStatus('live')]);

    client.socket.emit('token', 'x'.repeat(17 * 1024));
    await client.untilClosed();

    await harness.publish(orderingChanged('still served'));
    await other.untilEvents(1);
  });

  test.each([
    [
      'an upgrade with missing headers',
      'GET /socket.io/ HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['bytes that are not HTTP', '\u0000'.repeat(100)],
  ])('are disconnected after %s', async (_what, bytes) => {
    const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
    socket.on('error', () => undefined); // a connection reset is acceptable too
    const closed = new Promise((resolve) => socket.on('close', resolve));

    socket.write(bytes);
    socket.resume();
    await closed;

    await harness.connect(staff).untilStatus('live');
  });
});
