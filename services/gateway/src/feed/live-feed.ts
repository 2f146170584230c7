import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { problem } from '@comanda/contracts/problems';
import type { Client } from '@comanda/shared/http/client-address';
import { refuseHostileHeaders, refuseMisplacedBody } from '@comanda/shared/http/hostile-headers';
import { asProblem, logFailure } from '@comanda/shared/http/problem-handler';
import { answerRaw } from '@comanda/shared/http/raw-answer';
import { readContext } from '@comanda/shared/http/request-context';
import type { RequestContext } from '@comanda/shared/http/request-context';
import type { UpgradeHandler } from '@comanda/shared/http/serve';
import type { Logger } from '@comanda/shared/runtime/logger';
import { isOriginWelcome } from '../door/cross-origin.ts';
import { cleanHandshake, keepFeedHeaders } from '../proxy/passed-headers.ts';
import { upstreamProblem } from '../proxy/upstream-failure.ts';
import { createPlaces } from './places.ts';

type Options = {
  notifierUrl: string;
  allowedOrigins: readonly string[];
  readClient: (req: IncomingMessage) => Client;
  /** Feeds at once, of all and of one address. */
  limits: { all: number; address: number };
  timeoutMs: number;
  logger: Logger;
  metrics: Metrics;
};
export type LiveFeed = UpgradeHandler & {
  /** Ends every feed; clients connect again elsewhere. */
  close: () => void;
};

export const feedPath = '/socket.io/';
const feedParameters = new Set(['EIO', 'transport', 't', 'sid']);
const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/**
 * The WebSocket of the live feed, through to the notifier, which asks for the token in its own protocol. Only a
 * handshake at `/socket.io/` itself is taken up; it must be answered within `timeoutMs`.
 */
export function createLiveFeed(options: Options): LiveFeed {
  const { logger, timeoutMs } = options;
  const places = createPlaces(options.limits, options.metrics);
  const contexts = new WeakMap<Socket, RequestContext>();
  const answered = new WeakSet<Socket>();

  function refuse(socket: Socket, error: unknown): void {
    if (socket.destroyed || answered.has(socket)) return void socket.destroy();
    answered.add(socket);
    const requestId = contexts.get(socket)?.requestId ?? '';
    const failure = asProblem(error, []);
    logFailure(logger, error, { failure, requestId });
    logger.info({ request_id: requestId, status: failure.status, code: failure.code }, 'live feed refused');
    answerRaw(socket, failure, requestId);
  }

  const proxy = createProxyMiddleware({
    target: options.notifierUrl,
    agent: false,
    changeOrigin: true,
    upgradeTimeout: timeoutMs,
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('error', (error, _req, socket) => refuse(socket as Socket, upstreamProblem(error, 'GET')));
        server.on('proxyReqWs', (attempt, _req, socket) => {
          attempt.once('response', (answer) => {
            answered.add(socket);
            cleanHandshake(answer);
          });
          attempt.once('upgrade', (answer, upstream) => {
            answered.add(socket);
            cleanHandshake(answer);
            // One without the other is a leak.
            socket.once('close', () => upstream.destroy());
            upstream.once('close', () => socket.destroy());
          });
        });
      },
    ],
  });

  return {
    accepts: (req) =>
      req.method === 'GET' && req.headers.upgrade?.toLowerCase() === 'websocket' && pathOf(req.url ?? '') === feedPath,
    handle: (req, socket, head) => {
      socket.on('error', () => socket.destroy());
      const context = readContext(req);
      contexts.set(socket, context);
      try {
        const client = options.readClient(req);
        check(req, options.allowedOrigins);
        places.take(socket, client.address);
        const begun = performance.now();
        socket.once('close', () =>
          logger.info({ request_id: context.requestId, ms: Math.round(performance.now() - begun) }, 'live feed ended'),
        );
        keepFeedHeaders(req, { client, context });
        proxy.upgrade(req, socket, head);
      } catch (error) {
        refuse(socket, error);
      }
    },
    close: places.close,
  };
}

/** @throws 400 `malformed_request`, `validation_failed`; 403 `forbidden` */
function check(req: IncomingMessage, allowedOrigins: readonly string[]): void {
  refuseHostileHeaders(req);
  refuseMisplacedBody(req);
  if (!isOriginWelcome(req, allowedOrigins)) throw problem('forbidden', { detail: 'Not for pages of this origin.' });
  const query = new URLSearchParams((req.url ?? '').slice(feedPath.length));
  const unknown = [...query.keys()].filter((name) => !feedParameters.has(name));
  if (unknown.length === 0) return;
  throw problem('validation_failed', {
    detail: 'The token goes into `auth`, never into the address.',
    errors: unknown
      .slice(0, 10)
      .map((name) => ({ pointer: `/${name.slice(0, 64)}`, detail: 'is not allowed', in: 'query' as const })),
  });
}
