import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './harness.ts';
import { startRawPeer } from './peer.ts';

export const feedTarget = '/socket.io/?EIO=4&transport=websocket';
export const websocketHeaders =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
/** Returns the bytes of a WebSocket handshake. `headers` are additional header lines. */
export const handshake = (headers = '', target = feedTarget): string =>
  `GET ${target} HTTP/1.1\r\nHost: gateway\r\n${websocketHeaders}${headers}\r\n`;
/** The response to an accepted handshake. */
export const switchingProtocols =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n';

/** Accepts the handshake and the client, as Socket.IO does for a valid token. */
export function acceptClient(socket: Socket): void {
  socket.write(Buffer.concat([Buffer.from(switchingProtocols), Buffer.from([0x81, 2]), Buffer.from('40')]));
}

type FeedClient = { socket: Socket; text: () => string };
export type FeedHarness = {
  gateway: GatewayHarness;
  /** The handshakes that the notifier has received, with their sockets. */
  handshakes: { head: string; socket: Socket }[];
  /** Creates a client and sends its handshake. */
  connect: (bytes?: string) => Promise<FeedClient>;
  /** Creates a client, sends its handshake and waits for the response. */
  open: (bytes?: string) => Promise<FeedClient>;
  countFeeds: () => Promise<number>;
  closeGateway: () => Promise<void>;
  close: () => Promise<void>;
};

/** Starts a gateway in front of a notifier that accepts every handshake and echoes bytes. `talk` replaces this behaviour. */
export async function startFeedHarness(
  settings: Record<string, string> = {},
  talk?: (socket: Socket) => void,
): Promise<FeedHarness> {
  const handshakes: FeedHarness['handshakes'] = [];
  const clients: Socket[] = [];
  const notifier = await startRawPeer((socket, head) => {
    handshakes.push({ head, socket });
    if (talk) return talk(socket);
    socket.write(switchingProtocols);
    socket.pipe(socket);
  });
  const gateway = await startGatewayHarness({ NOTIFIER_URL: notifier.url, UPSTREAM_TIMEOUT_MS: '5000', ...settings });
  let gatewayClosed: Promise<void> | null = null;

  const connectClient = async (bytes = handshake()): Promise<FeedClient> => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    clients.push(socket);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    return { socket, text: () => text };
  };
  const closeGateway = (): Promise<void> => (gatewayClosed ??= gateway.close());
  return {
    gateway,
    handshakes,
    connect: connectClient,
    open: async (bytes) => {
      const client = await connectClient(bytes);
      await until(() => client.text().includes('\r\n\r\n'), { what: 'the answer to the handshake' });
      return client;
    },
    countFeeds: async () => {
      const metrics = await fetch(`${gateway.metricsUrl}/metrics`).then((response) => response.text());
      return Number(/^live_feeds\{.*\} (\d+)/m.exec(metrics)?.[1]);
    },
    closeGateway,
    close: async () => {
      for (const socket of clients) socket.destroy();
      await closeGateway();
      await notifier.close();
    },
  };
}
