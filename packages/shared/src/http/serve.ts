import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { problem } from '@comanda/contracts/problems';
import { sendProblem } from './problem-handler.ts';
import { answerRaw } from './raw-answer.ts';

/** Takes over connections whose requests `accepts`; any other `Upgrade` header is passed over [RFC 9110, 7.8]. */
export type UpgradeHandler = {
  accepts: (req: IncomingMessage) => boolean;
  handle: (req: IncomingMessage, socket: Socket, head: Buffer) => void;
};
type Place = {
  port: number;
  host: string;
  upgrade?: UpgradeHandler;
  /** Within what time a request must be complete; 30,000. */
  requestTimeoutMs?: number;
};
export type Listening = { url: string; server: Server; close: () => Promise<void> };

/**
 * Listens on `port` (0 picks one). A request must be complete within 30 s, its headers within 10 s and 16 KB; what HTTP
 * itself refuses is problem+json as well. `close` takes no new connection and waits for requests in flight.
 */
export async function serve(app: RequestListener, place: Place): Promise<Listening> {
  const { port, host, upgrade, requestTimeoutMs = 30_000 } = place;
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: Math.min(10_000, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
      keepAliveTimeout: 65_000,
      // Node's own refusal has no body: `refuseHostileHeaders` sees to it.
      requireHostHeader: false,
      ...(upgrade && { shouldUpgradeCallback: upgrade.accepts }),
    },
    app,
  );
  refuseWhatIsNotHttp(server);
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
      // Node closes what is idle now; a connection whose request is under way would be kept 65 s after its answer.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(sweep);
    },
  };
}

const details: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request was not complete in time.',
};

// On the socket itself: a WeakMap that grows and shrinks with every request is what the garbage collector likes least.
const lastAnswer = Symbol('last answer');
type Tracked = Socket & { [lastAnswer]?: ServerResponse };

function refuseWhatIsNotHttp(server: Server): void {
  server.prependListener('request', (req, res) => ((req.socket as Tracked)[lastAnswer] = res));
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    const socket = connection as Tracked;
    const answer = socket[lastAnswer];
    const isUnderWay = answer !== undefined && !answer.writableFinished;
    // A second answer would be taken for the next request's.
    const isAnswered = answer?.headersSent && (isUnderWay || error.code === 'ERR_HTTP_REQUEST_TIMEOUT');
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // What came behind a whole request: that one is answered, and nothing after it.
    else if (isUnderWay && answer.req.complete) answer.once('finish', () => socket.destroySoon());
    else if (isAnswered) socket.destroy();
    else refuse(socket, details[error.code ?? ''] ?? 'The request is not HTTP/1.1.');
  });
  server.on('connect', (_req, connection) => refuse(connection as Socket, 'This is no tunnel.'));
  server.on('checkExpectation', (_req, res) =>
    sendProblem(
      res,
      problem('malformed_request', { detail: 'Only Expect: 100-continue is understood.' }),
      randomUUID(),
    ),
  );
}

const refuse = (socket: Socket, detail: string): void =>
  answerRaw(socket, problem('malformed_request', { detail }), randomUUID());
