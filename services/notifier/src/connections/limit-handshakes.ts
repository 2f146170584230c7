import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '@comanda/contracts/problem';
import { networkOf, type ReadClient } from '@comanda/shared/http/client-address';
import { sendRawResponse } from '@comanda/shared/http/raw-response';
import { readRequestId } from '@comanda/shared/http/request-context';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { HandshakeLimiter } from './handshake-limiter.ts';

type Options = { limiter: HandshakeLimiter; readClient: ReadClient; logger: Logger };

/** Rejects handshakes before Socket.IO sees them. */
export function limitHandshakes(server: Server, { limiter, readClient, logger }: Options): void {
  type OnUpgrade = (req: IncomingMessage, socket: Socket, head: Buffer) => void;
  const upgradeListeners = server.listeners('upgrade') as OnUpgrade[];
  server.removeAllListeners('upgrade');
  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    try {
      limiter.add(req, socket);
      for (const listener of upgradeListeners) listener(req, socket, head);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { status, code } = error;
      const requestId = readRequestId(req);
      const network = networkOf(readClient(req).address);
      logger.info({ request_id: requestId, status, code, network }, 'live feed refused');
      sendRawResponse(socket, error, requestId);
    }
  });
}
