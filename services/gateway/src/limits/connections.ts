import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, peerAddress } from '@comanda/shared/http/client-address';
import { hasBody } from '@comanda/shared/http/read-body';
import { tcpOf } from '@comanda/shared/http/serve';
import { createSocketQueues, dequeue } from '@comanda/shared/http/socket-queues';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';
import type { RequestState } from '../request-state.ts';

export type Connections = {
  /**
   * Counts a new connection by address. If the address has too many, closes its longest-idle connection, or the one with the
   * slowest response if none is idle.
   */
  onConnection: (socket: Socket) => void;
  /** Called when a request's headers are complete. The request stays unfinished until its body is complete too. */
  onRequest: (state: Pick<RequestState, 'req' | 'res' | 'client'>) => void;
  /** Called when a WebSocket handshake's headers are complete. */
  onHandshake: (req: IncomingMessage) => void;
};
type Options = {
  /** The limits for each address: how many connections may be open, and how many of them may have an incomplete request. */
  perAddress: { open: number; unfinished: number };
  /**
   * Returns true if an address is a trusted proxy. A proxy's connections carry many clients' requests, so only the requests are
   * counted.
   */
  isTrustedProxy: (address: string) => boolean;
};

/**
 * A connection. `network`: the network whose limits count the connection; undefined if no limit does. `unanswered`: how many of
 * its requests have no complete response yet; some clients send the next request early.
 */
type CountedSocket = Socket & { network?: string | undefined; unanswered?: number };

/**
 * Limits what one address can occupy without ever completing a request. A new connection counts as unfinished until its first
 * request is complete. The headers of later requests are not counted: Node reports them only once they are complete, and closes
 * the connection after 10 s. The limit for open connections covers this case.
 *
 * Honest clients send a request and read its response immediately. So the oldest connection is closed, not the newest. A client
 * that sends or reads slowly, or does not close its connections, loses its own connections. Other clients behind the same address
 * are not rejected.
 */
export function createConnections({ perAddress, isTrustedProxy }: Options): Connections {
  const open = createOpenCounter(perAddress.open);
  const unfinished = createSocketQueues({ perAddress: perAddress.unfinished });
  /** Connections that are waiting for their next request. */
  const idle = createSocketQueues();
  /** Connections with a complete request whose response is not complete yet. */
  const answering = createSocketQueues();

  /** Stops counting a connection as unfinished once its request is complete or has a response. */
  function settle(socket: CountedSocket): void {
    const { network, unanswered = 0 } = socket;
    if (network === undefined) return void dequeue(socket);
    const queue = unanswered > 0 ? answering : idle;
    if (!queue.has(socket)) queue.add(socket, network);
  }
  function release(socket: CountedSocket): void {
    dequeue(socket);
    if (socket.network !== undefined) open.remove(socket.network);
    socket.network = undefined;
  }
  function makeRoom(network: string): void {
    const oldest = idle.takeOldest(network) ?? answering.takeOldest(network);
    if (!oldest) return;
    release(oldest);
    oldest.destroy();
  }
  return {
    onConnection: (socket: CountedSocket) => {
      socket.once('close', () => release(socket));
      const address = peerAddress(socket);
      if (isTrustedProxy(address)) return;
      const network = networkOf(address);
      if (open.isFull(network)) makeRoom(network);
      if (!open.tryAdd(network)) {
        socket.destroy();
        return;
      }
      socket.network = network;
      unfinished.add(socket, network);
    },
    onRequest: ({ req, res, client }) => {
      const socket: CountedSocket = tcpOf(req.socket);
      if (socket.network !== undefined) {
        socket.unanswered = (socket.unanswered ?? 0) + 1;
        res.once('close', () => {
          socket.unanswered = (socket.unanswered ?? 1) - 1;
          if (!unfinished.has(socket)) settle(socket);
        });
      }
      if (!hasBody(req)) return settle(socket);
      // A connection's first request was already added when the connection was opened.
      if (!unfinished.has(socket)) unfinished.add(socket, networkOf(client.address));
      req.once('end', () => settle(socket));
    },
    onHandshake: ({ socket }) => void dequeue(tcpOf(socket)),
  };
}
