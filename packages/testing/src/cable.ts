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

const knockEveryMs = 5;

/**
 * A way to a server that can be broken, to be put between it and its client. Who comes while the server is away waits, and
 * is there in the moment in which it listens: no client of its own would be so early.
 */
export async function startCable(target: string): Promise<Cable> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  function bring(near: Socket): void {
    const far = connect(Number(url.port), url.hostname);
    const knockAgain = (): void => {
      far.destroy();
      if (!near.destroyed) setTimeout(() => bring(near), knockEveryMs);
    };
    far.once('error', knockAgain);
    far.once('connect', () => {
      far.off('error', knockAgain);
      keep(far);
      near.pipe(far).pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      if (near.destroyed) far.destroy();
    });
  }
  const server = createServer((near) => {
    keep(near);
    bring(near);
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
