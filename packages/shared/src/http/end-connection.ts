import type { Socket } from 'node:net';

/** How long a client may take to read the last bytes, and to close its side, before the connection is destroyed. */
const lingerMs = 1000;

/** Destroys a connection that is being closed, 1 s from now, whether or not the other side ever closes it too. */
export function endConnection(socket: Socket): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
