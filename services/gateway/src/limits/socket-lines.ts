import type { Socket } from 'node:net';

/**
 * A socket's place in a queue. It is a field on the socket, because a map of connections would keep closed ones in memory for a
 * long time.
 */
type Place = { socket: Socket; line: Line; older: Place | null; newer: Place | null };
type Line = { of: SocketLines; length: number; oldest: Place | null; newest: Place | null; end: () => void };
type PlacedSocket = Socket & { place?: Place | null };

export type SocketLines = {
  /** Moves the socket to the end of its network's queue, and returns that queue's length. */
  add: (socket: Socket, network: string) => number;
  has: (socket: Socket) => boolean;
  /** Removes and returns the network's socket that was added first; null if there is none. */
  takeOldest: (network: string) => Socket | null;
};

/** Removes a socket from its queue, if it is in a queue. */
export function leaveLine(socket: PlacedSocket): void {
  const { place } = socket;
  if (!place) return;
  socket.place = null;
  const { line, older, newer } = place;
  if (older) older.newer = newer;
  else line.oldest = newer;
  if (newer) newer.older = older;
  else line.newest = older;
  if (--line.length === 0) line.end();
}

/** Creates queues of sockets, one per network, oldest first. A socket is in at most one queue. */
export function createSocketLines(): SocketLines {
  const lines = new Map<string, Line>();
  const newLine = (network: string): Line => ({
    of: all,
    length: 0,
    oldest: null,
    newest: null,
    end: () => lines.delete(network),
  });
  const all: SocketLines = {
    add: (socket: PlacedSocket, network) => {
      leaveLine(socket);
      const line = lines.get(network) ?? newLine(network);
      lines.set(network, line);
      const place: Place = { socket, line, older: line.newest, newer: null };
      if (line.newest) line.newest.newer = place;
      else line.oldest = place;
      line.newest = place;
      socket.place = place;
      return ++line.length;
    },
    has: ({ place }: PlacedSocket) => place?.line.of === all,
    takeOldest: (network) => {
      const socket = lines.get(network)?.oldest?.socket ?? null;
      if (socket) leaveLine(socket);
      return socket;
    },
  };
  return all;
}
