import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** This range is below the ephemeral ports of every system, so a server that restarts finds its port still free. */
const range = { from: 20_000, to: 32_000 };

/** Returns true if a server can currently listen on `port`. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ port, host }, resolve));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/**
 * Returns a free port on 127.0.0.1: `preferred` if possible, otherwise a random port. While this process runs, no other call of
 * this function returns the same port, not even in another process.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (;;) {
    const port = randomInt(range.from, range.to);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

/**
 * Reserves a TCP port until this process exits, by binding the UDP port with the same number. The server that gets the TCP port
 * may start to listen only seconds later.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  try {
    await once(socket, 'listening');
    return true;
  } catch (error) {
    socket.close();
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
