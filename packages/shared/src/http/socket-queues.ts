import type { Socket } from 'node:net';

/**
 * A socket's place in a queue. It is stored in a field of the socket. A map of sockets that changes with every request would keep
 * closed sockets in memory for a long time. Later places have a higher `order`.
 */
type Place = { socket: Socket; queue: Queue; order: number; older: Place | null; newer: Place | null };
type Queue = { all: AllQueues; network: string; length: number; oldest: Place | null; newest: Place | null };
type AllQueues = { byNetwork: Map<string, Queue>; length: number; lastOrder: number };
type QueuedSocket = Socket & { place?: Place | null };

export type SocketQueues = {
  /**
   * Moves the socket to the end of its network's queue. If there are then too many sockets, in this queue or in total, removes
   * and destroys the oldest of them.
   */
  add: (socket: Socket, network: string) => void;
  has: (socket: Socket) => boolean;
  /** Removes the socket and returns its network; null if the socket isn't in these queues. */
  remove: (socket: Socket) => string | null;
  /** Removes and returns the network's oldest socket; null if the network has none. */
  takeOldest: (network: string) => Socket | null;
};
/** How many sockets there may be per network, and in total. Without a limit, there may be any number. */
type Limits = { perAddress?: number; total?: number };

/**
 * Creates queues of sockets that wait for the same thing: one queue for each network, oldest socket first. A socket is in at most
 * one queue, even if this function is called several times. When the queues are full, the oldest socket is removed, not the
 * newest, because honest clients use a new socket immediately. A client that opens sockets and sends nothing loses only its own.
 */
export function createSocketQueues({ perAddress = Infinity, total = Infinity }: Limits = {}): SocketQueues {
  const all: AllQueues = { byNetwork: new Map(), length: 0, lastOrder: 0 };
  const has = ({ place }: QueuedSocket): boolean => place?.queue.all === all;

  return {
    add: (socket, network) => {
      dequeue(socket);
      const queue = enqueue(all, { socket, network });
      if (queue.length > perAddress) drop(queue.oldest);
      else if (all.length > total) drop(findOldest(all));
    },
    has,
    remove: (socket) => (has(socket) ? dequeue(socket) : null),
    takeOldest: (network) => {
      const socket = all.byNetwork.get(network)?.oldest?.socket ?? null;
      if (socket) dequeue(socket);
      return socket;
    },
  };
}

/** Removes a socket from its queue and returns its network; null if it is in no queue. */
export function dequeue(socket: QueuedSocket): string | null {
  const { place } = socket;
  if (!place) return null;
  socket.place = null;
  const { queue, older, newer } = place;
  if (older) older.newer = newer;
  else queue.oldest = newer;
  if (newer) newer.older = older;
  else queue.newest = older;
  queue.all.length--;
  if (--queue.length === 0) queue.all.byNetwork.delete(queue.network);
  return queue.network;
}

function enqueue(all: AllQueues, { socket, network }: { socket: QueuedSocket; network: string }): Queue {
  const queue = all.byNetwork.get(network) ?? { all, network, length: 0, oldest: null, newest: null };
  all.byNetwork.set(network, queue);
  const place: Place = { socket, queue, order: ++all.lastOrder, older: queue.newest, newer: null };
  if (queue.newest) queue.newest.newer = place;
  else queue.oldest = place;
  queue.newest = place;
  socket.place = place;
  queue.length++;
  all.length++;
  return queue;
}

/**
 * Finds the oldest place in all queues. This takes longer the more networks there are, but happens only when the queues are full.
 */
function findOldest({ byNetwork }: AllQueues): Place | null {
  let first: Place | null = null;
  for (const { oldest } of byNetwork.values()) if (oldest && oldest.order < (first?.order ?? Infinity)) first = oldest;
  return first;
}

function drop(place: Place | null): void {
  if (!place) return;
  dequeue(place.socket);
  place.socket.destroy();
}
