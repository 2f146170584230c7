import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral port range of every system, so that a restarted server finds its port free. */
const range = { from: 20_000, to: 32_000 };

/** Ports that this process has returned: their users may not listen yet. */
const reserved = new Set<number>();

/** Whether a server can listen on `port` now. */
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

/** A free port of 127.0.0.1: `preferred` if it is free, otherwise a random one. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (;;) {
    const port = randomInt(range.from, range.to);
    if (!reserved.has(port) && (await isFree(port))) {
      reserved.add(port);
      return port;
    }
  }
}
