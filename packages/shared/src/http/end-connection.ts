import type { Socket } from 'node:net';

/**
 * How long a client has to read the last bytes and to close its side, in milliseconds. After that, the connection is destroyed.
 */
const lingerMs = 1000;

/** Destroys a closing connection after 1 s if the other side has not closed it by then. */
export function endConnection(socket: Socket): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
