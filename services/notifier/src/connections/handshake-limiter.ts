import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '@comanda/contracts/problem';
import { networkOf, type Client, type ReadClient } from '@comanda/shared/http/client-address';
import { checkFeedQuery, feedPath } from '@comanda/shared/http/feed-handshake';
import { createSocketQueues } from '@comanda/shared/http/socket-queues';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createLocalCounter } from '@comanda/shared/runtime/local-counter';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';

export type HandshakeLimiter = {
  /**
   * Counts a handshake, and adds its socket to the sockets without a token. If there are too many of those sockets, destroys the
   * one that has waited longest.
   * @throws 400 `upgrade_required`, `validation_failed`; 403 `tls_required`; 429 `rate_limited`
   */
  add: (req: IncomingMessage, socket: Socket) => void;
  /**
   * Call this once the client has sent a valid token. Counts the socket as one of its address's open sockets until it closes.
   * @throws 429 `rate_limited`
   */
  accept: (req: IncomingMessage) => void;
};
type Options = {
  readClient: ReadClient;
  /** @throws 403 `tls_required` */
  requireTls: (client: Client) => void;
  handshakesPerMinute: number;
  /** The maximum number of open sockets per address whose clients have sent a valid token. */
  openPerAddress: number;
  /** The maximum number of open sockets whose clients haven't sent a valid token yet, in total and per address. */
  pending: { total: number; perAddress: number };
  clock: Clock;
};

const minuteMs = 60_000;

/** Limits handshakes and open sockets per address, as the gateway does, because clients can reach this port directly too. */
export function createHandshakeLimiter(options: Options): HandshakeLimiter {
  const { readClient, requireTls, clock } = options;
  const countHandshake = createLocalCounter({ windowMs: minuteMs, clock });
  const pending = createSocketQueues(options.pending);
  const open = createOpenCounter(options.openPerAddress);
  const refuseIfFull = (network: string): void => {
    if (open.isFull(network)) throw rateLimited(5);
  };
  return {
    add: (req, socket) => {
      const client = readClient(req);
      requireTls(client);
      const network = networkOf(client.address);
      const { count, endsAt } = countHandshake(network);
      if (count > options.handshakesPerMinute) throw rateLimited(Math.ceil((endsAt - clock()) / 1000));
      checkFeedQuery(new URLSearchParams((req.url ?? '').slice(feedPath.length)));
      refuseIfFull(network);
      pending.add(socket, network);
      socket.once('close', () => pending.remove(socket));
    },
    accept: ({ socket }) => {
      const network = pending.remove(socket);
      if (network === null) return; // the socket has already closed
      refuseIfFull(network);
      open.tryAdd(network);
      socket.once('close', () => open.remove(network));
    },
  };
}

const rateLimited = (seconds: number) => problem('rate_limited', {}, { 'Retry-After': String(Math.max(1, seconds)) });
