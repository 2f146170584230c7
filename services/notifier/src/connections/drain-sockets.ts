import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedSocketServer } from './socket-types.ts';

const perSocketMs = 10;
const stepMs = 50;

/**
 * Closes all sockets in random order, evenly over `windowMs` or 10 ms for each socket, whichever is less, so that their
 * clients do not all reconnect at once. Each socket is served until its turn comes.
 */
export async function drainSockets(io: FeedSocketServer, windowMs: number): Promise<void> {
  const sockets = [...io.sockets.sockets.values()]
    .map((socket) => ({ socket, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order);
  const durationMs = Math.min(windowMs, sockets.length * perSocketMs);
  const startedAt = performance.now();
  let closed = 0;
  while (closed < sockets.length) {
    // By the time that has passed, not by steps: on a busy machine each step is late, and a drain that outlasts its
    // window is cut short, which closes all the remaining sockets at once.
    const elapsedMs = performance.now() - startedAt + stepMs;
    const due = elapsedMs < durationMs ? Math.ceil((sockets.length * elapsedMs) / durationMs) : sockets.length;
    for (const { socket } of sockets.slice(closed, due)) socket.conn.close();
    closed = due;
    if (closed < sockets.length) await sleep(stepMs);
  }
}
