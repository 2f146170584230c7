import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { problem } from '@comanda/contracts/problem';
import { networkOf, type Client } from '@comanda/shared/http/client-address';
import { checkFeedQuery, feedPath, isFeedHandshake } from '@comanda/shared/http/feed-handshake';
import { refuseHostileHeaders, refuseMisplacedBody } from '@comanda/shared/http/hostile-headers';
import { isAllowedOrigin } from '@comanda/shared/http/origin';
import { asProblem, logFailure } from '@comanda/shared/http/problem-handler';
import { sendRawResponse } from '@comanda/shared/http/raw-response';
import { beginRequest, type RequestContext } from '@comanda/shared/http/request-context';
import type { UpgradeHandler } from '@comanda/shared/http/serve';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { noTraces } from '@comanda/shared/tracing/tracer';
import { cleanHandshakeResponse } from '../proxy/service-headers.ts';
import { upstreamProblem } from '../proxy/upstream-failure.ts';
import { createConnectWatcher } from './connect-packet.ts';
import { createConnectionLimiter, type FeedLimits } from './connection-limiter.ts';
import { NotifierHandshake } from './notifier-handshake.ts';

type Options = {
  notifierUrl: string;
  allowedOrigins: readonly string[];
  readClient: (req: IncomingMessage) => Client;
  /** Rejects a client that must use TLS but does not. @throws 403 `tls_required` */
  requireTls: (client: Client) => void;
  /** Called when the handshake's headers are complete. */
  onHandshake: (req: IncomingMessage) => void;
  /** Counts a handshake by address. @throws 429 `rate_limited` */
  countHandshake: (client: Client) => void;
  limits: FeedLimits;
  /** How long the notifier may take to respond to a handshake, in milliseconds. */
  timeoutMs: number;
  logger: Logger;
  metrics: Metrics;
};
export type LiveFeed = UpgradeHandler & {
  /** Rejects new feeds and ends all open feeds, spread over `windowMs`. Their clients reconnect to another instance. */
  close: (windowMs: number) => Promise<void>;
};

const queryParameters = new Set(['EIO', 'transport', 't']);

/**
 * Creates the live feed, which passes WebSockets on to the notifier. The handshake contains no access token: clients send the
 * token to the notifier over the WebSocket. Only a handshake at exactly `/socket.io/` is accepted; at any other path, it is an
 * ordinary request.
 */
export function createLiveFeed({ logger, readClient, allowedOrigins, ...options }: Options): LiveFeed {
  const limiter = createConnectionLimiter(options.limits, options.metrics);

  type Refusal = { error: unknown; context: RequestContext; network: string };
  function refuse(socket: Socket, { error, context, network }: Refusal): void {
    if (socket.destroyed) return;
    const failure = asProblem(error, []);
    logFailure(logger, error, { failure, context });
    logger.info({ ...idsOf(context), status: failure.status, code: failure.code, network }, 'live feed refused');
    sendRawResponse(socket, failure, context.requestId);
  }

  function failHandshake(handshake: NotifierHandshake, error: Error): void {
    if (handshake.answered) return void handshake.socket.destroy();
    handshake.answered = true;
    const { context, network } = handshake;
    refuse(handshake.socket, { error: upstreamProblem(error, 'GET'), context, network });
  }

  const handleResponses: Plugin<NotifierHandshake> = (server) => {
    server.on('error', (error, handshake) => {
      if (handshake) failHandshake(handshake, error);
    });
    server.on('proxyReqWs', (upstreamRequest, handshake, socket) => {
      upstreamRequest.once('response', (response) => {
        handshake.answered = true;
        cleanHandshakeResponse(response.headers);
      });
      upstreamRequest.once('upgrade', (response, upstreamSocket) => {
        handshake.answered = true;
        cleanHandshakeResponse(response.headers);
        // Each socket closes the other one, because a socket left open would leak.
        socket.once('close', () => upstreamSocket.destroy());
        upstreamSocket.once('close', () => socket.destroy());
        // Waits until the proxy has connected the two sockets. Before that, bytes that the proxy puts back would reach only this
        // listener.
        process.nextTick(() => watchForConnect(upstreamSocket, handshake.onConnect));
      });
    });
  };
  const proxy = createProxyMiddleware<NotifierHandshake>({
    target: options.notifierUrl,
    agent: false,
    changeOrigin: true,
    upgradeTimeout: options.timeoutMs,
    ejectPlugins: true,
    plugins: [handleResponses],
  });

  return {
    accepts: isFeedHandshake,
    handle: (req, socket, head) => {
      const startedAt = performance.now();
      // The handshake is not traced, because its span would only end after hours.
      const { context } = beginRequest(req, { tracer: noTraces, senders: 'anybody' });
      socket.on('error', () => socket.destroy());
      const client = readClient(req);
      const network = networkOf(client.address);
      try {
        options.onHandshake(req);
        options.requireTls(client);
        options.countHandshake(client);
        checkHandshake(req, allowedOrigins);
        const onConnect = limiter.add(socket, network);
        socket.once('close', () =>
          logger.info({ ...idsOf(context), ms: Math.round(performance.now() - startedAt) }, 'live feed ended'),
        );
        proxy.upgrade(new NotifierHandshake(req, { client, context, network, onConnect }), socket, head);
      } catch (error) {
        refuse(socket, { error, context, network });
      }
    },
    close: limiter.close,
  };
}

const idsOf = ({ requestId, traceId }: RequestContext) => ({ request_id: requestId, trace_id: traceId });

/** Calls `onConnect` when the notifier accepts the client. */
function watchForConnect(upstream: Socket, onConnect: () => void): void {
  const hasConnected = createConnectWatcher();
  const onData = (bytes: Buffer): void => {
    if (!hasConnected(bytes)) return;
    upstream.off('data', onData);
    onConnect();
  };
  upstream.on('data', onData);
}

/**
 * Checks a WebSocket handshake before it is passed on.
 * @throws 400 `malformed_request`, `upgrade_required`, `validation_failed`; 403 `forbidden`
 */
function checkHandshake(req: IncomingMessage, allowedOrigins: readonly string[]): void {
  refuseHostileHeaders(req);
  refuseMisplacedBody(req);
  const { origin, host } = req.headers;
  if (!isAllowedOrigin({ origin, host, allowedOrigins }))
    throw problem('forbidden', {
      detail: "Pages of this origin can't open the live feed. An operator can add it to `ALLOWED_ORIGINS`.",
    });
  const query = new URLSearchParams((req.url ?? '').slice(feedPath.length));
  checkFeedQuery(query);
  const unknown = [...query.keys()].filter((name) => !queryParameters.has(name));
  if (unknown.length === 0) return;
  throw problem('validation_failed', {
    detail: 'Send the access token in `auth`, never in the URL.',
    errors: unknown
      .slice(0, 10)
      .map((name) => ({ pointer: `/${name.slice(0, 64)}`, detail: 'is not allowed', in: 'query' as const })),
  });
}
