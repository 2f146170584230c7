import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineSocket } from './socket-types.ts';

/**
 * Reserves a place under `key` until the socket closes. Resolves to false if none is free. At the limit, pings all sockets that
 * have a place, and closes the oldest one that doesn't respond within a second. Sockets that respond are never closed.
 */
export type TakePlace = (key: string, socket: EngineSocket) => Promise<boolean>;

/**
 * How long a socket may take to respond, in milliseconds: longer than a response takes on a bad connection, and shorter than the
 * time allowed for accepting a client.
 */
const answerWithinMs = 1000;

/**
 * Allows at most `max` sockets per key. Unresponsive sockets must give up their places: if a network fails silently, its sockets
 * stay open, and its screens open new sockets long before the old ones miss a heartbeat.
 */
export function createPlaces(max: number): TakePlace {
  /** Sockets by key, in the order in which they were added. */
  const byKey = new Map<string, Set<EngineSocket>>();
  const searches = new Map<string, Promise<EngineSocket[]>>();
  const socketsOf = (key: string): ReadonlySet<EngineSocket> => byKey.get(key) ?? new Set();
  const isFull = (key: string): boolean => socketsOf(key).size >= max;

  /** Finds unresponsive sockets. Concurrent calls for a key share one search. */
  function findSilent(key: string): Promise<EngineSocket[]> {
    const current = searches.get(key);
    if (current) return current;
    const search = askForAnswers([...socketsOf(key)]).finally(() => searches.delete(key));
    searches.set(key, search);
    return search;
  }
  function add(key: string, socket: EngineSocket): void {
    const sockets = byKey.get(key) ?? new Set();
    byKey.set(key, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && byKey.get(key) === sockets) byKey.delete(key);
    });
  }
  return async (key, socket) => {
    if (isFull(key)) {
      const silent = await findSilent(key);
      if (isFull(key)) silent.find((each) => socketsOf(key).has(each))?.close(true);
    }
    if (isFull(key) || socket.readyState !== 'open') return false;
    add(key, socket);
    return true;
  };
}

/** Pings the sockets and returns those that don't respond. Every WebSocket client responds automatically [RFC 6455, 5.5.3]. */
async function askForAnswers(sockets: readonly EngineSocket[]): Promise<EngineSocket[]> {
  const asked = sockets.map((socket) => ({ socket, bytesRead: bytesReadFrom(socket) }));
  for (const socket of sockets) ping(socket);
  await sleep(answerWithinMs);
  return asked.filter(({ socket, bytesRead }) => bytesReadFrom(socket) === bytesRead).map(({ socket }) => socket);
}
const bytesReadFrom = ({ request }: EngineSocket): number => request.socket.bytesRead;
/** Sends a WebSocket ping, which engine.io's types hide. */
const ping = ({ transport }: EngineSocket): void =>
  (transport as unknown as { socket: { ping: () => void } }).socket.ping();
