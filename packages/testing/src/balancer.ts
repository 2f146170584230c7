import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export type Balancer = {
  url: string;
  /** When each connection was made that found somebody to serve it, in milliseconds of this process's clock. */
  served: readonly number[];
  close: () => Promise<void>;
};

/** One address for several instances: each connection goes to the next one in turn that takes it, or is broken. */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const served: number[] = [];
  const urls = targets.map((target) => new URL(target));
  let turn = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  function serve(near: Socket, [first, ...others]: readonly URL[]): void {
    if (!first) {
      near.destroy();
      return;
    }
    const far = connect({ host: first.hostname, port: Number(first.port), noDelay: true });
    const next = (): void => serve(near, others);
    far.once('error', next);
    far.once('connect', () => {
      far.off('error', next);
      served.push(performance.now());
      keep(far);
      near.pipe(far).pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      if (near.destroyed) far.destroy();
    });
  }
  const server = createServer({ noDelay: true }, (near) => {
    keep(near);
    const first = turn++ % urls.length;
    serve(near, [...urls.slice(first), ...urls.slice(0, first)]);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
