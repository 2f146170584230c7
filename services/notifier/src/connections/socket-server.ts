import type { Server as HttpServer } from 'node:http';
import { Server, type ServerOptions } from 'socket.io';
import { endConnection } from '@comanda/shared/http/end-connection';
import type { EngineSocket, FeedSocketServer } from './socket-types.ts';

/** What may differ without another way of reading or writing packets. Times are in milliseconds. */
export type SocketServerOptions = Pick<
  ServerOptions,
  'path' | 'transports' | 'maxHttpBufferSize' | 'connectTimeout' | 'pingInterval' | 'pingTimeout'
>;

/** The Socket.IO server of the feed, on this HTTP server. */
export function createSocketServer(server: HttpServer, options: SocketServerOptions): FeedSocketServer {
  const io: FeedSocketServer = new Server(server, {
    ...options,
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
  });
  writeFlushesAtOnce(io);
  endClosedConnections(io);
  return io;
}

/** `ws` would wait 30 s for a client that does not answer the frame that closes its socket. */
function endClosedConnections({ engine }: FeedSocketServer): void {
  engine.on('connection', (conn: EngineSocket) => conn.once('close', () => endConnection(conn.request.socket)));
}

/** All packets that wait for a client are one write to its connection. Each would be a system call of its own otherwise. */
function writeFlushesAtOnce({ engine }: FeedSocketServer): void {
  engine.on('flush', ({ request }: EngineSocket) => request.socket.cork());
  engine.on('drain', ({ request }: EngineSocket) => request.socket.uncork()); // in the same turn, when all are written
}
