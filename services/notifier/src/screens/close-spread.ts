import { setTimeout as sleep } from 'node:timers/promises';
import type { Sockets } from './wire.ts';

/** As if they were closed one after the other at this pace, where there are few. */
const paceMs = 10;
const stepMs = 50;

/**
 * Closes all sockets in random order, evenly over `windowMs`, or less where they are few, so that their clients do not
 * come back all at once. Until its turn comes each is served as before.
 */
export async function closeSpread(io: Sockets, windowMs: number): Promise<void> {
  const sockets = [...io.sockets.sockets.values()]
    .map((socket) => ({ socket, turn: Math.random() }))
    .toSorted((a, b) => a.turn - b.turn);
  const steps = Math.max(1, Math.ceil(Math.min(windowMs, sockets.length * paceMs) / stepMs));
  for (let step = 1; step <= steps; step++) {
    const [from, to] = [step - 1, step].map((count) => Math.round((sockets.length * count) / steps));
    for (const { socket } of sockets.slice(from, to)) socket.conn.close();
    if (step < steps) await sleep(stepMs);
  }
}
