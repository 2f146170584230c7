import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, peerAddress } from '@comanda/shared/http/client-address';
import { tcpOf } from '@comanda/shared/http/serve';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';
import { hasBody } from '@comanda/shared/http/read-body';
import type { RequestState } from '../request-state.ts';
import { createSocketLines, leaveLine } from './socket-lines.ts';

export type Connections = {
  /**
   * Counts a new connection of its address. If there are too many, the one that has been without a request for longest gives
   * way or, if each has one, the one whose answer has taken longest.
   */
  onConnection: (socket: Socket) => void;
  /** The headers of a request are complete: it stays unfinished until its body is complete too. */
  onRequest: (state: Pick<RequestState, 'req' | 'res' | 'client'>) => void;
  /** The headers of a WebSocket handshake are complete. */
  onHandshake: (req: IncomingMessage) => void;
};
type Options = {
  /** For each address: how many connections, and how many of them with a request that is not complete. */
  perAddress: { open: number; unfinished: number };
  /** Their connections carry requests of many clients, so only the requests are counted. */
  isTrustedProxy: (address: string) => boolean;
};

/** `network`: for which it is counted. `unanswered`: its requests without a whole answer; some clients send the next before. */
type CountedSocket = Socket & { network?: string | undefined; unanswered?: number };

/**
 * Limits what one address can occupy without ever completing a request. A new connection is unfinished until its first
 * request is complete. The headers of a later request are not counted: Node tells nothing of them before they are
 * complete, and closes the connection after 10 s; the limit of open connections bounds them.
 *
 * A client sends its request at once, and reads the answer at once. So the oldest gives way, not the newest: who sends or reads
 * slowly, or holds connections open, loses their own, and refuses nobody behind the same address.
 */
export function createConnections({ perAddress, isTrustedProxy }: Options): Connections {
  const open = createOpenCounter(perAddress.open);
  const unfinished = createSocketLines();
  /** Without a request, between two of them. */
  const idle = createSocketLines();
  /** With a complete request, until the client has the whole answer. */
  const answering = createSocketLines();

  function beginRequest(socket: Socket, network: string): void {
    if (unfinished.add(socket, network) > perAddress.unfinished) unfinished.takeOldest(network)?.destroy();
  }
  /** The request is complete, or its answer is. */
  function settle(socket: CountedSocket): void {
    const { network, unanswered = 0 } = socket;
    if (network === undefined) return leaveLine(socket);
    const line = unanswered > 0 ? answering : idle;
    if (!line.has(socket)) line.add(socket, network);
  }
  function release(socket: CountedSocket): void {
    leaveLine(socket);
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
      beginRequest(socket, network);
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
      // A first request stands there already, since its connection came.
      if (!unfinished.has(socket)) beginRequest(socket, networkOf(client.address));
      req.once('end', () => settle(socket));
    },
    onHandshake: ({ socket }) => leaveLine(tcpOf(socket)),
  };
}
