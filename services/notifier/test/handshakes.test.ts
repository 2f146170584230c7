import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';
import { handshakeFrom, openMuteClient } from './support/mute-client.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterAll(() => harness.close());

/** Opens a socket without a token. Returns the socket and the response status. */
async function openSocket(url: string, address: string): Promise<{ socket: Socket; status: number }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(handshakeFrom(address));
  const [response] = (await once(socket, 'data')) as [Buffer];
  return { socket, status: Number(response.toString('latin1').split(' ')[1]) };
}

describe("the notifier's public port", () => {
  test('returns a 429 for too many handshakes from one address', async () => {
    const { url } = await harness.startInstance({ RATE_LIMIT_FEED: '2' });
    const statuses: number[] = [];
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1']) {
      const { socket, status } = await openSocket(url, address);
      statuses.push(status);
      socket.destroy();
    }

    expect(statuses).toEqual([101, 101, 429, 101]);
  });

  test('returns a 429 for too many sockets from one address', async () => {
    const instance = await harness.startInstance({ FEED_LIMIT_ADDRESS: '1' });
    await harness.connect(staff, { from: instance }).untilStatus('live');

    const refused = await rawCall(instance.url, handshakeFrom('127.0.0.1'));
    const other = await openSocket(instance.url, '192.0.2.2');

    expect(refused).toMatchObject({ status: 429, body: expect.stringContaining('rate_limited') });
    expect(other.status).toBe(101);
    expect(harness.log()).toContainEqual(
      expect.stringMatching(/"status":429,"code":"rate_limited","network":"127\.0\.0\.1".*"live feed refused"/),
    );
    other.socket.destroy();
  });

  test("reserves a quarter of an address's sockets for staff", async () => {
    const instance = await harness.startInstance({ FEED_LIMIT_ADDRESS: '4' });
    const guest = (sub: number) => harness.connect({ sub, role: 'customer' }, { from: instance });
    const first = guest(1);
    await Promise.all([first, guest(2), guest(3)].map((client) => client.untilStatus('live')));

    const refusal = await guest(4).untilRefused();

    expect(refusal).toMatchObject({ code: 'rate_limited' });
    expect(harness.log()).toContainEqual(
      expect.stringMatching(/"status":429,"code":"rate_limited","network":"127\.0\.0\.1".*"connection refused"/),
    );
    const kitchen = harness.connect(staff, { from: instance });
    await kitchen.untilStatus('live');
    kitchen.close();
    first.close();
    const mayConnect = async (): Promise<boolean> => {
      const next = guest(5);
      await until(() => next.notices.length > 0 || next.refusals.length > 0, { what: 'an answer' });
      return next.notices.length > 0;
    };
    await until(mayConnect, { what: 'the place of a guest to be free' });
  });
});

describe('a handshake that Engine.IO would reject only after the WebSocket is open', () => {
  test.each([
    ['is from Socket.IO 2', 'EIO=3&transport=websocket', 'must be 4'],
    ['has no version', 'transport=websocket', 'must be 4'],
    ['has no transport', 'EIO=4', 'WebSocket only'],
    ["has another socket's id", 'EIO=4&transport=websocket&sid=AAAA', 'is not allowed'],
  ])('gets a 400 if it %s', async (_what, query, detail) => {
    const response = await rawCall(harness.url, handshakeFrom('192.0.2.3', `/socket.io/?${query}`), { until: 'close' });

    expect(response).toMatchObject({
      status: 400,
      end: 'complete',
      headers: { 'content-type': 'application/problem+json' },
      body: expect.stringContaining(detail),
    });
  });

  test.each(['/socket.io?EIO=4&transport=websocket', '/socket.io/x?EIO=4&transport=websocket'])(
    'is treated as an ordinary request at %s',
    async (target) => {
      const response = await rawCall(harness.url, handshakeFrom('192.0.2.3', target));

      expect(response).toMatchObject({ status: 400, body: expect.stringContaining('upgrade_required') });
    },
  );
});

describe("a client that doesn't respond when its socket is closed", () => {
  test('soon loses its sockets without a token, which frees connections for kitchen screens', async () => {
    const limits = { FEED_LIMIT_ADDRESS: '4', FEED_PENDING_LIMIT_ADDRESS: '3' };
    const instance = await harness.startInstance(limits);
    const clients = await Promise.all([1, 2, 3, 4].map(() => openMuteClient(instance.url)));

    await harness.connect(staff, { from: instance }).untilStatus('live', 2000);

    await Promise.all(clients.map(({ untilGone }) => untilGone()));
  });

  test('loses its connection after any error that closes a socket', async () => {
    const live = `40${JSON.stringify({ token: harness.token(staff) })}`;
    const ofAnother = harness.token({ sub: 77, role: 'waiter' });
    const packets: Record<string, readonly string[]> = {
      'a token that is not valid': ['40{"token":"x"}'],
      'a second token before the answer to the first': ['40{"token":"x"}', '40{"token":"y"}'],
      'what is no packet': ['x'],
      'that it leaves': [live, '41'],
      'an event that is not known': [live, '42["x"]'],
      'a token of another user': [live, `42["token","${ofAnother}"]`],
    };
    const send = async ([what, [first = '', second]]: [string, readonly string[]]): Promise<void> => {
      const client = await openMuteClient(harness.url);
      client.send(first);
      if (first === live) await until(() => client.text().includes('"live"'), { what: 'the feed' });
      if (second) client.send(second);
      await client.untilGone(what);
    };

    await Promise.all(Object.entries(packets).map(send));
  });

  test("doesn't delay its instance's shutdown", async () => {
    const instance = await harness.startInstance();
    const { send, text, untilGone } = await openMuteClient(instance.url);
    send(`40${JSON.stringify({ token: harness.token(staff) })}`);
    await until(() => text().includes('"live"'), { what: 'the feed' });

    await Promise.all([instance.close(), untilGone()]);
  });
});
