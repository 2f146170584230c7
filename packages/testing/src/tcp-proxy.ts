import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough, type Transform } from 'node:stream';

type Options = {
  /** The port to listen on. By default a free port. */
  port?: number;
  /** Creates a stream through which a connection's bytes from the client pass. By default, they pass unchanged. */
  fromClient?: () => Transform;
  fromServer?: () => Transform;
};
export type TcpProxy = {
  /** The URL of the target, but with the proxy's address. */
  url: string;
  /** Breaks all open connections. New connections can be opened immediately. */
  breakConnections: () => void;
  /** Stops or resumes all traffic. Connections stay open, as if the server hung. */
  freeze: (isFrozen: boolean) => void;
  close: () => Promise<void>;
};

const retryEveryMs = 5;

/**
 * Starts a TCP proxy that can break the connections between a server and its clients. While the server is down, new connections
 * wait. They are established as soon as the server listens again, which is sooner than clients would retry.
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
