import type { Server as HttpServer } from 'node:http';
import { Server, type ServerOptions } from 'socket.io';
import { endConnection } from '@comanda/shared/http/end-connection';
import type { EngineSocket, FeedSocketServer } from './socket-types.ts';

/** Options that leave the reading and writing of packets unchanged. Times are in milliseconds. */
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

/** Ends closed connections, because `ws` would wait 30 s for a client that ignores the closing frame. */
function endClosedConnections({ engine }: FeedSocketServer): void {
  engine.on('connection', (conn: EngineSocket) => conn.once('close', () => endConnection(conn.request.socket)));
}

/** Writes all packets waiting for a client to its connection at once, because each would otherwise be a system call. */
function writeFlushesAtOnce({ engine }: FeedSocketServer): void {
  engine.on('flush', ({ request }: EngineSocket) => request.socket.cork());
  engine.on('drain', ({ request }: EngineSocket) => request.socket.uncork()); // runs in the same turn, once all are written
}
