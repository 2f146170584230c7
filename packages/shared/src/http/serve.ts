import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { problem, problemBody } from '../contracts/problems.ts';

/** Takes over connections whose requests `accepts`; any other `Upgrade` header is passed over [RFC 9110, 7.8]. */
export type UpgradeHandler = {
  accepts: (req: IncomingMessage) => boolean;
  handle: (req: IncomingMessage, socket: Socket, head: Buffer) => void;
};
type Place = { port: number; host: string; upgrade?: UpgradeHandler };
export type Listening = { url: string; server: Server; close: () => Promise<void> };

/** What HTTP itself refuses (bad framing, headers too large, too slow) is problem+json as well. */
function refuseRaw(error: NodeJS.ErrnoException, socket: NodeJS.Socket & { bytesWritten?: number }): void {
  if (error.code === 'ECONNRESET' || !('writable' in socket && socket.writable)) {
    if ('destroy' in socket) (socket as { destroy: () => void }).destroy();
    return;
  }
  const detail =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The headers are larger than 16 KB.'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request was not complete in time.'
        : 'The request is not HTTP/1.1.';
  const body = JSON.stringify(problemBody(problem('malformed_request', { detail }), crypto.randomUUID()));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/**
 * Listens on `port` (0 picks one). A request must be complete within 30 s, its headers within 10 s and 16 KB.
 * `close` takes no new connection and waits for requests in flight.
 */
export async function serve(app: RequestListener, { port, host, upgrade }: Place): Promise<Listening> {
  const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
  const server = createServer({ ...limits, ...(upgrade && { shouldUpgradeCallback: upgrade.accepts }) }, app);
  server.on('clientError', refuseRaw);
  // A connection of a `node:http` server is a `net.Socket`.
  if (upgrade) server.on('upgrade', (req, socket, head) => upgrade.handle(req, socket as Socket, head));
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${actual}`,
    server,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}
