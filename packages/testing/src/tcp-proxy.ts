import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough, type Transform } from 'node:stream';

type Options = {
  /** The port to listen on. By default a free port. */
  port?: number;
  /** Creates a stream that changes the bytes on a connection. By default they pass unchanged. */
  fromClient?: () => Transform;
  fromServer?: () => Transform;
};
export type TcpProxy = {
  /** The target's URL with the proxy's address in it. */
  url: string;
  /** Breaks all connections. New ones can be opened immediately. */
  breakConnections: () => void;
  /** Keeps connections open but stops all traffic on them, as when a server hangs. */
  freeze: (isFrozen: boolean) => void;
  close: () => Promise<void>;
};

const retryEveryMs = 5;

/**
 * Starts a TCP proxy that can break the connections between a server and its clients. While the server is down, new connections
 * wait. They open as soon as the server listens, which is before any client would retry.
 */
export async function startTcpProxy(target: string, options: Options = {}): Promise<TcpProxy> {
  const { port = 0, fromClient = () => new PassThrough(), fromServer = () => new PassThrough() } = options;
  const targetUrl = new URL(target);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  function connectToTarget(client: Socket): void {
    const upstream = connect(Number(targetUrl.port), targetUrl.hostname);
    const retry = (): void => {
      upstream.destroy();
      if (!client.destroyed) setTimeout(() => connectToTarget(client), retryEveryMs);
    };
    upstream.once('error', retry);
    upstream.once('connect', () => {
      upstream.off('error', retry);
      track(upstream);
      client.pipe(fromClient()).pipe(upstream);
      upstream.pipe(fromServer()).pipe(client);
      if (isFrozen) for (const socket of [client, upstream]) socket.pause();
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      if (client.destroyed) upstream.destroy();
    });
  }
  const server = createServer((client) => {
    track(client);
    connectToTarget(client);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const breakConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    breakConnections,
    freeze: (frozen) => {
      isFrozen = frozen;
      for (const socket of sockets)
        if (frozen) socket.pause();
        else socket.resume();
    },
    close: async () => {
      server.close();
      breakConnections();
      await once(server, 'close');
    },
  };
}
