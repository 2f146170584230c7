import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { Pool } from 'undici';
import { maxIdleMs } from '@comanda/shared/http/idle-connections';
import { unavailable } from '@comanda/contracts/problem';
import { createCallTracer } from '@comanda/shared/http/trace-call';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Tracer } from '@comanda/shared/tracing/tracer';
import { stateOf, type GatewayRequest, type RequestState } from '../request-state.ts';
import { sendFailure } from '../send-failure.ts';
import { connectTimeoutMs, createDeadlines } from './deadlines.ts';
import { createProxiedRequest } from './proxied-request.ts';
import { failRequest, sendRequest } from './send-request.ts';
import { upstreamProblem } from './upstream-failure.ts';

export type ServiceProxy = {
  /**
   * Sends the request to the service and the service's response to the client. If too many requests are in flight, the client
   * gets a 503.
   */
  forward: (state: RequestState) => void;
  close: () => Promise<void>;
};
type Options = {
  url: string;
  /** How long the service may be silent, in milliseconds. */
  timeoutMs: number;
  maxInFlight: number;
  logger: Logger;
  tracer: Tracer;
};

/**
 * Creates the proxy for one service: http-proxy-middleware with undici as its transport. The middleware's own transport handles
 * only half as many requests (decision 0012), so it is replaced here. The middleware's events and its options for outgoing
 * requests have no effect.
 */
export function createServiceProxy({ url, timeoutMs, maxInFlight, logger, tracer }: Options): ServiceProxy {
  const traceCall = createCallTracer(tracer, url);
  // undici's own timeouts are off, because they also count the time that the gateway waits for the client.
  const timeouts = { connectTimeout: connectTimeoutMs, headersTimeout: 0, bodyTimeout: 0 };
  const pool = new Pool(url, { pipelining: 1, ...timeouts, keepAliveMaxTimeout: maxIdleMs });
  const transport = { dispatcher: pool, logger };
  const deadlines = createDeadlines(timeoutMs, (proxied, error) => {
    failRequest(transport, proxied, error);
    proxied.controller?.abort(error);
  });

  /**
   * Disconnects the oldest slow reader to make room, so that clients that keep a service waiting cannot block other requests.
   * Returns false if there is no slow reader.
   */
  function makeRoom(): boolean {
    const slow = deadlines.findSlowReader();
    if (!slow) return false;
    slow.failed = true;
    slow.state.res.destroy();
    return true;
  }
  const sendByUndici: Plugin<GatewayRequest> = (server) => {
    server.before('web', '', (req, res) => {
      if (deadlines.count() >= maxInFlight && !makeRoom()) throw unavailable();
      const proxied = createProxiedRequest(stateOf(req as GatewayRequest), traceCall);
      const slot = deadlines.watch(proxied);
      res.once('close', () => {
        deadlines.unwatch(slot);
        if (!res.writableFinished) proxied.controller?.abort(new Error('The client has gone away.'));
        proxied.call.end(res.headersSent ? res.statusCode : new Error('The client has gone away.'));
      });
      sendRequest(transport, proxied);
      return true;
    });
    // Handles failures before the request is sent; `failRequest` handles all others.
    server.on('error', (error, req) => {
      if (!req?.state || req.state.res.closed) return;
      sendFailure(req.state, { error: upstreamProblem(error, req.method ?? ''), cause: error, logger });
    });
  };
  const proxy = createProxyMiddleware<GatewayRequest>({
    target: new URL(url),
    ejectPlugins: true,
    plugins: [sendByUndici],
  });

  return {
    forward: ({ req, res }) => {
      // The client may have left while its token was being verified.
      if (!res.closed) void proxy(req, res);
    },
    close: async () => {
      deadlines.close();
      await pool.destroy();
    },
  };
}
