import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Balancer = {
  url: string;
  /** Returns how many connections to instances were opened so far. */
  connected: () => number;
  /** Sends new connections only to these instances. */
  retarget: (targets: readonly string[]) => void;
  close: () => Promise<void>;
};

/**
 * Starts a round-robin TCP load balancer, which has one address for several instances. If an instance refuses a connection, the
 * balancer tries the next one. If all of them refuse, it closes the client's connection.
 */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let connected = 0;
  const toUrls = (of: readonly string[]): URL[] => of.map((target) => new URL(target));
  let urls = toUrls(targets);
  let connections = 0;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  function connectToFirst(client: Socket, [first, ...others]: readonly URL[]): void {
    if (!first) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: first.hostname, port: Number(first.port), noDelay: true });
    const tryNext = (): void => connectToFirst(client, others);
    upstream.once('error', tryNext);
    upstream.once('connect', () => {
      upstream.off('error', tryNext);
      connected++;
      track(upstream);
      client.pipe(upstream).pipe(client);
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      if (client.destroyed) upstream.destroy();
    });
  }
  const server = createServer({ noDelay: true }, (client) => {
    track(client);
    const first = connections++ % urls.length;
    connectToFirst(client, [...urls.slice(first), ...urls.slice(0, first)]);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connected: () => connected,
    retarget: (others) => {
      urls = toUrls(others);
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
