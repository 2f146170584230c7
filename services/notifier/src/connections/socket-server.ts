import type { Server as HttpServer } from 'node:http';
import { Server, type ServerOptions } from 'socket.io';
import { endConnection } from '@comanda/shared/http/end-connection';
import type { EngineSocket, FeedSocketServer } from './socket-types.ts';

/** Options that don't change how packets are read and written. Times are in milliseconds. */
export type SocketServerOptions = Pick<
  ServerOptions,
  'path' | 'transports' | 'maxHttpBufferSize' | 'connectTimeout' | 'pingInterval' | 'pingTimeout'
>;

/** Creates the feed's Socket.IO server on this HTTP server. */
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

/** Ends the TCP connections of closed sockets, because `ws` would wait 30 s for a client that ignores the close frame. */
function endClosedConnections({ engine }: FeedSocketServer): void {
  engine.on('connection', (conn: EngineSocket) => conn.once('close', () => endConnection(conn.request.socket)));
}

/** Writes all packets waiting for a client in one go, because each packet would otherwise need its own system call. */
function writeFlushesAtOnce({ engine }: FeedSocketServer): void {
  engine.on('flush', ({ request }: EngineSocket) => request.socket.cork());
  engine.on('drain', ({ request }: EngineSocket) => request.socket.uncork()); // runs in the same turn, after all writes
}
