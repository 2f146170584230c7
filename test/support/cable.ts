import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export type Cable = {
  /** As the target's, to be used instead of it. */
  url: string;
  /** Breaks all connections; new ones can be made at once. */
  cut: () => void;
  close: () => Promise<void>;
};

/** A way to a server that can be broken, to be put between it and its client. */
export async function startCable(target: string): Promise<Cable> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname);
    keep(near);
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const near = new URL(target);
  near.port = String((server.address() as AddressInfo).port);
  return {
    url: near.href,
    cut,
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
