import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { problem } from '@comanda/contracts/problem';
import { networkOf, type Client, type ReadClient } from '@comanda/shared/http/client-address';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createLocalCounter } from '@comanda/shared/runtime/local-counter';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';

export type HandshakeLimiter = {
  /** Counts a handshake, and its socket until it closes. @throws 403 `tls_required`, 429 `rate_limited` */
  add: (req: IncomingMessage, socket: Socket) => void;
};
type Options = {
  readClient: ReadClient;
  /** @throws 403 `tls_required` */
  requireTls: (client: Client) => void;
  perAddress: { handshakesPerMinute: number; open: number };
  clock: Clock;
};

const minuteMs = 60_000;

/** Limits handshakes and open sockets of one address, as the gateway does: this port is open to clients too. */
export function createHandshakeLimiter(options: Options): HandshakeLimiter {
  const { readClient, requireTls, perAddress, clock } = options;
  const countHandshake = createLocalCounter({ windowMs: minuteMs, clock });
  const open = createOpenCounter(perAddress.open);
  return {
    add: (req, socket) => {
      const client = readClient(req);
      requireTls(client);
      const network = networkOf(client.address);
      const { count, endsAt } = countHandshake(network);
      if (count > perAddress.handshakesPerMinute) throw rateLimited(Math.ceil((endsAt - clock()) / 1000));
      if (!open.tryAdd(network)) throw rateLimited(5);
      socket.once('close', () => open.remove(network));
    },
  };
}

const rateLimited = (seconds: number) => problem('rate_limited', {}, { 'Retry-After': String(Math.max(1, seconds)) });
