import type { Socket } from 'node:net';

export type PendingSockets = {
  /** Adds a socket. If there are too many, destroys the one that has waited longest. */
  add: (socket: Socket, network: string) => void;
  /** Removes a socket and returns its network; null if it is not pending. */
  remove: (socket: Socket) => string | null;
};

/**
 * Creates a registry for sockets of the live feed that have not sent a valid token yet. A client sends its token immediately, so
 * the socket that has waited longest is the least likely to send one. A client that opens sockets and sends nothing loses only
 * its own sockets.
 */
export function createPendingSockets(limits: { total: number; perAddress: number }): PendingSockets {
  /** The networks of the pending sockets, oldest socket first. */
  const all = new Map<Socket, string>();
  const byNetwork = new Map<string, Set<Socket>>();

  function remove(socket: Socket): string | null {
    const network = all.get(socket);
    if (network === undefined) return null;
    const own = byNetwork.get(network);
    own?.delete(socket);
    if (own?.size === 0) byNetwork.delete(network);
    all.delete(socket);
    return network;
  }
  function drop([oldest]: Iterable<Socket>): void {
    if (!oldest) return;
    remove(oldest);
    oldest.destroy();
  }
  return {
    add: (socket, network) => {
      const own = byNetwork.get(network) ?? new Set();
      if (own.size >= limits.perAddress) drop(own);
      else if (all.size >= limits.total) drop(all.keys());
      byNetwork.set(network, own.add(socket));
      all.set(socket, network);
    },
    remove,
  };
}
