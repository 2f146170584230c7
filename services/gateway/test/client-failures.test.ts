import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { echo } from './support/peer.ts';

let gateway: GatewayHarness;
/** Starts a gateway for all tests in a `describe` and closes it afterwards. */
function useGateway(timeoutMs: number): void {
  beforeAll(async () => {
    gateway = await startGatewayHarness({ UPSTREAM_TIMEOUT_MS: String(timeoutMs) });
  });
  beforeEach(() => {
    gateway.peer.arrived = [];
    gateway.peer.response = echo;
    gateway.lines.length = 0;
  });
  afterAll(() => gateway.close());
}

const host = 'Host: gateway\r\n';
const read = `GET /menu HTTP/1.1\r\n${host}\r\n`;
const write = `POST /auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
const neverAnswer = (): void => undefined;

function send(bytes: string): Socket {
  const { port } = new URL(gateway.url);
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
  socket.on('error', () => socket.destroy());
  return socket;
}
/** Waits until the service has seen the abort and the gateway has logged the request without an error. */
async function expectAbortWithoutError(): Promise<void> {
  await until(() => gateway.peer.arrived[0]?.aborted, { what: 'the service to see the abort' });
  await until(() => gateway.lines.some(({ msg }) => msg === 'request'), { what: 'the request line' });
  expect(gateway.lines.filter(({ level }) => level === 'error')).toEqual([]);
}

describe('a request', () => {
  useGateway(60_000); // long enough that no request times out

  const requests = [
    ['a read', read],
    ['a write', write],
  ] as const;
  const leave = {
    closes: (socket: Socket) => void socket.destroy(),
    resets: (socket: Socket) => void socket.resetAndDestroy(),
  };
  const cases = requests.flatMap(([what, bytes]) =>
    (['closes', 'resets'] as const).map((how) => ({ what, bytes, how })),
  );

  test.each(cases)(
    'is aborted at the service if its client $how the connection after sending $what',
    async ({ bytes, how }) => {
      gateway.peer.response = neverAnswer;
      const socket = send(bytes);
      await until(() => gateway.peer.arrived.length > 0, { what: 'the request to arrive' });

      leave[how](socket);

      await expectAbortWithoutError();
    },
  );

  test.each(['closes', 'resets'] as const)(
    "isn't forwarded to a service if the client %s its connection while sending the body",
    async (how) => {
      const socket = send(write.slice(0, -2).replace(host, `${host}Expect: 100-continue\r\n`));
      await once(socket, 'data'); // 100 Continue shows that the gateway has received the headers
      socket.write('{');

      leave[how](socket);

      await until(() => gateway.lines.some(({ msg }) => msg === 'request'), { what: 'the request line' });
      expect(gateway.lines.filter(({ level }) => level === 'error')).toEqual([]);
      expect(gateway.peer.arrived).toEqual([]);
    },
  );

  test('is aborted at the service if its client closes the connection during the response', async () => {
    gateway.peer.response = (_req, res) => void res.writeHead(200).write('half of it');
    const socket = send(read);
    await once(socket, 'data');

    socket.destroy();

    await expectAbortWithoutError();
  });
});

describe('a slow client', () => {
  const timeoutMs = 400;
  useGateway(timeoutMs);

  test('gets its response even if it takes longer than the time limit to send its body', async () => {
    const response = await rawCall(gateway.url, write.slice(0, -1), {
      afterwards: (socket) => void setTimeout(() => socket.write('}'), timeoutMs * 2.5),
    });

    expect(response).toMatchObject({ status: 200 });
  });

  test('slows the service down, so that the gateway buffers little', async () => {
    const size = 64 * 1024 * 1024;
    const chunk = Buffer.alloc(64 * 1024, 'a');
    let sent = 0;
    gateway.peer.response = (_req, res) => {
      res.writeHead(200, { 'content-length': size });
      const sendMore = (): void => {
        while (sent < size) {
          sent += chunk.length;
          if (!res.write(chunk)) return void res.once('drain', sendMore);
        }
        res.end();
      };
      sendMore();
    };
    const memoryBefore = process.memoryUsage().arrayBuffers;
    const socket = send(read);
    await once(socket, 'readable');

    // Reads nothing until the service has waited longer than the time limit.
    let sentBefore = -1;
    const isServiceWaiting = (): boolean => {
      const waits = sent > 0 && sent === sentBefore;
      sentBefore = sent;
      return waits;
    };
    await until(isServiceWaiting, { what: 'the service to wait' });
    await delay(timeoutMs * 1.5);
    const sentWhileWaiting = sent;
    const memoryWhileWaiting = process.memoryUsage().arrayBuffers - memoryBefore;
    let received = 0;
    socket.on('data', (data) => (received += data.length));
    await until(() => received > size, { what: 'the whole response' });
    socket.destroy();

    expect(sentWhileWaiting).toBeLessThan(size / 2);
    expect(memoryWhileWaiting).toBeLessThan(24 * 1024 * 1024);
    expect(gateway.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is disconnected when it stops reading', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    gateway.peer.response = (_req, res) => {
      res.writeHead(200);
      const sendMore = (): void => {
        while (!res.destroyed && res.write(chunk));
        res.once('drain', sendMore);
      };
      sendMore();
    };

    const socket = send(read);

    await until(() => gateway.peer.arrived[0]?.aborted, { what: 'the abort' });
    socket.destroy();
  });
});
