import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The range is below every system's ephemeral ports, so a restarted server finds its port free. */
const range = { from: 20_000, to: 32_000 };

/** Returns true if a server can listen on `port` now. */
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
 * Returns a free port on 127.0.0.1, which is `preferred` if possible and otherwise random. No other call gets this port while
 * this process runs, not even in another process.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (;;) {
    const port = randomInt(range.from, range.to);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

/**
 * Reserves the UDP port with this number until this process exits. The process that gets the port may start to listen on TCP
 * seconds later.
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
