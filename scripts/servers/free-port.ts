import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below every system's range of outgoing connections: a server that is killed finds its port free when it comes back. */
const range = { from: 20_000, to: 32_000 };

/** What this process has promised to somebody who may not listen yet. */
const given = new Set<number>();

/** Whether `port` can be listened on now. */
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

/** A port of 127.0.0.1 that nobody listens on; `preferred` if it is one. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (;;) {
    const port = randomInt(range.from, range.to);
    // eslint-disable-next-line no-await-in-loop -- one after the other until one is free
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return port;
    }
  }
}
