import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '@comanda/contracts/problem';
import { networkOf, peerAddress } from '@comanda/shared/http/client-address';
import { tcpOf } from '@comanda/shared/http/serve';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';
import { hasBody } from '../middleware/check-body.ts';
import type { RequestState } from '../request-state.ts';

export type Connections = {
  /** Counts a new connection of its address. Destroys it if there are too many, or too many with an unfinished request. */
  onConnection: (socket: Socket) => void;
  /**
   * The headers of a request are complete: it stays unfinished until its body is complete too.
   * @throws 429 `rate_limited` if its client has too many unfinished requests
   */
  onRequest: (state: Pick<RequestState, 'req' | 'client'>) => void;
  /** The headers of a WebSocket handshake are complete. */
  onHandshake: (req: IncomingMessage) => void;
};
type Options = {
  /** For each address: how many connections, and how many of them with a request that is not complete. */
  perAddress: { open: number; unfinished: number };
  /** Their connections carry requests of many clients, so only the requests are counted. */
  isTrustedProxy: (address: string) => boolean;
};

/** A field of the socket: a map of connections would keep closed ones in memory for a long time. */
type CountedSocket = Socket & { unfinishedOf?: string | undefined };

/**
 * Limits what one address can occupy without ever completing a request. A new connection is unfinished until its first
 * request is complete. The headers of a later request are not counted: Node tells nothing of them before they are
 * complete, and closes the connection after 10 s; the limit of open connections bounds them.
 */
export function createConnections({ perAddress, isTrustedProxy }: Options): Connections {
  const open = createOpenCounter(perAddress.open);
  const unfinished = createOpenCounter(perAddress.unfinished);

  function begin(socket: CountedSocket, network: string): boolean {
    if (!unfinished.tryAdd(network)) return false;
    socket.unfinishedOf = network;
    return true;
  }
  function finish(socket: CountedSocket): void {
    if (socket.unfinishedOf === undefined) return;
    unfinished.remove(socket.unfinishedOf);
    socket.unfinishedOf = undefined;
  }

  return {
    onConnection: (socket) => {
      socket.once('close', () => finish(socket));
      const address = peerAddress(socket);
      if (isTrustedProxy(address)) return;
      const network = networkOf(address);
      const isCounted = open.tryAdd(network);
      if (isCounted) socket.once('close', () => open.remove(network));
      if (!isCounted || !begin(socket, network)) socket.destroy();
    },
    onRequest: ({ req, client }) => {
      const socket: CountedSocket = tcpOf(req.socket);
      if (!hasBody(req)) return finish(socket);
      if (socket.unfinishedOf === undefined && !begin(socket, networkOf(client.address)))
        // Closed, so that the rest of the body is not waited for.
        throw problem('rate_limited', {}, { 'Retry-After': '5', Connection: 'close' });
      req.once('end', () => finish(socket));
    },
    onHandshake: ({ socket }) => finish(tcpOf(socket)),
  };
}
