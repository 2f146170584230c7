import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { problem } from '@comanda/contracts/problem';
import { sendProblem } from './problem-handler.ts';
import { sendRawResponse } from './raw-response.ts';
import type { Drain } from '../runtime/drain.ts';
import type { TlsFiles } from './tls-files.ts';
import { http } from '../runtime/node-http.ts';

/**
 * A handler that takes over the connections whose requests it accepts. If it does not accept a request, the `Upgrade` header is
 * ignored [RFC 9110, 7.8].
 */
export type UpgradeHandler = {
  accepts: (req: IncomingMessage) => boolean;
  handle: (req: IncomingMessage, socket: Socket, head: Buffer) => void;
};
export type ListenOptions<R extends typeof IncomingMessage = typeof IncomingMessage> = {
  port: number;
  host: string;
  upgrade?: UpgradeHandler;
  /** Called with each new TCP connection before any data is read from it. */
  onConnection?: (socket: Socket) => void;
  /** The certificate and key for HTTPS; without them, the server uses plain HTTP. */
  tls?: TlsFiles | null;
  /** Shows whether the instance is draining. From then on, each response closes its connection [RFC 9112, 9.6]. */
  drain?: Drain;
  /** How long a client may take to send a complete request, in milliseconds; by default 30,000. */
  requestTimeoutMs?: number;
  /** The class that the server uses for requests. */
  IncomingMessage?: R;
};
export type Listening = { url: string; server: Server; close: () => Promise<void> };

/**
 * Listens on `port`, or on a free port if `port` is 0. A client must send a complete request within 30 s, and its headers within
 * 10 s and 16 KB. Even requests that Node's HTTP parser rejects get problem+json. `close` stops accepting connections and waits
 * for requests in flight.
 */
export async function serve<R extends typeof IncomingMessage>(
  app: RequestListener<R>,
  options: ListenOptions<R>,
): Promise<Listening> {
  const { port, host, upgrade, onConnection, drain, tls = null, requestTimeoutMs = 30_000 } = options;
  const serverOptions = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: Math.min(10_000, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    keepAliveTimeout: 65_000,
    // `refuseHostileHeaders` checks the Host header instead, because Node's own response to a missing Host has no body.
    requireHostHeader: false,
    ...(upgrade && { shouldUpgradeCallback: upgrade.accepts }),
    ...(options.IncomingMessage && { IncomingMessage: options.IncomingMessage }),
  };
  const server = tls ? createTlsServer(tls, serverOptions, app) : http.createServer(serverOptions, app);
  respondToParserErrors(server);
  if (drain) closeConnectionsOf(server, drain);
  if (onConnection) server.on('connection', onConnection);
  // A connection to a `node:http` or `node:https` server is always a `net.Socket`.
  if (upgrade) server.on('upgrade', (req, socket, head) => upgrade.handle(req, socket as Socket, head));
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${actual}`,
    server,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      // Closes connections that have become idle. `server.close` closes only connections that are idle when it is called. A
      // connection with a request in flight would stay open after its response, for the whole keep-alive time.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(sweep);
    },
  };
}

const closeConnectionsOf = (server: Server, drain: Drain): void =>
  void server.prependListener('request', (_req, res) => {
    if (drain.isDraining()) res.shouldKeepAlive = false;
  });

/** A TLS socket with the TCP connection below it; a plain socket has no `tcp`. */
type SocketOverTcp = Socket & { tcp?: Socket };
/** Returns the TCP connection below a request's socket. Without TLS, this is the socket itself. */
export const tcpOf = (socket: Socket): Socket => (socket as SocketOverTcp).tcp ?? socket;

const handshakeTimeoutMs = 10_000;

/** Creates an HTTPS server (TLS 1.2 or newer). When the certificate changes, later connections get the new one. */
function createTlsServer<R extends typeof IncomingMessage>(
  tls: TlsFiles,
  options: ServerOptions<R>,
  app: RequestListener<R>,
): Server {
  const server = https.createServer({ ...options, ...tls.current, handshakeTimeout: handshakeTimeoutMs }, app);
  const stopWatching = tls.watch((pair) => server.setSecureContext(pair));
  server.once('close', stopWatching);
  linkTcp(server);
  // By default, Node would send a plain HTTP response to a client whose TLS handshake fails.
  server.removeAllListeners('tlsClientError').on('tlsClientError', (_error, socket) => void socket.destroy());
  return server;
}

/**
 * Sets `tcp` on each TLS connection. Node reports the TLS connection and the TCP connection separately, so they are matched by
 * their ports.
 */
function linkTcp(server: https.Server): void {
  const inHandshake = new Map<string, Socket>();
  const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  server.prependListener('connection', (tcp: Socket) => {
    const key = keyOf(tcp);
    inHandshake.set(key, tcp);
    tcp.once('close', () => {
      if (inHandshake.get(key) === tcp) inHandshake.delete(key);
    });
  });
  server.prependListener('secureConnection', (socket: TLSSocket & SocketOverTcp) => {
    const key = keyOf(socket);
    const tcp = inHandshake.get(key);
    if (tcp) socket.tcp = tcp;
    inHandshake.delete(key);
  });
}

const details: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request was not complete in time.',
};

/**
 * A socket with its latest response. The response is a field, because a map of sockets would keep finished responses in memory
 * for a long time.
 */
type ServedSocket = Socket & { lastResponse?: ServerResponse };

/**
 * Responds to everything that never reaches the request listener: bytes that are not HTTP, timeouts, and requests with CONNECT or
 * Expect.
 */
function respondToParserErrors(server: Server): void {
  server.prependListener('request', (req, res) => ((req.socket as ServedSocket).lastResponse = res));

  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    const socket = connection as ServedSocket;
    const response = socket.lastResponse;
    const isInFlight = response !== undefined && !response.writableFinished;
    // If a response was already sent, the client would take a second one for the response to its next request.
    const isAnswered = response?.headersSent && (isInFlight || error.code === 'ERR_HTTP_REQUEST_TIMEOUT');
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // The invalid bytes follow a complete request: send the response to that request, and nothing after it.
    else if (isInFlight && response.req.complete) response.once('finish', () => socket.destroySoon());
    else if (isAnswered) socket.destroy();
    else refuse(socket, details[error.code ?? ''] ?? 'The request is not valid HTTP/1.1.');
  });
  server.on('connect', (_req, connection) => refuse(connection as Socket, 'CONNECT is not supported.'));
  server.on('checkExpectation', (_req, res) =>
    sendProblem(
      res,
      problem('malformed_request', { detail: 'The only supported Expect header is 100-continue.' }),
      randomUUID(),
    ),
  );
}

const refuse = (socket: Socket, detail: string): void =>
  sendRawResponse(socket, problem('malformed_request', { detail }), randomUUID());
