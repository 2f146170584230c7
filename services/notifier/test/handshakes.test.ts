import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterAll(() => harness.close());

const handshakeFrom = (address: string): string =>
  [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    'Host: notifier',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `X-Forwarded-For: ${address}`,
    '',
    '',
  ].join('\r\n');
/** A socket without a token, and the status of the answer. */
async function openSocket(url: string, address: string): Promise<{ socket: Socket; status: number }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(handshakeFrom(address));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return { socket, status: Number(answer.toString('latin1').split(' ')[1]) };
}

/** The first byte of the frame that closes a WebSocket, and such a frame of a client. */
const closeFrame = 0x88;
const closeAnswer = Buffer.from([closeFrame, 0x80, 0, 0, 0, 0]);

describe('the public port of the notifier', () => {
  test('when an address sends handshakes without end, then they get 429, and those of others are accepted', async () => {
    const { url } = await harness.startInstance({ RATE_LIMIT_FEED: '2' });
    const statuses: number[] = [];
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1']) {
      const { socket, status } = await openSocket(url, address);
      statuses.push(status);
      socket.destroy();
    }

    expect(statuses).toEqual([101, 101, 429, 101]);
  });

  test('when an address has as many sockets as allowed, then the next is 429, and one elsewhere is accepted', async () => {
    const { url } = await harness.startInstance({ FEED_LIMIT_ADDRESS: '1' });
    const first = await openSocket(url, '192.0.2.1');

    const refused = await rawCall(url, handshakeFrom('192.0.2.1'));
    const other = await openSocket(url, '192.0.2.2');

    expect(refused).toMatchObject({ status: 429, body: expect.stringContaining('rate_limited') });
    expect([first.status, other.status]).toEqual([101, 101]);
    expect(harness.log()).toContainEqual(
      expect.stringMatching(/"status":429,"code":"rate_limited","network":"192\.0\.2\.1".*"live feed refused"/),
    );
    for (const { socket } of [first, other]) socket.destroy();
  });

  test('when one phone is many guests and has three quarters of the sockets of its address, then the rest is for staff', async () => {
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

  test('when a socket sends no token, then it is closed before the first ping', async () => {
    const { socket } = await openSocket(harness.url, '192.0.2.1');
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      // As every browser does. Without this answer, the notifier would wait 30 s for it before it ends the connection.
      if (bytes.includes(closeFrame)) socket.write(closeAnswer);
    });

    await once(socket, 'close');

    // The notifier pings after 10 s, and then every 10 s: `2`.
    expect(text).not.toContain('\u0081\u00012');
  });
});
