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
  const steps = Math.max(1, Math.ceil(Math.min(windowMs, sockets.length * perSocketMs) / stepMs));
  for (let step = 1; step <= steps; step++) {
    const [from, to] = [step - 1, step].map((count) => Math.round((sockets.length * count) / steps));
    for (const { socket } of sockets.slice(from, to)) socket.conn.close();
    if (step < steps) await sleep(stepMs);
  }
}
